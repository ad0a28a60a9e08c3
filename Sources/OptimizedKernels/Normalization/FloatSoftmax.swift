// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `SOFTMAX` of floats: within 8 units in the last place of the reference kernel.
final class FloatSoftmax: BlockKernel {
  private let beta: Float
  private let rows: FloatRows

  /// The rows of `loop`; nil where they are empty.
  init?(_ loop: SoftmaxLoop<Float>, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard let rows = FloatRows(length: loop.rowLength, node, set) else { return nil }
    beta = loop.beta
    self.rows = rows
  }

  func blockCount(workerCount: Int) -> Int { rows.blockCount }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    unsafe rows.forEachBlock(frame, next) { scores, weights, rowCount in
      unsafe rows.withNumbers(rowCount: rowCount) { numbers in
        unsafe rows.maxima(scores, rowCount: rowCount, to: numbers)
        unsafe rows.combine(.subtract, scores, numbers, rowCount: rowCount, to: weights)
        if beta != 1 {
          unsafe numbers.update(repeating: beta, count: rowCount)
          unsafe rows.combine(.multiply, weights, numbers, rowCount: rowCount, to: weights)
        }
        unsafe rows.apply(.exponential, weights, rowCount: rowCount, to: weights)
        unsafe rows.sums(weights, rowCount: rowCount, to: numbers)
        // One division for each row instead of one for each vector.
        for row in 0..<rowCount { unsafe numbers[row] = 1 / numbers[row] }
        unsafe rows.combine(.multiply, weights, numbers, rowCount: rowCount, to: weights)
      }
    }
  }
}
