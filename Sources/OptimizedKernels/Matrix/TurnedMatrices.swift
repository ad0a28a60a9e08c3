// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Left matrices of `BATCH_MATMUL` that are stored column by column, brought into rows in scratch
/// memory; none where they are stored row by row.
struct TurnedMatrices: Sendable {
  /// Matrices that are brought into rows.
  let count: Int
  private let rowCount: Int
  private let depth: Int

  /// The left matrices of `nest`.
  init(_ nest: BatchMatMulNest) {
    count = nest.storesLeftColumns ? nest.leftBatch.elementCount : 0
    (rowCount, depth) = (nest.rowCount, nest.depth)
  }

  /// Bytes of the scratch tensor, if there is one.
  func scratch(elementByteCount: Int) -> [Int] {
    count > 0 ? [count * rowCount * depth * elementByteCount] : []
  }

  /// Writes the rows to the first scratch tensor.
  func write(_ frame: borrowing TensorFrame, elementByteCount: Int) {
    guard count > 0, let left = unsafe frame.inputAddress(0) else { return }
    for index in 0..<count {
      let offset = index * rowCount * depth * elementByteCount
      unsafe TransposedMatrix(
        input: left + offset, output: frame.scratchAddress(0) + offset, rowCount: depth,
        columnCount: rowCount, inputStep: rowCount, outputStep: depth
      ).copy(unit: elementByteCount)
    }
  }

  /// The first matrix, row by row.
  @unsafe
  func address(_ frame: borrowing TensorFrame) -> UnsafeRawPointer? {
    unsafe count > 0 ? UnsafeRawPointer(frame.scratchAddress(0)) : frame.inputAddress(0)
  }
}
