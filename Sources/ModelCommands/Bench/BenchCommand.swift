// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import Martlet
import OptimizedKernels

/// `martlet bench`: how long a model takes, from loading to the last run.
package struct BenchCommand {
  let computation: ComputationOptions
  let runInputs: RunInputs
  let signature: String?
  /// How many runs are timed; nil for what fits into the time limit.
  let runs: Int?
  let warmup: Int
  let profiling: ProfileOptions

  package static let description = CommandDescription(
    "bench", "Measure how long a model takes.",
    discussion: """
      Times are of a whole inference, in milliseconds: the first one, which finds cold caches, \
      and those after the warm-up. Without --runs, 50 runs are timed, or fewer if they take \
      more than 10 seconds. Inputs without a file are made up: random numbers, and zeros for \
      integers that may be indices.

      --profile and --trace time each node in runs of their own, after those. Rates are compared \
      with what bare loops reach on this machine: Docs/Profiling.md explains each column.
      """,
    arguments: [
      ArgumentDescription(
        "model", "The model; - reads it from standard input.", completion: .files(["tflite"]))
    ],
    options: [
      .value("runs", "n", "How many inferences are timed."),
      .value("warmup", "n", "How many go before them.", defaultValue: "3"),
    ] + ComputationOptions.descriptions + ProfileOptions.descriptions + RunInputs.descriptions
      + [.json]
  ) { arguments, console throws(CommandError) in
    let bench = try BenchCommand(arguments)
    let path = try arguments.required("model")
    let measured = try bench.measure(path, command: arguments.command, console)
    if arguments.flag("json") {
      try console.print(measured.json)
    } else {
      try console.print(measured.text)
    }
    return .success
  }

  private static let defaultRuns = 50
  private static let timeLimit = Duration.seconds(10)
  private static let profiledRuns = 50
  private static let profileTimeLimit = Duration.seconds(2)

  private init(_ arguments: ParsedArguments) throws(CommandError) {
    computation = try ComputationOptions(arguments)
    runInputs = try RunInputs(arguments, madeUp: .harmless)
    signature = arguments.value("signature")
    runs =
      arguments.value("runs") == nil
      ? nil : try arguments.integer("runs", default: 0, in: 1...1_000_000)
    warmup = try arguments.integer("warmup", default: 3, in: 0...1_000_000)
    profiling = try ProfileOptions(arguments)
  }

  private func measure(
    _ path: String, command: String, _ console: any Console
  ) throws(CommandError) -> BenchResult {
    let clock = ContinuousClock()
    var result = BenchResult(model: path, computation: computation, warmup: warmup)
    result.initialByteCount = ProcessMemory.residentByteCount

    var start = clock.now
    let model = try console.model(at: path)
    result.load = (clock.now - start).milliseconds

    start = clock.now
    let interpreter = try naming(path) { () throws(InferenceError) in
      let interpreter = try Interpreter(
        model, signature: signature, options: computation.interpreter)
      try interpreter.prepare()
      return interpreter
    }
    result.prepare = (clock.now - start).milliseconds
    try runInputs.apply(to: interpreter, model: path, command: command, console: console)
    result.arenaByteCount = interpreter.plan?.memory.arenaByteCount

    func invoke() throws(CommandError) -> Double {
      let start = clock.now
      try naming(path) { () throws(InferenceError) in try interpreter.invoke() }
      return (clock.now - start).milliseconds
    }
    result.first = try invoke()
    for _ in 0..<warmup { _ = try invoke() }
    var times: [Double] = []
    times.reserveCapacity(runs ?? Self.defaultRuns)
    start = clock.now
    while times.count < runs ?? Self.defaultRuns {
      times.append(try invoke())
      if runs == nil, clock.now - start > Self.timeLimit { break }
    }
    // Before what statistics need.
    result.peakByteCount = ProcessMemory.peakByteCount
    result.timings = Timings(times)
    if profiling.isWanted {
      let profile = try profile(interpreter, path, runs: times.count)
      try write(profile, model: path, console)
      result.profile = profiling.isShown ? profile : nil
      result.listedNodeCount = profiling.nodeCount
    }
    return result
  }

  /// Times the nodes, in at most so many runs; observing takes time of its own, so these are not
  /// those that are reported.
  private func profile(
    _ interpreter: Interpreter, _ path: String, runs: Int
  ) throws(CommandError) -> Profile {
    let observed = NodeProfile(
      eventLimit: profiling.tracePath == nil ? 0 : Profile.traceLimit)
    interpreter.observers = [observed]
    defer { interpreter.observers = [] }
    let clock = ContinuousClock()
    let start = clock.now
    repeat {
      try naming(path) { () throws(InferenceError) in
        try observed.observe { () throws(InferenceError) in try interpreter.invoke() }
      }
    } while observed.runs.count < min(runs, Self.profiledRuns)
      && clock.now - start < Self.profileTimeLimit
    let limits = MachineLimits.measured(threadCount: computation.interpreter.threadCount)
    return Profile(observed, interpreter, limits)
  }

  private func write(
    _ profile: Profile, model: String, _ console: any Console
  ) throws(CommandError) {
    guard let path = profiling.tracePath else { return }
    let trace = profile.trace(model: model, computation)
    try console.write(Array((trace.compactText + "\n").utf8), to: path)
    let dropped = profile.observed.droppedEventCount
    if dropped > 0 {
      console.note(
        "note: the trace lacks the last \(dropped) evaluations, as it holds at most "
          + "\(Profile.traceLimit)\n")
    }
  }
}
