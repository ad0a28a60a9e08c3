// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// A node and what is known about its tensors.
struct NodeOperands {
  let node: ModelFile.Node
  let tensors: GraphTensors

  init(_ node: ModelFile.Node, _ tensors: GraphTensors) {
    self.node = node
    self.tensors = tensors
  }

  /// The type of an input; nil where it is absent or unknown.
  func input(_ position: Int) -> TensorType? { tensors.type(node.inputs, position) }

  /// The type of an output; nil where it is unknown.
  func output(_ position: Int) -> TensorType? { tensors.type(node.outputs, position) }

  /// Whether the node has no input at `position`, as optional ones may be left out.
  func lacks(_ position: Int) -> Bool {
    !node.inputs.indices.contains(position) || node.inputs[position] < 0
  }

  /// Bytes read of each tensor; none where there is nothing to compute.
  var reads: [(tensor: Int, byteCount: Int?)] {
    let elementCounts = node.outputs.indices.map { output($0)?.shape.elementCount }
    let isIdle = !elementCounts.isEmpty && elementCounts.allSatisfy { $0 == 0 }
    var seen: Set<Int> = []
    return node.inputs.enumerated().compactMap { position, tensor in
      guard tensors.roles.indices.contains(tensor), seen.insert(tensor).inserted else {
        return nil
      }
      return (tensor, isIdle ? 0 : readByteCount(position))
    }
  }

  /// Bytes read of one input: all, but for operators that look at a part of it or at its shape.
  private func readByteCount(_ position: Int) -> Int? {
    guard let whole = input(position)?.byteCount else { return nil }
    switch (node.identity.code, position) {
    case (.shape, _), (.rank, _), (.zerosLike, _):
      return 0
    case (.gather, 0), (.gatherND, 0), (.slice, 0), (.stridedSlice, 0), (.stablehloGather, 0),
      (.embeddingLookup, 1):
      return output(0)?.byteCount.map { min($0, whole) }
    case (.embeddingLookupSparse, 4):
      // A row for each index.
      guard let table = input(4), let ids = input(0) else { return nil }
      let row = Checked.product(table.shape.dimensions.dropFirst().map { $0 })
      return Checked.product([row, ids.shape.elementCount])
        .flatMap(table.elementType.byteCount).map { min($0, whole) }
    case (_, _):
      return whole
    }
  }
}
