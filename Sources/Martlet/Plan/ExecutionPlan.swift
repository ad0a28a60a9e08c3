// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import ResourceLimits
import Tensors

/// A subgraph made ready to run for certain input shapes: kernels, and memory for every tensor.
///
/// Nodes are prepared in order (`GraphPreparer`), get optimized kernels (`KernelSubstitution`), are
/// fused (`NodeFusion`) and get memory (`MemoryPlan`).
package final class ExecutionPlan {
  /// What is done about each node, by its index.
  package let steps: [NodePlan<Step>]
  /// What a run has to do, in order.
  private(set) var schedule: [ScheduledStep] = []
  /// Of steps that a team shares, by index: what it does.
  private(set) var teamSteps: [TeamStep?] = []
  /// Of nodes that wait for the run, by index: what running them again comes to.
  let slots: [SessionSlot?]
  /// How the arena is used.
  package let memory: MemoryPlan
  /// What the plan took.
  let budget: PlanBudget
  /// The bytes that the plan took.
  package var heldByteCount: Int { budget.takenByteCount }
  /// What a run of the plan costs, in the units of `Limits.workCount`; deferred nodes are counted
  /// when they are reached.
  let workCount: Int
  /// Whether the nodes keep nothing from one run to the next, as far as that is known before a run.
  let isPure: Bool
  private let arena: Storage
  /// Whether nodes may have to be computed whose outputs share their inputs' memory.
  private let sharesPredicted: Bool

  /// What decides the form of a plan.
  struct Settings {
    let kernels: KernelSet
    let rounding: Rounding
    let keepsAllTensors: Bool
    let customOperators: CustomOperators
    let limits: Limits
    let workerCount: Int
  }

  /// The nodes of a graph before any were fused.
  private struct Preparation {
    let nodes: [NodePlan<PreparedNode>]
    let replacements: [Int: RowReplacement]
    /// What the nodes leave for the arena.
    var budget: PlanBudget
  }

  /// Whether nodes are fused where the kernels allow it.
  let fusesNodes: Bool
  private let prepared: Preparation

  /// Plans the preparer's subgraph; its nodes are computed one by one unless `fusesNodes`.
  ///
  /// `table` gets types and memory of the tensors. Of nodes that wait for the run, the predicted
  /// outputs are planned with.
  ///
  /// - Throws: `InferenceError` that names the node that cannot be prepared.
  convenience init(
    _ preparer: NodePreparer, _ table: inout TensorTable, budget: PlanBudget, fusesNodes: Bool,
    predictions: Predictions?
  ) throws(InferenceError) {
    var graph = GraphPreparer(
      preparer, table: table, budget: budget, predictions: predictions)
    defer {
      table.predicted = graph.table.predicted
      graph.passingMemory.release()
    }
    let nodes = try graph.nodes()
    table = graph.table
    let substitution = KernelSubstitution(
      kernels: preparer.settings.kernels, weights: preparer.model.weights,
      workerCount: preparer.settings.workerCount, file: preparer.model.storage)
    var budget = graph.budget
    let substituted = substitution.applied(to: nodes, budget: &budget)
    try self.init(
      Preparation(nodes: substituted, replacements: graph.replacements, budget: budget), preparer,
      &table, fusesNodes: fusesNodes, isPure: graph.isPure)
  }

  /// The plan with the same kernels that does, or does not, fuse nodes; the tensors of `table` get
  /// other memory, of what `session` has left.
  ///
  /// - Throws: `InferenceError` where that takes too much memory.
  func replanned(
    _ preparer: NodePreparer, _ table: inout TensorTable, session: SessionBudget, fusesNodes: Bool
  ) throws(InferenceError) -> ExecutionPlan {
    var prepared = prepared
    prepared.budget = prepared.budget.renewed(session)
    return try ExecutionPlan(
      prepared, preparer, &table, fusesNodes: fusesNodes, isPure: isPure)
  }

  private init(
    _ prepared: Preparation, _ preparer: NodePreparer, _ table: inout TensorTable,
    fusesNodes: Bool, isPure: Bool
  ) throws(InferenceError) {
    self.prepared = prepared
    (self.fusesNodes, self.isPure) = (fusesNodes, isPure)
    let (settings, subgraph) = (preparer.settings, preparer.subgraph)
    var (nodes, budget) = (prepared.nodes, prepared.budget)
    if fusesNodes {
      nodes = NodeFusion.fused(
        nodes, of: subgraph, table, settings.kernels, preparer.model.weights,
        workerCount: settings.workerCount)
      nodes = prepared.replacements.fusing(nodes, of: subgraph, table, settings.kernels)
    }
    let memory = try MemoryPlan(
      subgraph, nodes, table, keepsAll: settings.keepsAllTensors, budget: &budget)
    let arena = Storage(zeroed: memory.arenaByteCount)
    arena.populate(0..<arena.byteCount)
    for (tensor, place) in memory.placedTensors {
      let byteCount = table.types[tensor]?.byteCount ?? 0
      table.bytes[tensor] = TensorBytes(arena, offset: place.offset, byteCount: byteCount)
    }
    var steps: [NodePlan<Step>] = []
    steps.reserveCapacity(nodes.count)
    var workCount = 0
    for (index, plan) in nodes.enumerated() {
      var work = 0
      if case .computed(let node) = plan {
        let works = node.members.map {
          table.work(of: subgraph.nodes[$0], isOptimized: node.isOptimized)
        }
        work = Checked.sum(works) ?? .max
        workCount = Checked.sum(workCount, work) ?? .max
      }
      steps.append(
        try Self.step(index, plan, table, memory, arena, work: work, preparer.progress))
    }
    self.steps = steps
    slots = steps.map { step in
      if case .deferred = step { SessionSlot() } else { nil }
    }
    self.workCount = workCount
    (self.memory, self.budget, self.arena) = (memory, budget, arena)
    sharesPredicted = !table.predicted.isEmpty
    share(among: settings.workerCount, preparer.progress)
  }

  /// Has `workerCount` workers share the steps.
  func share(among workerCount: Int, _ progress: RunProgress) {
    teamSteps = steps.map { step in
      guard case .computed(let step) = step else { return nil }
      return TeamStep(step, workerCount: workerCount, progress)
    }
    schedule = ScheduledStep.schedule(
      of: steps, teamSteps, slots, sharesPredicted: sharesPredicted)
  }

  /// Gives the arena the zeros that it had before the first run.
  func clearArena() {
    guard let bytes = TensorBytes(arena, offset: 0, byteCount: arena.byteCount) else { return }
    var span = bytes.mutableSpan(as: UInt8.self)
    span.update(repeating: 0)
  }

  private static func step(
    _ index: Int, _ plan: NodePlan<PreparedNode>, _ table: TensorTable, _ memory: MemoryPlan,
    _ arena: Storage, work: Int, _ progress: RunProgress
  ) throws(InferenceError) -> NodePlan<Step> {
    let node: PreparedNode
    switch plan {
    case .deferred: return .deferred
    case .folded: return .folded
    case .shared: return .shared
    case .fused(let other): return .fused(into: other)
    case .computed where memory.shares(index): return .shared
    case .computed(let computation): node = computation
    }
    var outputs: [TensorBytes] = []
    for tensor in node.outputs {
      guard tensor >= 0, let bytes = table.bytes[tensor] else {
        throw InferenceError(.invalidGraph("output tensor has no memory"))
      }
      outputs.append(bytes)
    }
    let scratch = zip(node.kernel.scratch, memory.scratchOffsets(of: index)).compactMap {
      TensorBytes(arena, offset: $1, byteCount: $0)
    }
    let frame = TensorFrame(
      inputs: node.inputs.map { $0 < 0 ? nil : table.bytes[$0] }, outputs: outputs,
      scratch: scratch, progress: progress)
    return .computed(Step(node, work: work, frame: frame))
  }
}
