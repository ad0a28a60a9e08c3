// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors

/// Fuses nodes whose results only one other node reads, where the kernel set computes both as one.
///
/// A pair is computed instead of its second node: nothing but that node waits for the first.
/// What lies between them is never written and needs no memory. Kernels of fused nodes call each
/// other, so only so many nodes become one.
struct NodeFusion {
  private let table: TensorTable
  private let kernels: KernelSet
  private let weights: WeightCache
  private let workerCount: Int
  private var nodes: [NodePlan<PreparedNode>]
  /// The node that computes each tensor.
  private var producers: [Int?]
  /// How many inputs of nodes, and outputs of the graph, each tensor is.
  private var uses: [Int]

  /// The most nodes that become one.
  private static let mostMembers = 16
  /// The most inputs of nodes that are fused: each is looked at once for each of the others.
  private static let mostInputs = 64

  private init(
    _ nodes: [NodePlan<PreparedNode>], of subgraph: ModelFile.Subgraph, _ table: TensorTable,
    _ kernels: KernelSet, _ weights: WeightCache, workerCount: Int
  ) {
    self.table = table
    self.workerCount = workerCount
    self.kernels = kernels
    self.weights = weights
    self.nodes = nodes
    producers = Array(repeating: nil, count: subgraph.tensors.count)
    uses = subgraph.useCounts
    for (index, plan) in nodes.enumerated() {
      guard case .computed(let node) = plan else { continue }
      for tensor in node.outputs { producers[tensor] = index }
    }
  }

  /// `nodes` with pairs fused as long as there are any, to be computed by so many workers.
  static func fused(
    _ nodes: [NodePlan<PreparedNode>], of subgraph: ModelFile.Subgraph, _ table: TensorTable,
    _ kernels: KernelSet, _ weights: WeightCache, workerCount: Int
  ) -> [NodePlan<PreparedNode>] {
    guard kernels.fusesNodes else { return nodes }
    var fusion = NodeFusion(
      nodes, of: subgraph, table, kernels, weights, workerCount: workerCount)
    for index in nodes.indices {
      while fusion.fuse(index) {}
    }
    return fusion.nodes
  }

  /// Fuses the node with one that computes an input of it; false where there is none.
  private mutating func fuse(_ index: Int) -> Bool {
    guard case .computed(let second) = nodes[index] else { return false }
    guard second.inputs.count <= Self.mostInputs else { return false }
    // The latest first: what it reads has to stay in memory for the shortest time.
    var last = nodes.count
    while let candidate = producer(of: second, before: last) {
      last = candidate
      guard case .computed(let first) = nodes[candidate], isPrivate(first, to: second),
        first.members.count + second.members.count <= Self.mostMembers,
        let fused = fuse(first, second)
      else { continue }
      for member in first.members { nodes[member] = .fused(into: index) }
      nodes[index] = .computed(fused)
      return true
    }
    return false
  }

  /// The last node before `end` that computes an input of `node`.
  private func producer(of node: PreparedNode, before end: Int) -> Int? {
    var latest: Int?
    for tensor in node.inputs where tensor >= 0 {
      guard let producer = producers[tensor], producer < end else { continue }
      latest = max(latest ?? producer, producer)
    }
    return latest
  }

  /// Whether nothing but `second` reads what `first` computes, and `first` may be computed later.
  private func isPrivate(_ first: PreparedNode, to second: PreparedNode) -> Bool {
    guard first.outputs.count == 1, let output = first.outputs.first else { return false }
    return second.inputs.count { $0 == output } == uses[output]
      && !readsVariable(first) && !readsVariable(second)
  }

  private func readsVariable(_ node: PreparedNode) -> Bool {
    node.inputs.contains { $0 >= 0 && table.sources[$0] == .variable }
  }

  private mutating func fuse(_ first: PreparedNode, _ second: PreparedNode) -> PreparedNode? {
    let sources = second.inputs.map { tensor -> FusionPair.Source in
      if tensor == first.outputs[0] { return .result }
      guard tensor >= 0 else { return .other }
      return first.inputs.firstIndex(of: tensor).map { .input($0) } ?? .other
    }
    guard
      let fusion = kernels.fusion(
        of: FusionPair(first, second, sources: sources, workerCount: workerCount),
        weights: weights)
    else { return nil }
    let inputs = fusion.inputs.map { input in
      switch input {
      case .first(let position): first.inputs[position]
      case .second(let position): second.inputs[position]
      }
    }
    // What both read is read once now.
    for tensor in first.inputs where tensor >= 0 { uses[tensor] -= 1 }
    for tensor in second.inputs where tensor >= 0 { uses[tensor] -= 1 }
    for tensor in inputs where tensor >= 0 { uses[tensor] += 1 }
    return PreparedNode(first, second, by: fusion.kernel, inputs: inputs)
  }
}
