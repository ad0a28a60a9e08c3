// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels

/// What an interpreter's subgraphs share: the options, the threads, what lasts between invocations,
/// and each other.
final class Session {
  let model: Model
  let options: Interpreter.Options
  let team: WorkerTeam
  let cancellation = CancellationFlag()
  var observers: [any InferenceObserver] = []
  var resources = Resources()
  /// Whether nodes are computed one at a time, on inputs of the caller's.
  var computesNodesAlone = false

  private var instances: [Int: SubgraphInstance] = [:]
  /// Calls of subgraphs since the invocation began.
  private var callCount = 0
  /// How many subgraphs wait for one that they called.
  private var callDepth = 0
  /// What went wrong in a subgraph that was called, until the caller's error has taken it over.
  private var calleeError: InferenceError?

  /// Calls of calls go no deeper.
  private static let callDepthLimit = 64

  /// Whether nodes may be computed together: nobody wants to see what lies between them.
  var joinsNodes: Bool {
    !computesNodesAlone && !options.keepsAllTensors && observers.allSatisfy { !$0.seesEveryNode }
  }

  init(_ model: Model, options: Interpreter.Options) {
    self.model = model
    self.options = options
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

  /// Starts to count calls anew.
  func beginInvocation() { callCount = 0 }

  /// Sets the variable tensors of all subgraphs back to zero.
  func resetVariables() {
    for instance in instances.values { instance.resetVariables() }
  }

  /// The error that `error` stands for: the callee's, where there is one.
  func takeCalleeError() -> InferenceError? {
    defer { calleeError = nil }
    return calleeError
  }

  /// Refuses a call that would take the session over the memory limit: the arenas of all subgraphs
  /// and the arguments, which the callee and the caller copy.
  private func checkMemory(_ arguments: [TensorValue]) throws(KernelError) {
    var total = 0
    for argument in arguments { total += 2 * argument.bytes.byteCount }
    for instance in instances.values { total += instance.plan?.memory.arenaByteCount ?? 0 }
    guard total <= options.memoryLimit else {
      throw .invalid(
        "\(total) bytes of memory needed for calls, the limit is \(options.memoryLimit)")
    }
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
    callCount += 1
    guard callCount <= options.callLimit else {
      throw .invalid("more than \(options.callLimit) calls of subgraphs in one invocation")
    }
    guard callDepth < Self.callDepthLimit else {
      throw .invalid("more than \(Self.callDepthLimit) subgraphs called by each other")
    }
    let instance = instance(subgraph)
    guard !instance.isRunning else { throw .invalid("subgraph \(subgraph) calls itself") }
    try checkMemory(arguments)
    callDepth += 1
    defer { callDepth -= 1 }
    do throws(InferenceError) {
      try cancellation.check()
      try instance.setArguments(arguments)
      try instance.run()
      return try instance.results()
    } catch {
      calleeError = error
      throw .invalid("subgraph \(subgraph) fails")
    }
  }
}
