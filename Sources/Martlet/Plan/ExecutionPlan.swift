// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import ResourceLimits
import Tensors

/// A subgraph made ready to run for certain input shapes: kernels, and a place for every tensor.
package struct ExecutionPlan {
  /// The nodes in order.
  package let steps: [PlanStep]
  /// Types and places as far as planning knows them.
  package let table: TensorTable
  /// How the arena is used.
  package let memory: MemoryPlan

  /// What decides the form of a plan.
  struct Settings {
    let kernels: KernelSet
    let rounding: Rounding
    let keepsAllTensors: Bool
    let customOperators: CustomOperators
    let limits: Limits
    let workerCount: Int
  }

  /// Whether nodes are computed together where the kernels allow it.
  let joinsNodes: Bool
  /// What was found about the nodes and their tensors before any were joined.
  private let resolved: (nodes: [ResolvedNode], table: TensorTable)

  /// Plans `subgraph`; its nodes are computed one by one unless `joinsNodes`.
  ///
  /// - Throws: `InferenceError` that names the node that cannot be prepared.
  init(
    _ subgraph: ModelFile.Subgraph, of model: Model, table: TensorTable, settings: Settings,
    joinsNodes: Bool
  ) throws(InferenceError) {
    var resolver = NodeResolver(subgraph, of: model, table: table, settings: settings)
    try resolver.resolveAll()
    KernelSubstitution(
      kernels: settings.kernels, weights: model.weights, workerCount: settings.workerCount
    ).replaceKernels(of: &resolver.nodes)
    try self.init(
      subgraph, of: model, (resolver.nodes, resolver.table), settings, joinsNodes: joinsNodes)
  }

  /// The plan with the same kernels that does, or does not, compute nodes together.
  ///
  /// - Throws: `InferenceError` where that takes too much memory.
  func replanned(
    _ subgraph: ModelFile.Subgraph, of model: Model, settings: Settings, joinsNodes: Bool
  ) throws(InferenceError) -> ExecutionPlan {
    try ExecutionPlan(subgraph, of: model, resolved, settings, joinsNodes: joinsNodes)
  }

  private init(
    _ subgraph: ModelFile.Subgraph, of model: Model,
    _ resolved: (nodes: [ResolvedNode], table: TensorTable), _ settings: Settings,
    joinsNodes: Bool
  ) throws(InferenceError) {
    self.resolved = resolved
    self.joinsNodes = joinsNodes
    var (nodes, table) = resolved
    if joinsNodes {
      nodes = NodeFusion.joined(nodes, of: subgraph, table, settings.kernels, model.weights)
    }
    let memory = try MemoryPlan(subgraph, nodes, table, settings: settings)
    self.memory = memory
    let arena = Storage(zeroed: memory.arenaByteCount)
    for (tensor, offset) in memory.offsets {
      let byteCount = table.types[tensor]?.byteCount ?? 0
      table.bytes[tensor] = TensorBytes(arena, offset: offset, byteCount: byteCount)
    }
    var steps: [PlanStep] = []
    steps.reserveCapacity(nodes.count)
    for node in nodes { steps.append(try Self.step(node, table, memory, arena)) }
    self.steps = steps
    self.table = table
  }

  private static func step(
    _ node: ResolvedNode, _ table: TensorTable, _ memory: MemoryPlan, _ arena: Storage
  ) throws(InferenceError) -> PlanStep {
    let prepared: PreparedNode
    switch node.state {
    case .deferred: return .deferred(node: node.index)
    case .folded: return .folded(node: node.index)
    case .joined(let other): return .joined(node: node.index, to: other)
    case .prepared where memory.sharedNodes.contains(node.index):
      return .shared(node: node.index)
    case .prepared(let preparation): prepared = preparation
    }
    var outputs: [TensorBytes] = []
    for tensor in prepared.outputs {
      guard tensor >= 0, let bytes = table.bytes[tensor] else {
        throw InferenceError(.invalidGraph("output tensor has no place"))
      }
      outputs.append(bytes)
    }
    let places = memory.scratchOffsets[node.index] ?? []
    let scratch = zip(prepared.optimizedKernel.scratch, places).compactMap {
      TensorBytes(arena, offset: $1, byteCount: $0)
    }
    let frame = TensorFrame(
      inputs: prepared.inputs.map { $0 < 0 ? nil : table.bytes[$0] }, outputs: outputs,
      scratch: scratch)
    return .ready(
      ReadyStep(
        node: node.index, members: prepared.members, prepared.optimizedKernel,
        isOptimized: prepared.isOptimized, frame: frame))
  }
}
