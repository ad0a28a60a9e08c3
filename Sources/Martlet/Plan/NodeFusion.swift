// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// Joins nodes whose results only one other node reads, where the kernel set computes both as one.
///
/// A pair is computed in the place of its second node: nothing but that node waits for the first.
/// What lies between them is never written and needs no memory.
struct NodeFusion {
  private let table: TensorTable
  private let kernels: KernelSet
  private let weights: WeightCache
  private var nodes: [ResolvedNode]
  /// The node that computes each tensor.
  private var producers: [Int?]
  /// How many inputs of nodes, and outputs of the graph, each tensor is.
  private var uses: [Int]

  private init(
    _ nodes: [ResolvedNode], of subgraph: ModelFile.Subgraph, _ table: TensorTable,
    _ kernels: KernelSet, _ weights: WeightCache
  ) {
    self.table = table
    self.kernels = kernels
    self.weights = weights
    self.nodes = nodes
    producers = Array(repeating: nil, count: subgraph.tensors.count)
    uses = Array(repeating: 0, count: subgraph.tensors.count)
    for node in subgraph.nodes {
      for tensor in node.inputs where tensor >= 0 { uses[tensor] += 1 }
    }
    for tensor in subgraph.outputs { uses[tensor] += 1 }
    for node in nodes {
      guard case .prepared(let prepared) = node.state else { continue }
      for tensor in prepared.outputs { producers[tensor] = node.index }
    }
  }

  /// `nodes` with pairs joined as long as there are any.
  static func joined(
    _ nodes: [ResolvedNode], of subgraph: ModelFile.Subgraph, _ table: TensorTable,
    _ kernels: KernelSet, _ weights: WeightCache
  ) -> [ResolvedNode] {
    guard kernels.fusesNodes else { return nodes }
    var fusion = NodeFusion(nodes, of: subgraph, table, kernels, weights)
    for index in nodes.indices {
      while fusion.join(index) {}
    }
    return fusion.nodes
  }

  /// Joins the node with one that computes an input of it; false where there is none to join.
  private mutating func join(_ index: Int) -> Bool {
    guard case .prepared(let second) = nodes[index].state else { return false }
    // The latest first: what it reads has to stay in memory for the shortest time.
    let candidates = second.inputs.compactMap { $0 < 0 ? nil : producers[$0] }.sorted(by: >)
    for (position, candidate) in candidates.enumerated() {
      guard position == 0 || candidates[position - 1] != candidate,
        case .prepared(let first) = nodes[candidate].state, isPrivate(first, to: second),
        let joined = join(first, second)
      else { continue }
      for member in first.members { nodes[member].state = .joined(index) }
      nodes[index].state = .prepared(joined)
      return true
    }
    return false
  }

  /// Whether nothing but `second` reads what `first` computes, and `first` may be computed later.
  private func isPrivate(_ first: PreparedNode, to second: PreparedNode) -> Bool {
    guard first.outputs.count == 1, let output = first.outputs.first else { return false }
    return second.inputs.count { $0 == output } == uses[output]
      && !(first.inputs + second.inputs).contains { $0 >= 0 && table.sources[$0] == .variable }
  }

  private mutating func join(_ first: PreparedNode, _ second: PreparedNode) -> PreparedNode? {
    let sources = second.inputs.map { tensor -> FusionPair.Source in
      if tensor == first.outputs[0] { return .result }
      guard tensor >= 0 else { return .other }
      return first.inputs.firstIndex(of: tensor).map { .input($0) } ?? .other
    }
    guard
      let fusion = kernels.fusion(
        of: FusionPair(part(first), part(second), sources: sources), weights: weights)
    else { return nil }
    let inputs = fusion.inputs.map { input in
      switch input {
      case .first(let position): first.inputs[position]
      case .second(let position): second.inputs[position]
      }
    }
    // What both read is read once now.
    for tensor in Set(first.inputs + second.inputs) where tensor >= 0 {
      let before = (first.inputs + second.inputs).count { $0 == tensor }
      uses[tensor] -= before - inputs.count { $0 == tensor }
    }
    return PreparedNode(first, second, by: fusion.optimizedKernel, inputs: inputs)
  }

  private func part(_ node: PreparedNode) -> FusionPart {
    FusionPart(
      node.optimizedKernel, inputCount: node.inputs.count, reference: node.reference, node.context)
  }
}
