// SPDX-License-Identifier: Apache-2.0

import ModelFormat

/// A part of a model's graph that can be a model of its own: nodes of one subgraph, what goes in
/// and what comes out.
public struct ModelPart: Sendable, Hashable {
  /// The index of the subgraph.
  public let subgraph: Int
  /// The indices of the nodes that were asked for, in the order of execution.
  public let chosenNodes: [Int]
  /// These nodes and those that make what they read and no caller gives: handles of variables and
  /// tables, and values that follow from constants.
  public let nodes: [Int]
  /// The tensors that the caller of the new model provides.
  public let inputs: [Int]
  /// The tensors that the caller receives.
  public let outputs: [Int]

  /// The nodes `chosen`.
  ///
  /// Inputs are the tensors that the nodes read and do not write, in the order of their first use,
  /// without constants, what follows from these, and variables. Outputs are the tensors that they
  /// write for others: for further nodes, for the caller, or for nobody at all.
  init(nodes chosen: Set<Int>, of index: Int, _ use: GraphUse) {
    subgraph = index
    chosenNodes = chosen.sorted()
    let kept = use.withSources(chosen)
    nodes = kept.sorted()
    var (inputs, outputs): ([Int], [Int]) = ([], [])
    var (known, written): (Set<Int>, Set<Int>) = ([], [])
    for index in nodes {
      let node = use.subgraph.nodes[index]
      for tensor in node.inputs where tensor >= 0 && known.insert(tensor).inserted {
        if use.needsValues(tensor), !use.isHandle(tensor) { inputs.append(tensor) }
      }
      for tensor in node.outputs where written.insert(tensor).inserted {
        known.insert(tensor)
        guard chosen.contains(index), !use.isHandle(tensor) else { continue }
        let readers = use.readers[tensor]
        let isUsedUp = !readers.isEmpty && readers.allSatisfy(kept.contains)
        if !isUsedUp || use.isOutput(tensor) { outputs.append(tensor) }
      }
    }
    self.inputs = inputs
    self.outputs = outputs
  }

  /// All of a subgraph.
  init(whole index: Int, of subgraph: ModelFile.Subgraph) {
    self.subgraph = index
    nodes = Array(subgraph.nodes.indices)
    chosenNodes = nodes
    inputs = subgraph.inputs
    outputs = subgraph.outputs
  }

  /// The nodes that compute `outputs` from `inputs`.
  ///
  /// Where the part uses variables or tables, the nodes without outputs come along that fill them
  /// from what is there.
  init(
    from inputs: [Int], to outputs: [Int], of index: Int, _ use: GraphUse
  ) throws(ExtractionError) {
    try Self.check(inputs, outputs, use)
    let given = Set(inputs)
    var needed = Set(outputs).subtracting(given)
    var kept: Set<Int> = []
    for (position, node) in use.subgraph.nodes.enumerated().reversed()
    where node.outputs.contains(where: needed.contains) {
      kept.insert(position)
      needed.subtract(node.outputs)
      needed.formUnion(node.inputs.filter { $0 >= 0 && !given.contains($0) })
    }
    if let tensor = needed.filter(use.needsValues).min() {
      throw .missingInput(tensor, name: use.subgraph.tensors[tensor].name)
    }
    guard !kept.isEmpty else { throw .noNodes }
    kept = use.withSources(use.withEffects(kept, given: given))
    subgraph = index
    nodes = kept.sorted()
    chosenNodes = nodes
    self.inputs = inputs
    self.outputs = outputs
  }

  private static func check(
    _ inputs: [Int], _ outputs: [Int], _ use: GraphUse
  ) throws(ExtractionError) {
    let tensors = use.subgraph.tensors
    for tensor in inputs where !use.isInput(tensor) {
      if use.isFixed(tensor) || use.isHandle(tensor) {
        throw .fixedInput(tensor, name: tensors[tensor].name)
      }
    }
    for tensor in outputs where !use.isOutput(tensor) && use.writers[tensor].isEmpty {
      throw .constantOutput(tensor, name: tensors[tensor].name)
    }
  }
}

extension GraphUse {
  /// The nodes together with those that fill the variables and tables which they use.
  fileprivate func withEffects(_ nodes: Set<Int>, given: Set<Int>) -> Set<Int> {
    func reads(_ node: Int, where isWanted: (Int) -> Bool) -> Bool {
      subgraph.nodes[node].inputs.contains { $0 >= 0 && isWanted($0) }
    }
    guard nodes.contains(where: { reads($0, where: isHandle) }) else { return nodes }
    var all = nodes
    var known = given
    for (index, node) in subgraph.nodes.enumerated() {
      if !all.contains(index), node.outputs.isEmpty,
        !reads(index, where: { needsValues($0) && !isHandle($0) && !known.contains($0) })
      {
        all.insert(index)
      }
      if all.contains(index) { known.formUnion(node.outputs) }
    }
    return all
  }
}

extension ModelPart {
  /// Subgraph and nodes in words: `subgraph 0, nodes 3, 7-9`.
  package var title: String {
    "subgraph \(subgraph), node\(chosenNodes.count == 1 ? "" : "s") \(Self.ranges(chosenNodes))"
  }

  /// Rising numbers, those that follow each other as ranges.
  private static func ranges(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }.joined(separator: ", ")
  }
}
