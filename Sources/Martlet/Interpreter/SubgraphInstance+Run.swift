// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors

extension SubgraphInstance {
  /// Runs the plan on the current inputs.
  func run() throws(InferenceError) {
    try prepare()
    try adaptToSurprises()
    try adaptToObservers()
    if let plan { try run(by: plan) }
  }

  /// Runs the plan, which must be that of the inputs and of what the latest run found.
  func run(by plan: ExecutionPlan) throws(InferenceError) {
    let session = session
    hasRun = false
    forgetRun()
    do throws(InferenceError) {
      try session.budget.work(plan.workCount)
    } catch {
      throw error.within(.subgraph(index))
    }
    if !session.observers.isEmpty { tellObserversOfRun() }
    isRunning = true
    defer { isRunning = false }
    var current: Int?
    do throws(InferenceError) {
      if session.observers.isEmpty {
        try runSchedule(of: plan, session, &current)
      } else {
        for (node, step) in plan.steps.enumerated() {
          current = nil
          try session.checkProgress()
          current = node
          try evaluateObserved(step, node)
        }
      }
      current = nil
      // Kernels of one block do not look at the time.
      try session.checkProgress()
    } catch {
      guard let node = current else { throw error }
      let name = subgraph.nodes[node].identity.name
      throw error.within(.operator(node, name: name)).within(.subgraph(index))
    }
    hasRun = true
  }

  /// Runs what the plan has to do; `current` is the node that is being computed, nil between nodes.
  private func runSchedule(
    of plan: ExecutionPlan, _ session: Session, _ current: inout Int?
  ) throws(InferenceError) {
    let (progress, duration) = (session.progress, session.limits.duration)
    var isSurprised = !surprises.isEmpty
    // Of operators of sessions that are run again.
    var repeatedWork = 0
    for entry in plan.schedule {
      if entry.isShared, !isSurprised { continue }
      current = nil
      try progress.check(duration)
      let node = entry.node
      current = node
      if let step = unsafe entry.step, !isSurprised {
        switch unsafe evaluate(step, entry.teamStep, isTimed: duration != nil) {
        case .done: continue
        case .failed(let error) where error.kind != .unforeseen:
          try progress.check(duration)
          throw failure(error, node)
        case .failed, .leftOut: break
        }
      } else if !isSurprised, let slot = unsafe entry.slot,
        let work = unsafe slot._withUnsafeGuaranteedRef({ $0.perform() })
      {
        repeatedWork += work
        continue
      }
      try session.budget.work(repeatedWork)
      repeatedWork = 0
      _ = try evaluate(plan.steps[node], node)
      isSurprised = !surprises.isEmpty
    }
    current = nil
    try session.budget.work(repeatedWork)
  }

  /// Computes a step, by the team where it shares it.
  @inline(__always)
  private func evaluate(
    _ step: Unmanaged<Step>, _ teamStep: Unmanaged<TeamStep>?, isTimed: Bool
  ) -> Step.Outcome {
    guard let teamStep = unsafe teamStep else {
      return unsafe step._withUnsafeGuaranteedRef { $0.evaluateAlone(isTimed: isTimed) }
    }
    return unsafe teamStep._withUnsafeGuaranteedRef { $0.evaluate(by: team) }
  }

  private func evaluateObserved(
    _ step: NodePlan<Step>, _ node: Int
  ) throws(InferenceError) {
    let clock = ContinuousClock()
    let start = clock.now
    let kernel = try evaluate(step, node)
    tellObservers(of: step, node, kernel: kernel, start: start, duration: clock.now - start)
  }

  func evaluate(_ step: NodePlan<Step>, _ node: Int) throws(InferenceError) -> (any Kernel)? {
    switch step {
    case .folded, .fused:
      return nil
    case .shared:
      return isSurprised([node]) ? try evaluateDeferred(node) : nil
    case .computed(let step):
      if isSurprised(step.members) { return try evaluateDeferred(step.members) }
      if step.blockKernel == nil { try session.checkTime(for: step.work) }
      do throws(KernelError) {
        if let teamStep = plan?.teamSteps[node] {
          if case .failed(let error) = teamStep.evaluate(by: team) { throw error }
        } else {
          try step.kernel.evaluate(step.frame)
        }
      } catch {
        if error.kind == .unforeseen { return try evaluateDeferred(step.members) }
        try session.checkProgress()
        throw failure(error, node)
      }
      return step.kernel
    case .deferred:
      return try evaluateDeferred(node)
    }
  }

  /// Evaluates nodes that are planned as one each by itself, with what the run has computed.
  private func evaluateDeferred(_ members: [Int]) throws(InferenceError) -> (any Kernel)? {
    var kernel: (any Kernel)?
    for member in members { kernel = try evaluateDeferred(member) }
    return kernel
  }

  /// Whether one of these nodes reads what has another type in this run than planned.
  private func isSurprised(_ nodes: [Int]) -> Bool {
    !surprises.isEmpty
      && nodes.contains { subgraph.nodes[$0].inputs.contains(where: surprises.contains) }
  }

  func failure(_ error: KernelError, _ node: Int) -> InferenceError {
    preparer.failure(error, subgraph.nodes[node])
  }

  private func tellObserversOfRun() {
    let record = SubgraphRecord(
      subgraph: index,
      inputs: subgraph.inputs.enumerated().compactMap { position, tensor in
        let isFixed = fixedInputs.indices.contains(position) && fixedInputs[position] != nil
        guard isFixed || table.sources[tensor] != .constant, let type = table.types[tensor],
          let bytes = table.bytes[tensor]
        else { return nil }
        return (tensor, type, bytes)
      })
    for observer in session.observers { observer.willRun(record) }
  }

  private func tellObservers(
    of step: NodePlan<Step>, _ index: Int, kernel: (any Kernel)?, start: ContinuousClock.Instant,
    duration: Duration
  ) {
    let node = subgraph.nodes[index]
    if case .fused = step { return }
    var members = [index]
    if case .computed(let step) = step { members = step.members }
    let names = names(of: members, kernel, at: index)
    let record = NodeRecord(
      subgraph: self.index, node: index, members: members, operatorName: names.operators,
      kernelName: names.kernel, start: start, duration: duration,
      outputs: node.outputs.compactMap { tensor in
        guard let type = table.types[tensor], let bytes = table.bytes[tensor] else { return nil }
        return (tensor, type, bytes)
      })
    for observer in session.observers { observer.didEvaluate(record) }
  }

  /// The names of the operators of `members` and of the kernel that computes them as `node`.
  private func names(of members: [Int], _ kernel: (any Kernel)?, at node: Int) -> ObservedNames {
    if let known = observedNames[node], known.kernelObject === kernel { return known }
    let names = ObservedNames(
      operators: members.map { subgraph.nodes[$0].identity.name }.joined(separator: " + "),
      kernel: kernel.map(name(of:)), kernelObject: kernel)
    observedNames[node] = names
    return names
  }
}

/// What observers are told of a node that does not change as long as its kernel stays: to spell out
/// the names takes longer than to compute a small node.
struct ObservedNames {
  let operators: String
  let kernel: String?
  fileprivate let kernelObject: (any Kernel)?
}
