// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import ResourceLimits
import Tensors

/// What an interpreter's subgraphs share: the options, the threads, what lasts between invocations,
/// and each other.
final class Session {
  let model: Model
  let options: Interpreter.Options
  let limits: Limits
  var team: WorkerTeam
  let progress = RunProgress()
  @safe @exclusivity(unchecked)
  var observers: [any InferenceObserver] = []
  /// Whether the invocation shall stop; asked before each node.
  @safe @exclusivity(unchecked)
  var isCancelled: (() -> Bool)?
  let resources = Resources()
  /// What the subgraphs, variables and tables may still take together.
  @safe @exclusivity(unchecked)
  var budget: SessionBudget
  /// Whether nodes are computed one at a time, on inputs of the caller's.
  var computesNodesAlone = false

  private var instances: [Int: SubgraphInstance] = [:]
  /// Loops that go by plans, by the body.
  private var loops: [Int: SettledLoop] = [:]
  /// Calls of subgraphs since the invocation began.
  private var callCount = 0
  /// How many subgraphs wait for one that they called.
  private var callDepth = 0
  /// What went wrong in a subgraph that was called, until the caller's error has taken it over.
  private var calleeError: InferenceError?

  /// Whether nodes may be fused: nobody wants to see what lies between them.
  var fusesNodes: Bool {
    !computesNodesAlone && !options.keepsAllTensors && observers.allSatisfy { !$0.seesEveryNode }
  }

  init(_ model: Model, options: Interpreter.Options) {
    self.model = model
    self.options = options
    limits =
      options.limits?.applied(toFileOf: model.storage.byteCount) ?? model.limits
    budget = SessionBudget(limits)
    team = WorkerTeam(workerCount: options.threadCount)
  }

  /// The subgraph of an index, which must exist.
  func instance(_ index: Int) -> SubgraphInstance {
    if let known = instances[index] { return known }
    let instance = SubgraphInstance(index, in: self)
    instances[index] = instance
    return instance
  }

  /// The subgraph of an index, if it has been used.
  func usedInstance(_ index: Int) -> SubgraphInstance? { instances[index] }

  /// Starts to count calls and time anew.
  func beginInvocation() {
    callCount = 0
    budget.beginInvocation()
    progress.begin(until: limits.duration.map { ContinuousClock.now + $0 })
  }

  /// Gives back what the lists of the invocation before hold.
  func forgetLists() {
    budget.giveBack(resources.lists.heldByteCount)
    resources.lists.removeAll()
  }

  /// Throws where the invocation shall not go on.
  func checkProgress() throws(InferenceError) {
    if let isCancelled, isCancelled() { throw InferenceError(.cancelled) }
    try progress.check(limits.duration)
  }

  /// Refuses work that takes longer than the invocation may, however fast the machine is: kernels
  /// that no blocks divide go on to their end.
  func checkTime(for work: Int) throws(InferenceError) {
    guard let duration = limits.duration else { return }
    let least = Duration.nanoseconds(Int64(work / Self.mostWorkPerNanosecond))
    guard least <= duration else { throw InferenceError(.timeLimit(duration)) }
  }

  /// More than any machine does; the units of work stand for an eighth of a nanosecond.
  private static let mostWorkPerNanosecond = 64

  /// Sets the variable tensors of all subgraphs back to zero.
  func resetVariables() {
    for instance in instances.values { instance.resetVariables() }
  }

  /// The error that `error` stands for: the callee's, where there is one.
  func takeCalleeError() -> InferenceError? {
    defer { calleeError = nil }
    return calleeError
  }
}

extension Session: OperatorSession {
  func outputCount(ofSubgraph index: Int) -> Int? {
    model.file.subgraphs.indices.contains(index)
      ? model.file.subgraphs[index].outputs.count : nil
  }

  func inputsPassedOn(bySubgraph index: Int) -> [Int?] {
    let subgraph = model.file.subgraphs[index]
    return subgraph.outputs.map { subgraph.inputs.firstIndex(of: $0) }
  }

  func call(_ subgraph: Int, _ arguments: [TensorValue]) throws(KernelError) -> [TensorValue] {
    guard model.file.subgraphs.indices.contains(subgraph) else {
      throw .invalid(
        "subgraph \(subgraph) does not exist: the model has \(model.file.subgraphs.count)")
    }
    guard callDepth < limits.callDepth else {
      throw .invalid("more than \(limits.callDepth) subgraphs called by each other")
    }
    let instance = instance(subgraph)
    guard !instance.isRunning else { throw .invalid("subgraph \(subgraph) calls itself") }
    // The caller's copies of the arguments and results last as long as the call.
    let passed =
      2 * arguments.reduce(0) { $0 + (isPartOfModel($1.bytes) ? 0 : $1.bytes.byteCount) }
    try hold(passed)
    callDepth += 1
    defer {
      callDepth -= 1
      release(passed)
    }
    return try called(subgraph, passing: passed) { () throws(InferenceError) in
      try instance.setArguments(arguments)
      try instance.run()
      return try instance.results()
    }
  }

  /// What a call of a subgraph gives, counted as one that passes so many bytes to and fro.
  private func called<Result>(
    _ subgraph: Int, passing byteCount: Int, _ run: () throws(InferenceError) -> Result
  ) throws(KernelError) -> Result {
    callCount += 1
    guard callCount <= limits.callCount else {
      throw .invalid("more than \(limits.callCount) calls of subgraphs in one invocation")
    }
    do throws(InferenceError) {
      try checkProgress()
      try budget.work(NodeWork.callWork + byteCount)
      return try run()
    } catch {
      calleeError = error
      throw .invalid("subgraph \(subgraph) fails")
    }
  }

  func runLoop(
    _ condition: Int, _ body: Int, from values: (condition: [TensorValue], body: [TensorValue])
  ) throws(KernelError) -> LoopOutcome? {
    guard observers.isEmpty, !computesNodesAlone, callDepth < limits.callDepth,
      let loop = settledLoop(condition, body),
      loop.begin(condition: values.condition, body: values.body)
    else { return nil }
    callDepth += 1
    defer { callDepth -= 1 }
    let passed = 2 * loop.passedByteCount
    while true {
      let goesOn = try called(condition, passing: passed) { () throws(InferenceError) in
        try loop.runCondition()
      }
      guard goesOn else { return .ended(loop.state) }
      let results = try called(body, passing: passed) { () throws(InferenceError) in
        try loop.runBody()
      }
      if let results { return .left(results) }
      loop.moveOn()
    }
  }

  /// The loop of these subgraphs, if they are planned for one whose values lie at fixed places.
  private func settledLoop(_ condition: Int, _ body: Int) -> SettledLoop? {
    if let loop = loops[body], loop.condition.index == condition, loop.isReady { return loop }
    // An old one must not keep plans that nothing goes by any more.
    loops[body] = SettledLoop(instance(condition), instance(body))
    return loops[body].flatMap { $0.isReady ? $0 : nil }
  }

  /// Whether the bytes lie in the file, where nothing ever changes them.
  func isPartOfModel(_ bytes: TensorBytes) -> Bool { bytes.storage === model.storage }

  func lasting(_ value: TensorValue) -> TensorValue {
    isPartOfModel(value.bytes) ? value : value.copied()
  }

  func hold(_ byteCount: Int) throws(KernelError) {
    do throws(InferenceError) { try budget.take(byteCount) } catch {
      calleeError = error
      throw .invalid(error.sentence)
    }
  }

  func release(_ byteCount: Int) { budget.giveBack(byteCount) }

  func work(_ count: Int) throws(KernelError) {
    do throws(InferenceError) { try budget.work(count) } catch {
      calleeError = error
      throw .invalid(error.sentence)
    }
  }
}
