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
        rows, count: rowCount, UnsafePointer(parts.pointers), by: weights,
        columnCount: columnCount, to: sums, stride: stride, scratch: parts.tile))
  }

  /// The sums of a single one of `rows` times all columns, as far as they are the same in every run.
  func singleRow(
    of rows: ProductRows, by weights: BytePanels, _ size: ProductSize
  ) -> ByteSingleRow? {
    let nowhere = unsafe UnsafeMutableRawPointer(mutating: weights.first)
    return unsafe singleRow(
      ByteGemmTask(
        rows, count: 1, UnsafePointer(nowhere.assumingMemoryBound(to: UnsafeRawPointer.self)),
        by: weights, columnCount: size.columnCount, to: nowhere, stride: size.columnCount * 4,
        scratch: nowhere))
  }
}

extension ByteGemmTask {
  /// The sums of the first `rowCount` of `rows`, which are signed quantized values.
  fileprivate init(
    _ rows: ProductRows, count rowCount: Int, _ pointers: UnsafePointer<UnsafeRawPointer>,
    by weights: BytePanels, columnCount: Int, to sums: UnsafeMutableRawPointer, stride: Int,
    scratch: UnsafeMutableRawPointer
  ) {
    unsafe self.init(
      rows: pointers, rowPitch: rowCount, rowCount: rowCount, tapCount: rows.tapCount,
      depth: rows.tapByteCount, activationFlip: 0x80, weights: weights, columnCount: columnCount,
      finish: ByteScaling.sums, output: sums, outputStride: stride, scratch: scratch)
  }
}
