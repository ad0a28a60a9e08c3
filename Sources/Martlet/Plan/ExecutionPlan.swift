// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
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
    let memoryLimit: Int
  }

  /// Plans `subgraph`.
  ///
  /// - Throws: `InferenceError` that names the node that cannot be prepared.
  init(
    _ subgraph: ModelFile.Subgraph, of model: Model, table: TensorTable, settings: Settings
  ) throws(InferenceError) {
    var resolver = NodeResolver(subgraph, of: model, table: table, settings: settings)
    try resolver.resolveAll()
    let memory = try MemoryPlan(subgraph, resolver.nodes, resolver.table, settings: settings)
    self.memory = memory
    var table = resolver.table
    let arena = Storage(zeroed: memory.arenaByteCount)
    for (tensor, offset) in memory.offsets {
      let byteCount = table.types[tensor]?.byteCount ?? 0
      table.bytes[tensor] = TensorBytes(arena, offset: offset, byteCount: byteCount)
    }
    var steps: [PlanStep] = []
    steps.reserveCapacity(resolver.nodes.count)
    for node in resolver.nodes {
      steps.append(try Self.step(node, subgraph, table, memory, arena))
    }
    self.steps = steps
    self.table = table
  }

  private static func step(
    _ node: ResolvedNode, _ subgraph: ModelFile.Subgraph, _ table: TensorTable,
    _ memory: MemoryPlan, _ arena: Storage
  ) throws(InferenceError) -> PlanStep {
    let prepared: Prepared
    switch node.state {
    case .deferred: return .deferred(node: node.index)
    case .folded: return .folded(node: node.index)
    case .prepared where memory.sharedNodes.contains(node.index):
      return .shared(node: node.index)
    case .prepared(let preparation): prepared = preparation
    }
    let source = subgraph.nodes[node.index]
    var outputs: [TensorBytes] = []
    for tensor in source.outputs {
      guard tensor >= 0, let bytes = table.bytes[tensor] else {
        throw InferenceError(.invalidGraph("output tensor has no place"))
      }
      outputs.append(bytes)
    }
    let scratch = zip(prepared.scratch, memory.scratchOffsets[node.index] ?? []).compactMap {
      TensorBytes(arena, offset: $1, byteCount: $0)
    }
    let frame = TensorFrame(
      inputs: source.inputs.map { $0 < 0 ? nil : table.bytes[$0] }, outputs: outputs,
      scratch: scratch)
    return .ready(
      ReadyStep(
        node: node.index, kernel: prepared.kernel, isStandIn: node.isStandIn, frame: frame))
  }
}
