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
    unsafe multiply(
      rows, count: rowCount, parts, by: weights, columnCount: columnCount, to: sums,
      stride: stride, atATime: max(rowCount, 1)
    ) { _, _ in }
  }

  /// Writes the same sums, and finishes those of a few rows at a time, as long as they are in the
  /// first-level cache.
  ///
  /// `finish` gets the rows, of the `rowCount` that there are, and where the first one's sums are.
  func multiply(
    _ rows: ProductRows, count rowCount: Int, _ parts: WorkerMemory.Parts,
    by weights: BytePanels, columnCount: Int, to sums: UnsafeMutableRawPointer, stride: Int,
    finish: (_ rows: Range<Int>, _ first: UnsafeMutableRawPointer) -> Void
  ) {
    let tileRows = layout.tileRows(depth: rows.tapCount * rows.tapByteCount)
    let tileByteCount = tileRows * max(columnCount, 1) * 4
    unsafe multiply(
      rows, count: rowCount, parts, by: weights, columnCount: columnCount, to: sums,
      stride: stride, atATime: max(Self.sumsLimit / tileByteCount, 1) * tileRows,
      finish: finish)
  }

  /// Bytes of sums that are written before they are read again: half of a small first-level cache.
  static let sumsLimit = 16 << 10

  private func multiply(
    _ rows: ProductRows, count rowCount: Int, _ parts: WorkerMemory.Parts,
    by weights: BytePanels, columnCount: Int, to sums: UnsafeMutableRawPointer, stride: Int,
    atATime step: Int, finish: (_ rows: Range<Int>, _ first: UnsafeMutableRawPointer) -> Void
  ) {
    for start in Swift.stride(from: 0, to: rowCount, by: step) {
      let part = start..<min(start + step, rowCount)
      let first = unsafe sums + start * stride
      unsafe gemm(
        ByteGemmTask(
          rows, part, of: rowCount, UnsafePointer(parts.pointers), by: weights,
          columnCount: columnCount, to: first, stride: stride, scratch: parts.tile))
      unsafe finish(part, first)
    }
  }

  /// The sums of a single one of `rows` times all columns, as far as they are the same in every run.
  func singleRow(
    of rows: ProductRows, by weights: BytePanels, _ size: ProductSize
  ) -> ByteSingleRow? {
    let nowhere = unsafe UnsafeMutableRawPointer(mutating: weights.first)
    return unsafe singleRow(
      ByteGemmTask(
        rows, 0..<1, of: 1, UnsafePointer(nowhere.assumingMemoryBound(to: UnsafeRawPointer.self)),
        by: weights, columnCount: size.columnCount, to: nowhere, stride: size.columnCount * 4,
        scratch: nowhere))
  }
}

extension ByteGemmTask {
  /// The sums of some of `rowCount` rows with these pointers, which are signed quantized values.
  fileprivate init(
    _ rows: ProductRows, _ part: Range<Int>, of rowCount: Int,
    _ pointers: UnsafePointer<UnsafeRawPointer>, by weights: BytePanels, columnCount: Int,
    to sums: UnsafeMutableRawPointer, stride: Int, scratch: UnsafeMutableRawPointer
  ) {
    unsafe self.init(
      rows: pointers + part.lowerBound, rowPitch: rowCount, rowCount: part.count,
      tapCount: rows.tapCount,
      depth: rows.tapByteCount, activationFlip: 0x80, weights: weights, columnCount: columnCount,
      finish: ByteScaling.sums, output: sums, outputStride: stride, scratch: scratch)
  }
}
