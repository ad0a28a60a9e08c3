// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import Martlet
import Npy
import RunComparisons
import Traces

/// `martlet compare`: two runs, tensor by tensor.
package struct CompareCommand {
  private let sides: ComparedSides
  private let inputs: RunInputs
  private let signature: String?
  private let options: ComparisonOptions
  private let mode: RunComparison.Mode
  private let limits: [DifferenceLimit]
  private let seeksCulprit: Bool
  private let listsAll: Bool
  private let printsJSON: Bool
  private let command: String
  private let console: any Console

  package static let description = CommandDescription(
    "compare", "Compare two runs tensor by tensor, and find the node that errs.",
    discussion: """
      A is the reference, B is compared with it: two models on the same inputs, one model with \
      two kinds of kernels or rounding (--kernels reference,optimized unless said otherwise), or \
      a model and a trace, the npz file of 'martlet trace' or of another engine, which is always \
      the reference. The summary comes first, then the nodes that differ. Docs/Comparing.md shows \
      how it is used.
      """,
    arguments: [
      ArgumentDescription(
        "a", "A model, or a trace (.npz).", completion: .files(["tflite", "npz"])),
      ArgumentDescription(
        "b", "A model, or a trace (.npz).", isOptional: true,
        completion: .files(["tflite", "npz"])),
    ],
    options: [
      .flag("cumulative", "Each side computes everything on its own, as without options."),
      .flag("isolated", "Each node of B gets A's values of its inputs."),
      .flag("bisect", "Find the first node that errs though its inputs are A's."),
      .flag("all", "List all nodes, not only those that differ, with every metric."),
      .value(
        "fail-on", "limit",
        "Exit with 1 where a tensor's metric breaks a limit: max_abs>0.1, snr<30.",
        isRepeated: true),
    ] + ToleranceOptions.descriptions("What a number may be off by before it counts as different.")
      + ComparedSides.descriptions + [TraceCommand.invocations] + RunInputs.descriptions
      + [.json]
  ) { arguments, console throws(CommandError) in
    try CompareCommand(arguments, console).run()
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    sides = try ComparedSides(arguments)
    inputs = try RunInputs(arguments, madeUp: nil)
    signature = arguments.value("signature")
    command = arguments.command
    self.console = console
    let isIsolated = arguments.flag("isolated")
    if isIsolated, arguments.flag("cumulative") {
      throw arguments.usage("--cumulative beside --isolated")
    }
    mode = isIsolated ? .isolated : .cumulative
    var options = ComparisonOptions()
    options.tolerance = try ToleranceOptions.tolerance(arguments)
    options.isolation = isIsolated ? .every : arguments.flag("bisect") ? .firstCulprit : .none
    options.invocationLimit = try TraceCommand.invocationLimit(arguments)
    self.options = options
    var limits: [DifferenceLimit] = []
    for text in arguments.allValues("fail-on") {
      guard let limit = DifferenceLimit(parsing: text) else {
        let metrics = DifferenceMetric.allCases.map(\.rawValue).joined(separator: ", ")
        throw arguments.usage(
          "'\(text)' for '--fail-on', wanted a metric, < or >, and a number",
          hint: "metrics are \(metrics)")
      }
      limits.append(limit)
    }
    self.limits = limits
    listsAll = arguments.flag("all")
    printsJSON = arguments.flag("json")
    seeksCulprit = arguments.flag("bisect")
  }

  private func run() throws(CommandError) -> ExitCode {
    let comparison: RunComparison
    switch sides.reference {
    case .trace(let path): comparison = try compared(withTrace: path)
    case .model(let path, let computation): comparison = try compared(with: path, computation)
    }
    let report = ComparisonReport(
      comparison: comparison, mode: mode, limits: limits, options: options,
      seeksCulprit: seeksCulprit, listsAll: listsAll)
    if printsJSON {
      try console.print(
        JSON.record(["schema": "martlet/compare/1", "signature": signature.map { .string($0) }])
          .adding(sides.members).adding(report.json))
    } else {
      try console.print(sides.text + "\n\n" + report.text)
    }
    return report.failures.isEmpty ? .success : .failure
  }

  private func compared(withTrace path: String) throws(CommandError) -> RunComparison {
    let bytes = try console.read(path)
    let run: RecordedRun
    do throws(NpzFileError) { run = RecordedRun(try NpzFile(parsing: bytes)) } catch {
      throw CommandError(error, file: path)
    }
    let model = try console.model(at: sides.judged, showsValues: true)
    let interpreter = try interpreter(model, keepsAllTensors: options.isolation != .none)
    if inputs.areGiven {
      try inputs.apply(to: interpreter, model: sides.judged, command: command, console: console)
    } else {
      let missing = try naming(reference: path) { () throws(ComparisonError) in
        try interpreter.setInputs(from: run)
      }
      guard missing.isEmpty else {
        let names = missing.map { "'\(interpreter.inputs[$0].label)'" }.joined(separator: ", ")
        throw .usage(
          "no values for input \(names) in \(path)", command: command,
          hint: "--input FILE gives them")
      }
    }
    return try compared(interpreter, run, path)
  }

  private func compared(
    with path: String, _ computation: ComputationOptions
  ) throws(CommandError) -> RunComparison {
    let first = try console.model(at: path, showsValues: true)
    let second =
      path == sides.judged ? first : try console.model(at: sides.judged, showsValues: true)
    let reference = try computation.interpreter(
      of: first, path, signature: signature, command: command)
    try inputs.apply(to: reference, model: path, command: command, console: console)
    let run: RecordedRun
    do throws(TraceError) {
      run = try RecordedRun(of: reference, invocationLimit: options.invocationLimit)
    } catch {
      throw CommandError(error, model: path, file: "temporary file")
    }
    let interpreter = try interpreter(
      second, keepsAllTensors: options.isolation != .none && first !== second)
    let missing = try naming(reference: path) { () throws(ComparisonError) in
      try interpreter.setInputs(from: run)
    }
    guard missing.isEmpty else {
      let names = missing.map { "'\(interpreter.inputs[$0].label)'" }.joined(separator: ", ")
      throw .data("no input stands for \(names) of \(sides.judged)", location: path)
    }
    return try compared(interpreter, run, path)
  }

  private func interpreter(
    _ model: Model, keepsAllTensors: Bool
  ) throws(CommandError) -> Interpreter {
    try sides.computation.interpreter(
      of: model, sides.judged, signature: signature, keepsAllTensors: keepsAllTensors,
      command: command)
  }

  private func compared(
    _ interpreter: Interpreter, _ run: RecordedRun, _ path: String
  ) throws(CommandError) -> RunComparison {
    try naming(reference: path) { () throws(ComparisonError) in
      try interpreter.compared(with: run, options: options)
    }
  }

  /// Does something with the compared model; errors name its file or the reference's.
  private func naming<Result>(
    reference: String, _ body: () throws(ComparisonError) -> Result
  ) throws(CommandError) -> Result {
    do throws(ComparisonError) { return try body() } catch {
      switch error {
      case .inference(let error): throw .inference(error, model: sides.judged)
      case .file(let error): throw CommandError(error, file: reference)
      case .mismatch(let problem): throw .data(problem, location: reference)
      }
    }
  }
}
