// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors

extension SubgraphInstance {
  /// Runs the plan on the current inputs.
  func run() throws(InferenceError) {
    try prepare()
    try adaptToObservers()
    guard let plan else { return }
    tellObserversOfRun()
    hasRun = false
    isRunning = true
    defer { isRunning = false }
    for step in plan.steps {
      try session.checkProgress()
      do throws(InferenceError) {
        try run(step)
      } catch {
        let name = subgraph.nodes[step.node].identity.name
        throw error.within(.operator(step.node, name: name)).within(.subgraph(index))
      }
    }
    hasRun = true
  }

  private func run(_ step: PlanStep) throws(InferenceError) {
    guard !session.observers.isEmpty else {
      _ = try evaluate(step)
      return
    }
    let clock = ContinuousClock()
    let start = clock.now
    let kernel = try evaluate(step)
    tellObservers(of: step, kernel: kernel, start: start, duration: clock.now - start)
  }

  func evaluate(_ step: PlanStep) throws(InferenceError) -> (any Kernel)? {
    switch step {
    case .folded, .shared, .joined:
      return nil
    case .ready(let ready):
      do throws(KernelError) {
        try evaluate(ready)
      } catch {
        throw failure(error, ready.node)
      }
      return ready.kernel
    case .deferred(let node):
      return try evaluateDeferred(node)
    }
  }

  /// Evaluates a prepared node, by the whole team where its kernel falls into blocks.
  private func evaluate(_ step: ReadyStep) throws(KernelError) {
    guard session.team.workerCount > 1, let kernel = step.blockKernel else {
      return try step.kernel.evaluate(step.frame)
    }
    let workerCount = session.team.workerCount
    let blockCount = kernel.blockCount(workerCount: workerCount)
    guard blockCount > 1 else { return try kernel.evaluate(step.frame) }
    kernel.begin(step.frame)
    session.team.perform(blockCount: blockCount) { next in
      kernel.compute(step.frame, workerCount: workerCount, next: next)
    }
    kernel.end(step.frame)
  }

  func failure(_ error: KernelError, _ node: Int) -> InferenceError {
    InferenceError(.kernel(error), path: subgraph.path(of: error, in: subgraph.nodes[node]))
  }

  private func tellObserversOfRun() {
    guard !session.observers.isEmpty, let table else { return }
    let record = SubgraphRecord(
      subgraph: index,
      inputs: subgraph.inputs.compactMap { tensor in
        guard table.sources[tensor] != .constant, let type = table.types[tensor],
          let bytes = table.bytes[tensor]
        else { return nil }
        return (tensor, type, bytes)
      })
    for observer in session.observers { observer.willRun(record) }
  }

  private func tellObservers(
    of step: PlanStep, kernel: (any Kernel)?, start: ContinuousClock.Instant, duration: Duration
  ) {
    guard let table else { return }
    let node = subgraph.nodes[step.node]
    if case .joined = step { return }
    var members = [step.node]
    if case .ready(let ready) = step { members = ready.members }
    let record = NodeRecord(
      subgraph: index, node: step.node, members: members,
      operatorName: members.map { subgraph.nodes[$0].identity.name }.joined(separator: " + "),
      kernelName: kernel.map(name(of:)), start: start, duration: duration,
      outputs: node.outputs.compactMap { tensor in
        guard let type = table.types[tensor], let bytes = table.bytes[tensor] else { return nil }
        return (tensor, type, bytes)
      })
    for observer in session.observers { observer.didEvaluate(record) }
  }
}
