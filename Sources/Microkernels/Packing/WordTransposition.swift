// SPDX-License-Identifier: Apache-2.0

/// Lays four columns of 32-bit words, each of them contiguous, side by side.
///
/// `visit` gets every four words that become neighbours, and gives what is stored for them.
///
/// - Parameters:
///   - source: the first word of the first column.
///   - columnStride: bytes from one column to the next.
///   - target: the place of the first column's first word.
///   - rowStride: bytes from one row of the result to the next.
///   - rowCount: rows, a multiple of four.
///   - visit: what is done with four neighbouring words.
@inline(__always)
func transposeWords(
  _ source: UnsafeRawPointer, columnStride: Int, to target: UnsafeMutableRawPointer,
  rowStride: Int, rowCount: Int, visit: (SIMD4<UInt32>) -> SIMD4<UInt32>
) {
  var (source, target) = unsafe (source, target)
  for _ in 0..<rowCount / 4 {
    let a = unsafe source.loadUnaligned(as: SIMD4<UInt32>.self)
    let b = unsafe source.loadUnaligned(fromByteOffset: columnStride, as: SIMD4<UInt32>.self)
    let c = unsafe source.loadUnaligned(fromByteOffset: 2 &* columnStride, as: SIMD4<UInt32>.self)
    let d = unsafe source.loadUnaligned(fromByteOffset: 3 &* columnStride, as: SIMD4<UInt32>.self)
    let lowAB = SIMD4(a[0], b[0], a[1], b[1])
    let highAB = SIMD4(a[2], b[2], a[3], b[3])
    let lowCD = SIMD4(c[0], d[0], c[1], d[1])
    let highCD = SIMD4(c[2], d[2], c[3], d[3])
    unsafe target.storeBytes(
      of: visit(SIMD4(lowHalf: lowAB.lowHalf, highHalf: lowCD.lowHalf)), as: SIMD4<UInt32>.self)
    unsafe target.storeBytes(
      of: visit(SIMD4(lowHalf: lowAB.highHalf, highHalf: lowCD.highHalf)),
      toByteOffset: rowStride, as: SIMD4<UInt32>.self)
    unsafe target.storeBytes(
      of: visit(SIMD4(lowHalf: highAB.lowHalf, highHalf: highCD.lowHalf)),
      toByteOffset: 2 &* rowStride, as: SIMD4<UInt32>.self)
    unsafe target.storeBytes(
      of: visit(SIMD4(lowHalf: highAB.highHalf, highHalf: highCD.highHalf)),
      toByteOffset: 3 &* rowStride, as: SIMD4<UInt32>.self)
    unsafe source += 16
    unsafe target += 4 &* rowStride
  }
}

/// Rows of words that are packed at a time: each column gives a cache line, and what is written
/// stays in the first-level cache until its lines are full.
let transposedRows = 16
