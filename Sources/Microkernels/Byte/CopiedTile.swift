// SPDX-License-Identifier: Apache-2.0

/// The first `columns` bytes of each row of a tile with a stride of `width`, to rows of another stride.
package func copyTile(
  _ tile: UnsafeRawPointer, width: Int, to output: UnsafeMutableRawPointer, stride: Int,
  rows: Int, columns: Int
) {
  // The usual sizes as constants, so that rows become a few moves.
  switch columns {
  case 128: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 128)
  case 64: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 64)
  case 48: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 48)
  case 32: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 32)
  case 24: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 24)
  case 16: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 16)
  case 12: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 12)
  case 8: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 8)
  case 6: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 6)
  case 4: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 4)
  case 3: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 3)
  case 2: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 2)
  case 1: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 1)
  case ..<32:
    for row in 0..<rows {
      unsafe copyShort(tile + row &* width, to: output + row &* stride, count: columns)
    }
  default: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: columns)
  }
}

@inline(__always)
private func copyRows(
  _ source: UnsafeRawPointer, _ sourceStride: Int, _ target: UnsafeMutableRawPointer,
  _ targetStride: Int, rows: Int, byteCount: Int
) {
  for row in 0..<rows {
    unsafe (target + row &* targetStride).copyMemory(
      from: source + row &* sourceStride, byteCount: byteCount)
  }
}
