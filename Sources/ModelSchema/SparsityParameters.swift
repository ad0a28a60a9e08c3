// SPDX-License-Identifier: Apache-2.0

/// How the non-zero elements of a tensor are stored, in the format of the TACO compiler.
package struct SparsityParameters: Sendable, Equatable {
  /// The order in which dimensions, and after them block dimensions, are traversed.
  package let traversalOrder: [Int]
  /// The dimension that each block dimension subdivides.
  package let blockMap: [Int]
  /// How each dimension is stored, in traversal order.
  package let dimensions: [Dimension]

  /// Sparsity of these parts.
  package init(traversalOrder: [Int], blockMap: [Int] = [], dimensions: [Dimension]) {
    self.traversalOrder = traversalOrder
    self.blockMap = blockMap
    self.dimensions = dimensions
  }

  /// How one dimension is stored.
  package enum Dimension: Sendable, Equatable {
    /// All `size` coordinates are stored.
    case dense(size: Int)
    /// Element `i` of the dimension before has the coordinates
    /// `indices[segments[i]..<segments[i + 1]]`.
    case compressed(segments: [Int32], indices: [Int32])
  }
}
