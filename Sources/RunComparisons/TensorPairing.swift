// SPDX-License-Identifier: Apache-2.0

internal import Martlet
internal import ModelFormat
internal import Traces

/// Which tensors of two models stand for the same thing.
///
/// Subgraphs belong together by index, those that run by that. In a pair of them, inputs are
/// paired by position, then tensors by name where the name is unique and the declared shapes
/// agree. What is left follows from position: between two nodes that are paired, nodes of the same
/// operator with outputs of the same shapes, in order.
struct TensorPairing {
  /// The tensor of the reference's model, by subgraph and tensor of the other model.
  private var pairs: [Int: [Int: Int]] = [:]
  /// The subgraph of the reference's model, by that of the other.
  private var subgraphs: [Int: Int] = [:]

  /// The pairing of the tensors of `model` with those of `reference`, when these subgraphs run.
  init(_ model: Model, root: Int, reference: Model, referenceRoot: Int) {
    for (index, subgraph) in model.file.subgraphs.enumerated() {
      let other = index == root ? referenceRoot : index
      guard reference.file.subgraphs.indices.contains(other),
        index == root || other != referenceRoot
      else { continue }
      subgraphs[index] = other
      pairs[index] =
        model === reference && index == other
        ? Dictionary(uniqueKeysWithValues: subgraph.tensors.indices.map { ($0, $0) })
        : SubgraphPairing(subgraph, reference.file.subgraphs[other]).pairs
    }
  }

  /// The location in the reference's run that `location` stands for; nil where it has no pair.
  func reference(of location: TensorLocation) -> TensorLocation? {
    guard let subgraph = subgraphs[location.subgraph],
      let tensor = pairs[location.subgraph]?[location.tensor]
    else { return nil }
    return TensorLocation(subgraph: subgraph, invocation: location.invocation, tensor: tensor)
  }
}

/// The pairing of two subgraphs.
private struct SubgraphPairing {
  private let subgraph: ModelFile.Subgraph
  private let reference: ModelFile.Subgraph
  /// The reference's tensor by the other's.
  private(set) var pairs: [Int: Int] = [:]
  private var taken: Set<Int> = []

  init(_ subgraph: ModelFile.Subgraph, _ reference: ModelFile.Subgraph) {
    self.subgraph = subgraph
    self.reference = reference
    if subgraph.inputs.count == reference.inputs.count {
      for (tensor, other) in zip(subgraph.inputs, reference.inputs) { pair(tensor, other) }
    }
    pairByName()
    pairByPosition()
  }

  private mutating func pair(_ tensor: Int, _ other: Int) {
    guard tensor >= 0, other >= 0, pairs[tensor] == nil, taken.insert(other).inserted else {
      return
    }
    pairs[tensor] = other
  }

  private mutating func pairByName() {
    let (names, others) = (Self.uniqueNames(subgraph), Self.uniqueNames(reference))
    for (name, tensor) in names.sorted(by: { $0.value < $1.value }) {
      guard let other = others[name], haveOneShape(tensor, other) else { continue }
      pair(tensor, other)
    }
  }

  /// The tensors that a run gives values, by their names where these are unique.
  private static func uniqueNames(_ subgraph: ModelFile.Subgraph) -> [String: Int] {
    var names: [String: Int?] = [:]
    for tensor in Set(subgraph.inputs + subgraph.nodes.flatMap(\.outputs)) where tensor >= 0 {
      let name = subgraph.tensors[tensor].name
      names.updateValue(names.keys.contains(name) ? nil : tensor, forKey: name)
    }
    names[""] = nil
    return names.compactMapValues(\.self)
  }

  private func haveOneShape(_ tensor: Int, _ other: Int) -> Bool {
    subgraph.tensors[tensor].type.shape == reference.tensors[other].type.shape
  }

  private mutating func pairByPosition() {
    var producers: [Int: Int] = [:]
    for (index, node) in reference.nodes.enumerated() {
      for tensor in node.outputs { producers[tensor] = index }
    }
    /// For each node, where in the reference its first output comes from, if that is known.
    let anchors = subgraph.nodes.map { node in
      node.outputs.first.flatMap { pairs[$0] }.flatMap { producers[$0] }
    }
    var next = 0
    for (index, node) in subgraph.nodes.enumerated() {
      if let anchor = anchors[index] {
        next = max(next, anchor + 1)
        continue
      }
      let end = anchors[index...].lazy.compactMap { $0 }.first ?? reference.nodes.count
      guard next < end,
        let match = (next..<end).first(where: { areAlike(node, reference.nodes[$0]) })
      else { continue }
      for (tensor, other) in zip(node.outputs, reference.nodes[match].outputs) {
        pair(tensor, other)
      }
      next = match + 1
    }
  }

  private func areAlike(_ node: ModelFile.Node, _ other: ModelFile.Node) -> Bool {
    node.identity.name == other.identity.name && node.outputs.count == other.outputs.count
      && zip(node.outputs, other.outputs).allSatisfy { tensor, other in
        tensor >= 0 && other >= 0 && !taken.contains(other) && haveOneShape(tensor, other)
      }
  }
}
