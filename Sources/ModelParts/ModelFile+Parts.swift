// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
import Tensors

extension ModelFile {
  /// The part that consists of these nodes of a subgraph.
  package func part(
    nodes: [Int], ofSubgraph index: Int
  ) throws(ExtractionError) -> ModelPart {
    let graph = try subgraph(index)
    guard !nodes.isEmpty else { throw .noNodes }
    for node in nodes where !graph.nodes.indices.contains(node) {
      throw .noSuchNode(node, subgraph: index, count: graph.nodes.count)
    }
    return ModelPart(nodes: Set(nodes), of: index, GraphUse(graph, of: self))
  }

  /// The part that computes `outputs` from `inputs`; nil stands for those of the subgraph.
  package func part(
    from inputs: [Int]?, to outputs: [Int]?, ofSubgraph index: Int
  ) throws(ExtractionError) -> ModelPart {
    let graph = try subgraph(index)
    for tensor in (inputs ?? []) + (outputs ?? []) where !graph.tensors.indices.contains(tensor) {
      throw .noSuchTensor("\(tensor)", subgraph: index, count: graph.tensors.count)
    }
    guard inputs != nil || outputs != nil else { return ModelPart(whole: index, of: graph) }
    return try ModelPart(
      from: inputs ?? graph.inputs, to: outputs ?? graph.outputs, of: index,
      GraphUse(graph, of: self))
  }

  /// Every node of a subgraph as a part of its own; if `distinct`, only the first of those that
  /// are the same operator with the same options on operands of the same kinds.
  package func singleNodes(
    ofSubgraph index: Int, distinct: Bool
  ) throws(ExtractionError) -> [ModelPart] {
    let graph = try subgraph(index)
    let use = GraphUse(graph, of: self)
    var kinds: Set<NodeKind> = []
    var parts: [ModelPart] = []
    var nodesLeft = Self.partNodeLimit
    for (node, entry) in graph.nodes.enumerated()
    where !distinct || kinds.insert(NodeKind(entry, use)).inserted {
      let part = ModelPart(nodes: [node], of: index, use)
      nodesLeft -= part.nodes.count
      guard nodesLeft >= 0 else { throw .tooManyNodes(limit: Self.partNodeLimit) }
      parts.append(part)
    }
    return parts
  }

  /// The most nodes that all parts of a model may have together: what follows from constants comes
  /// along with each reader, which in a hostile model is nearly everything.
  private static let partNodeLimit = 1_000_000

  private func subgraph(_ index: Int) throws(ExtractionError) -> Subgraph {
    guard subgraphs.indices.contains(index) else {
      throw .noSuchSubgraph(index, count: subgraphs.count)
    }
    return subgraphs[index]
  }
}

/// What nodes have in common that differ in their values only.
private struct NodeKind: Hashable {
  private let identity: OperatorIdentity
  private let options: String
  private let customOptions: [UInt8]
  private let inputs: [OperandKind?]
  private let outputs: [OperandKind]

  init(_ node: ModelFile.Node, _ use: GraphUse) {
    identity = node.identity
    options = node.options.map { "\($0)" } ?? ""
    customOptions = node.customOptions
    inputs = node.inputs.map { $0 >= 0 ? OperandKind($0, use) : nil }
    outputs = node.outputs.map { OperandKind($0, use) }
  }
}

/// What a node knows of an operand before it has values.
private struct OperandKind: Hashable {
  private let elementType: ElementType
  private let shape: Shape
  private let signature: [Int]?
  private let scaleCount: Int
  private let axis: Int?
  private let isFixed: Bool
  private let isSparse: Bool

  init(_ index: Int, _ use: GraphUse) {
    let tensor = use.subgraph.tensors[index]
    elementType = tensor.type.elementType
    shape = tensor.type.shape
    signature = tensor.shapeSignature
    scaleCount = tensor.quantization?.slices.scaleCount ?? 0
    axis = tensor.quantization?.slices.axis
    isFixed = use.isFixed(index)
    isSparse = tensor.sparsity != nil
  }
}
