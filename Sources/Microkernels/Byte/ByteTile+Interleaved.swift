// SPDX-License-Identifier: Apache-2.0

// Rows that lie together: of every 16 bytes first the first row's, then the second's and so on, so
// that a tile reads them from one address. For products of matrices the halves of two rows are
// together: eight bytes of each, then the other eight.

/// `copyRows` of the single tap, with rows interleaved.
///
/// What the last 16 bytes of a row lack is zero.
@inlinable
@inline(__always)
func interleaveRows<Level: ByteInstructions>(_ task: ByteRowsTask, _ level: Level.Type) {
  let block = unsafe task.block
  let flip = unsafe block.activationFlip ^ (Level.signsActivations ? 0x80 : 0)
  let mask = SIMD2(repeating: UInt64(flip) &* 0x0101_0101_0101_0101)
  let step = unsafe task.rows &* 16
  let rest = unsafe block.depth % 16
  for row in unsafe 0..<task.rows {
    var source = unsafe block.rows[task.row &+ row]
    let place = Level.multipliesMatrices ? row / 2 &* 32 &+ row % 2 &* 8 : row &* 16
    var target = unsafe task.destination + place
    let end = unsafe source + (block.depth &- rest)
    while unsafe source < end {
      let bytes = unsafe source.loadUnaligned(as: SIMD2<UInt64>.self)
      unsafe storeInterleaved(bytes ^ mask, to: target, level)
      unsafe source += 16
      unsafe target += step
    }
    guard rest > 0 else { continue }
    var bytes = SIMD2<UInt64>()
    unsafe withUnsafeMutableBytes(of: &bytes) { bytes in
      for index in 0..<rest {
        unsafe bytes[index] = unsafe source.load(fromByteOffset: index, as: UInt8.self)
      }
    }
    unsafe storeInterleaved(bytes ^ mask, to: target, level)
  }
}

/// Writes 16 bytes of a row.
@inlinable
@inline(__always)
func storeInterleaved<Level: ByteInstructions>(
  _ bytes: SIMD2<UInt64>, to target: UnsafeMutableRawPointer, _: Level.Type
) {
  if Level.multipliesMatrices {
    unsafe target.storeBytes(of: bytes[0], as: UInt64.self)
    unsafe target.storeBytes(of: bytes[1], toByteOffset: 16, as: UInt64.self)
  } else {
    unsafe target.storeBytes(of: bytes, as: SIMD2<UInt64>.self)
  }
}

extension ByteTile {
  /// `accumulate` of interleaved rows.
  @inlinable
  @inline(__always)
  static func accumulateInterleaved(_ task: ByteTileTask) -> InlineArray<rows, Row> {
    if Level.multipliesMatrices { return unsafe accumulateInterleavedMatrices(task) }
    let step = vectors &* Level.byteCount
    let bias = unsafe load(task.panel)
    var sums = InlineArray<rows, Row>(repeating: bias)
    var weights = unsafe task.panel + step
    var left = unsafe task.left
    let end = unsafe left + task.wordCount / 4 &* 16 &* rows
    while unsafe left < end {
      let words = unsafe words(left, 16)
      unsafe multiply(&sums, words, 0, weights)
      unsafe multiply(&sums, words, 1, weights + step)
      unsafe multiply(&sums, words, 2, weights + 2 &* step)
      unsafe multiply(&sums, words, 3, weights + 3 &* step)
      unsafe weights += 4 &* step
      unsafe left += 16 &* rows
    }
    let rest = unsafe left + (task.wordCount & 3) &* 4
    while unsafe left < rest {
      let right = unsafe load(weights)
      for r in 0..<rows {
        let word = unsafe Level.activations((left + r &* 16).loadUnaligned(as: Int32.self))
        for v in 0..<vectors { sums[r][v] = Level.dot(sums[r][v], word, right[v]) }
      }
      unsafe weights += step
      unsafe left += 4
    }
    return sums
  }

  /// `accumulateMatrices` of interleaved rows, whose number is even.
  @inlinable
  @inline(__always)
  static func accumulateInterleavedMatrices(_ task: ByteTileTask) -> InlineArray<rows, Row> {
    var (first, rest) = unsafe halvesOfBiases(task.panel)
    var sums = InlineArray<rows, Row>(repeating: first)
    for pair in 0..<rows / 2 { sums[2 &* pair &+ 1] = rest }
    var weights = unsafe task.panel + vectors &* Level.byteCount
    var left = unsafe task.left
    let end = unsafe left + task.wordCount / 4 &* 16 &* rows
    while unsafe left < end {
      unsafe multiply(&sums, &rest, &weights, words(left, 16))
      unsafe multiply(&sums, &rest, &weights, words(left + 16, 16))
      unsafe left += 16 &* rows
    }
    if unsafe task.wordCount & 3 > 0 {
      unsafe multiply(&sums, &rest, &weights, words(left, 16))
    }
    return unsafe inRows(sums, rest, nil)
  }
}
