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
    unsafe rows.forEachRow(frame, next) { scores, weights in
      let largest = unsafe FloatExtremum(isMaximum: true).value(
        of: scores, count: rows.length, from: -.greatestFiniteMagnitude)
      unsafe rows.combine(.subtract, scores, largest, to: weights)
      if beta != 1 { unsafe rows.combine(.multiply, weights, beta, to: weights) }
      unsafe rows.apply(.exponential, weights, to: weights)
      unsafe rows.combine(.divide, weights, rows.sum(weights), to: weights)
    }
  }
}
