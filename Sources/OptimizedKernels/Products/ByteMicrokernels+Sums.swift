// SPDX-License-Identifier: Apache-2.0

import Microkernels

extension ByteMicrokernels {
  /// Writes the 32-bit sums of rows of signed quantized values times some columns' weights.
  ///
  /// `parts` holds the pointers to the first `rowCount` of `rows`; `stride` is in bytes.
  func multiply(
    _ rows: ProductRows, count rowCount: Int, _ parts: WorkerMemory.Parts,
    by weights: BytePanels, columnCount: Int, to sums: UnsafeMutableRawPointer, stride: Int
  ) {
    unsafe gemm(
      ByteGemmTask(
        rows: UnsafePointer(parts.pointers), rowPitch: rowCount, rowCount: rowCount,
        tapCount: rows.tapCount, depth: rows.tapByteCount, activationFlip: 0x80,
        weights: weights, columnCount: columnCount, finish: ByteScaling.none.finish(), output: sums,
        outputStride: stride, scratch: parts.tile))
  }
}
