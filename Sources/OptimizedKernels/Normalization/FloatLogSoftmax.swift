// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `LOG_SOFTMAX` of floats: within 8 units in the last place of the reference kernel's differences.
final class FloatLogSoftmax: BlockKernel {
  private let rows: FloatRows

  /// The rows of `kernel`; nil where they are empty.
  init?(_ kernel: LogSoftmaxKernel, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard let rows = FloatRows(length: kernel.rowLength, node, set) else { return nil }
    self.rows = rows
  }

  func blockCount(workerCount: Int) -> Int { rows.blockCount }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    unsafe rows.forEachBlock(frame, next) { scores, logarithms, rowCount in
      unsafe rows.withNumbers(rowCount: 2 * rowCount) { largest in
        let sums = unsafe largest + rowCount
        unsafe rows.maxima(scores, rowCount: rowCount, to: largest)
        // Where the results go, first the exponentials.
        unsafe rows.combine(.subtract, scores, largest, rowCount: rowCount, to: logarithms)
        unsafe rows.apply(.exponential, logarithms, rowCount: rowCount, to: logarithms)
        unsafe rows.sums(logarithms, rowCount: rowCount, to: sums)
        for row in 0..<rowCount { unsafe sums[row] = FloatMath.log(sums[row]) }
        unsafe rows.combine(.subtract, scores, largest, rowCount: rowCount, to: logarithms)
        unsafe rows.combine(.subtract, logarithms, sums, rowCount: rowCount, to: logarithms)
      }
    }
  }
}
