// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// Who reads and writes the tensors of a subgraph.
struct GraphUse {
  let subgraph: ModelFile.Subgraph
  /// The nodes that read each tensor, in order.
  let readers: [[Int]]
  /// The nodes that write each tensor, in order.
  let writers: [[Int]]
  private let inputs: Set<Int>
  private let outputs: Set<Int>
  /// Whether the file holds each tensor's values.
  private let isStored: [Bool]
  /// Whether each tensor is computed from constants alone, such as float weights behind float16.
  private let isDerived: [Bool]

  init(_ subgraph: ModelFile.Subgraph, of file: ModelFile) {
    self.subgraph = subgraph
    var readers = [[Int]](repeating: [], count: subgraph.tensors.count)
    var writers = readers
    for (index, node) in subgraph.nodes.enumerated() {
      for tensor in node.inputs where tensor >= 0 { readers[tensor].append(index) }
      for tensor in node.outputs { writers[tensor].append(index) }
    }
    self.readers = readers
    self.writers = writers
    inputs = Set(subgraph.inputs)
    outputs = Set(subgraph.outputs)
    isStored = subgraph.tensors.map { $0.externalBuffer != 0 || file.values(of: $0) != nil }
    isDerived = Self.derived(subgraph, isStored)
  }

  private static func derived(_ subgraph: ModelFile.Subgraph, _ isStored: [Bool]) -> [Bool] {
    var isDerived = [Bool](repeating: false, count: isStored.count)
    for node in subgraph.nodes where !node.isRandom {
      let inputs = node.inputs.filter { $0 >= 0 }
      if !inputs.isEmpty, inputs.allSatisfy({ isStored[$0] || isDerived[$0] }) {
        for tensor in node.outputs { isDerived[tensor] = true }
      }
    }
    return isDerived
  }

  func isInput(_ tensor: Int) -> Bool { inputs.contains(tensor) }

  func isOutput(_ tensor: Int) -> Bool { outputs.contains(tensor) }

  /// Whether the model itself gives the tensor its values, before any node runs.
  func isFixed(_ tensor: Int) -> Bool {
    isStored[tensor] || (subgraph.tensors[tensor].isVariable && !isInput(tensor))
  }

  /// Whether the tensor has no values until the caller or a node gives it some.
  ///
  /// Nobody does so for tensors without elements, which need none.
  func needsValues(_ tensor: Int) -> Bool {
    !isFixed(tensor) && (isInput(tensor) || !writers[tensor].isEmpty)
  }

  /// Whether the tensor refers to a variable, a table or a list: no caller can give such a value.
  func isHandle(_ tensor: Int) -> Bool {
    let type = subgraph.tensors[tensor].type.elementType
    return type == .resource || type == .variant
  }

  /// The last node before another one that writes a tensor.
  private func writer(of tensor: Int, before node: Int) -> Int? {
    // A hostile model may have any number of writers.
    let nodes = writers[tensor]
    var (low, high) = (0, nodes.count)
    while low < high {
      let middle = (low + high) / 2
      if nodes[middle] < node { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? nodes[low - 1] : nil
  }

  /// The nodes together with those whose outputs no caller can or need give: handles, and what
  /// follows from constants.
  func withSources(_ nodes: Set<Int>) -> Set<Int> {
    var all = nodes
    var open = Array(nodes)
    while let node = open.popLast() {
      for tensor in subgraph.nodes[node].inputs where tensor >= 0 {
        guard isHandle(tensor) || isDerived[tensor], let maker = writer(of: tensor, before: node)
        else { continue }
        if all.insert(maker).inserted { open.append(maker) }
      }
    }
    return all
  }
}

extension ModelFile.Node {
  /// Whether the node gives something else each time.
  fileprivate var isRandom: Bool {
    switch identity.code {
    case .randomUniform, .randomStandardNormal, .multinomial: true
    case _: false
    }
  }
}
