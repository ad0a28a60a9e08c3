// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A left and a right matrix that are multiplied.
struct MatrixPair: Sendable {
  /// Pairs of which a list is kept.
  private static let limit = 1 << 16

  /// The left matrix.
  let left: Int
  /// The right matrix.
  let right: Int

  /// Whether the pairs of `nest` can be listed: nothing is empty, there are not too many, and left
  /// matrices are not stored column by column, unless `takesColumns`.
  static func canList(_ nest: BatchMatMulNest, takesColumns: Bool = false) -> Bool {
    (!nest.storesLeftColumns || takesColumns) && nest.rowCount > 0
      && nest.depth * nest.columnCount > 0 && nest.pairs.shape.elementCount <= limit
  }

  /// The pairs of `nest`, in the output's order; nil where they cannot be listed.
  static func list(_ nest: BatchMatMulNest, takesColumns: Bool = false) -> [MatrixPair]? {
    guard canList(nest, takesColumns: takesColumns) else { return nil }
    var pairs: [MatrixPair] = []
    var runs = nest.pairs.rows()
    while runs.next() {
      for pair in 0..<nest.pairs.rowLength {
        pairs.append(
          MatrixPair(
            left: runs.offset(0) + pair * nest.pairs.rowSteps[0],
            right: runs.offset(1) + pair * nest.pairs.rowSteps[1]))
      }
    }
    return pairs
  }
}
