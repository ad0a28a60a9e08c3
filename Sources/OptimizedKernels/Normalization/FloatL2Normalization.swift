// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `L2_NORMALIZATION` of floats: as close to the reference kernel as a sum of squares in another
/// order.
final class FloatL2Normalization: BlockKernel {
  /// To begin with vectors takes longer than to compute shorter rows.
  private static let leastVectorRow = 32

  private let rows: FloatRows

  /// The rows of `kernel`; nil where they are empty.
  init?(_ kernel: L2NormalizationKernel, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard let rows = FloatRows(length: kernel.rowLength, node, set) else { return nil }
    self.rows = rows
  }

  func blockCount(workerCount: Int) -> Int { rows.blockCount }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    unsafe rows.forEachRow(frame, next) { row, output in
      if rows.length < Self.leastVectorRow {
        unsafe normalizeOneByOne(row, to: output)
      } else {
        unsafe rows.apply(.square, row, to: output)
        unsafe rows.withNumbers(rowCount: 1) { number in
          unsafe rows.sums(output, rowCount: 1, to: number)
          unsafe number.pointee = divisor(squares: number.pointee)
          unsafe rows.combine(.divide, row, number, to: output)
        }
      }
    }
  }

  private func normalizeOneByOne(
    _ row: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>
  ) {
    var squares: Float = 0
    for index in 0..<rows.length { squares += unsafe row[index] * row[index] }
    let divisor = divisor(squares: squares)
    for index in 0..<rows.length { unsafe output[index] = row[index] / divisor }
  }

  private func divisor(squares: Float) -> Float {
    let length = squares.squareRoot()
    let least = L2NormalizationKernel.leastLength
    return length < least ? least : length
  }
}
