// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `GATHER` of rows of 4 or 8 bytes, or of 16 and more.
final class GatheredCopies: Kernel {
  /// Bytes up to which a row is copied faster here than by a call.
  private static var longestShortRow: Int { 128 }

  private let rows: GatheredRows
  private let rowByteCount: Int
  private let hasLongIndices: Bool

  /// The copies of `loop`, whose indices have 32 or 64 bits; nil for rows of other lengths.
  init?<Unit, Index>(_ loop: GatherLoop<Unit, Index>) {
    rows = loop.rows
    rowByteCount = loop.rows.rowLength * MemoryLayout<Unit>.stride
    hasLongIndices = Index.bitWidth == 64
    guard rowByteCount >= 16 || rowByteCount == 4 || rowByteCount == 8 else { return nil }
  }

  // A generic class would be compiled once for all types of indices.
  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    if hasLongIndices {
      try copyRows(frame, Int64.self)
    } else {
      try copyRows(frame, Int32.self)
    }
  }

  @inline(__always)
  private func copyRows<Index: TensorElement & FixedWidthInteger>(
    _ frame: borrowing TensorFrame, _: Index.Type
  ) throws(KernelError) {
    let indices = frame.input(1, as: Index.self)
    try check(indices)
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    switch rowByteCount {
    case 4:
      unsafe forEachRow(indices, input, output) { unsafe copyUnit($0, to: $1, UInt32.self) }
    case 8:
      unsafe forEachRow(indices, input, output) { unsafe copyUnit($0, to: $1, UInt64.self) }
    case 64:
      unsafe forEachRow(indices, input, output) {
        unsafe copyUnit($0, to: $1, SIMD8<UInt64>.self)
      }
    case ...Self.longestShortRow:
      unsafe forEachRow(indices, input, output) { unsafe copyVectors($0, to: $1) }
    default:
      unsafe forEachRow(indices, input, output) {
        unsafe $1.copyMemory(from: $0, byteCount: rowByteCount)
      }
    }
  }

  /// - Throws: `KernelError` for an index that no row has.
  @inline(__always)
  private func check<Index: FixedWidthInteger>(
    _ indices: borrowing Span<Index>
  ) throws(KernelError) {
    let (count, length) = (rows.batchCount * rows.indexCount, rows.axisLength)
    var isValid = true
    // To the end, so that the compiler makes vectors of it.
    for position in 0..<count {
      let index = indices[position]
      isValid = isValid && (index >= 0 && index < length)
    }
    guard !isValid else { return }
    for position in 0..<count where indices[position] < 0 || indices[position] >= length {
      throw .invalid("index \(indices[position]) of \(length)", .input(1))
    }
  }

  /// Calls `copy` with where each row lies and where it goes.
  @inline(__always)
  private func forEachRow<Index: FixedWidthInteger>(
    _ indices: borrowing Span<Index>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer,
    _ copy: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
  ) {
    var target = unsafe output
    for batch in 0..<rows.batchCount {
      for outer in 0..<rows.outerCount {
        let firstRow = (batch * rows.outerCount + outer) * rows.axisLength
        let block = unsafe input + firstRow * rowByteCount
        let first = batch * rows.indexCount
        for position in first..<first + rows.indexCount {
          unsafe copy(block + Int(indices[position]) &* rowByteCount, target)
          unsafe target += rowByteCount
        }
      }
    }
  }

  /// Copies a row of one number or vector.
  @inline(__always)
  private func copyUnit<Unit: BitwiseCopyable>(
    _ row: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _: Unit.Type
  ) {
    unsafe target.storeBytes(of: row.loadUnaligned(as: Unit.self), as: Unit.self)
  }

  /// Copies a row of 16 bytes or more; the last vector ends where the row does.
  @inline(__always)
  private func copyVectors(_ row: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    let last = rowByteCount &- 16
    var offset = 0
    while true {
      let start = min(offset, last)
      let vector = unsafe row.loadUnaligned(fromByteOffset: start, as: SIMD2<UInt64>.self)
      unsafe target.storeBytes(of: vector, toByteOffset: start, as: SIMD2<UInt64>.self)
      guard start < last else { return }
      offset &+= 16
    }
  }
}
