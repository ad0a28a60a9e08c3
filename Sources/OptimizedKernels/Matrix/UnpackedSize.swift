// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

/// How large a `FULLY_CONNECTED` is whose rows and weights are multiplied where they lie.
struct UnpackedSize: Sendable {
  /// Products in a nanosecond, roughly.
  private static let productsPerNanosecond = 16.0

  let rowCount: Int
  let unitCount: Int
  let depth: Int

  /// The size of `nest`.
  init(_ nest: FullyConnectedNest) {
    (rowCount, unitCount, depth) = (nest.batchCount, nest.outputDepth, nest.inputCount)
  }

  /// Blocks for so many workers, who share `count` rows or units.
  func blockCount(of count: Int, workerCount: Int) -> Int {
    let products = Double(rowCount) * Double(depth * unitCount)
    return min(
      WorkShare.blockCount(
        nanoseconds: products / Self.productsPerNanosecond, workerCount: workerCount), count)
  }
}
