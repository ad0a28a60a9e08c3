// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `GATHER` of rows that are worth a copy each.
final class GatheredCopies: Kernel {
  /// Bytes below which a row is copied faster element by element.
  private static var leastRow: Int { 16 }
  /// Bytes up to which a row is copied faster here than by a call.
  private static var longestShortRow: Int { 128 }

  private let rows: GatheredRows
  private let rowByteCount: Int
  private let hasLongIndices: Bool

  /// The copies of `loop`, whose indices have 32 or 64 bits; nil for short rows.
  init?<Unit, Index>(_ loop: GatherLoop<Unit, Index>) {
    rows = loop.rows
    rowByteCount = loop.rows.rowLength * MemoryLayout<Unit>.stride
    hasLongIndices = Index.bitWidth == 64
    guard rowByteCount >= Self.leastRow else { return nil }
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
    for position in 0..<rows.batchCount * rows.indexCount {
      guard indices[position] >= 0, Int(indices[position]) < rows.axisLength else {
        throw .invalid("index \(indices[position]) of \(rows.axisLength)", .input(1))
      }
    }
    guard let input = unsafe frame.inputAddress(0) else { return }
    var target = unsafe frame.outputAddress(0)
    for batch in 0..<rows.batchCount {
      for outer in 0..<rows.outerCount {
        let block = (batch * rows.outerCount + outer) * rows.axisLength
        for position in 0..<rows.indexCount {
          let row = block + Int(indices[batch * rows.indexCount + position])
          unsafe copyRow(input + row * rowByteCount, to: target)
          unsafe target += rowByteCount
        }
      }
    }
  }

  /// Copies a row; the last vector of a short one ends where the row does.
  @inline(__always)
  private func copyRow(_ row: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    guard rowByteCount <= Self.longestShortRow else {
      unsafe target.copyMemory(from: row, byteCount: rowByteCount)
      return
    }
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
