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

  /// Whether the pairs of `nest` can be listed: nothing is empty, and there are not too many.
  static func canList(_ nest: BatchMatMulNest) -> Bool {
    nest.rowCount > 0 && nest.depth * nest.columnCount > 0
      && nest.pairs.shape.elementCount <= limit
  }

  /// The pairs of `nest`, in the output's order; nil where they cannot be listed.
  static func list(_ nest: BatchMatMulNest) -> [MatrixPair]? {
    guard canList(nest) else { return nil }
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
