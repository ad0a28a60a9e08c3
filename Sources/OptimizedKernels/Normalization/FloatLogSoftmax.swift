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
      // Where the results go, first the exponentials.
      for first in stride(from: 0, to: rowCount * rows.length, by: rows.length) {
        let scores = unsafe scores + first
        unsafe rows.combine(.subtract, scores, rows.maximum(scores), to: logarithms + first)
      }
      unsafe rows.apply(.exponential, logarithms, rowCount: rowCount, to: logarithms)
      for first in stride(from: 0, to: rowCount * rows.length, by: rows.length) {
        let (scores, logarithms) = unsafe (scores + first, logarithms + first)
        let logarithm = unsafe FloatMath.log(rows.sum(logarithms))
        unsafe rows.combine(.subtract, scores, rows.maximum(scores), to: logarithms)
        unsafe rows.combine(.subtract, logarithms, logarithm, to: logarithms)
      }
    }
  }
}
