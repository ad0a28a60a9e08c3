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
      for first in stride(from: 0, to: rowCount * rows.length, by: rows.length) {
        let (scores, weights) = unsafe (scores + first, weights + first)
        unsafe rows.combine(.subtract, scores, rows.maximum(scores), to: weights)
        if beta != 1 { unsafe rows.combine(.multiply, weights, beta, to: weights) }
      }
      unsafe rows.apply(.exponential, weights, rowCount: rowCount, to: weights)
      for first in stride(from: 0, to: rowCount * rows.length, by: rows.length) {
        let weights = unsafe weights + first
        unsafe rows.combine(.divide, weights, rows.sum(weights), to: weights)
      }
    }
  }
}
