// SPDX-License-Identifier: Apache-2.0

// Rows that lie together: of every 16 bytes first the first row's, then the second's and so on, so
// that a tile reads them from one address. For products of matrices the halves of two rows are
// together: eight bytes of each, then the other eight.

/// `copyRows` with rows interleaved, whose number is a multiple of four; those of several taps are
/// whole vectors.
///
/// What the last 16 bytes of a row lack is zero.
@_alwaysEmitIntoClient
@inline(__always)
func interleaveRows<Level: ByteInstructions>(_ task: ByteRowsTask, _ level: Level.Type) {
  if unsafe (task.activationFlip != 0) == Level.signsActivations {
    unsafe interleaveRows(task, flips: false, level)
  } else {
    unsafe interleaveRows(task, flips: true, level)
  }
}

@_alwaysEmitIntoClient
@inline(__always)
func interleaveRows<Level: ByteInstructions>(
  _ task: ByteRowsTask, flips: Bool, _ level: Level.Type
) {
  let step = unsafe task.rows &* 16
  let depth = unsafe task.depth
  var pointers = unsafe task.pointers
  var destination = unsafe task.destination
  for _ in unsafe 0..<task.tapCount {
    for row in unsafe stride(from: 0, to: task.rows, by: 4) {
      var first = unsafe pointers[row]
      var second = unsafe pointers[row &+ 1]
      var third = unsafe pointers[row &+ 2]
      var fourth = unsafe pointers[row &+ 3]
      var target = unsafe destination + row &* 16
      for _ in 0..<depth / 16 {
        unsafe storeInterleaved(
          Level.load(first), Level.load(second), Level.load(third), Level.load(fourth), to: target,
          flips: flips, level)
        unsafe first += 16
        unsafe second += 16
        unsafe third += 16
        unsafe fourth += 16
        unsafe target += step
      }
      let rest = depth % 16
      guard rest > 0 else { continue }
      unsafe storeInterleaved(
        rowEnd(first, count: rest, level), rowEnd(second, count: rest, level),
        rowEnd(third, count: rest, level), rowEnd(fourth, count: rest, level), to: target,
        flips: flips, level)
    }
    unsafe pointers += task.pitch
    unsafe destination += depth / 16 &* step
  }
}

/// The last bytes of a row, fewer than 16; half a vector, as many networks have it, by one load.
@_alwaysEmitIntoClient
@inline(__always)
func rowEnd<Level: ByteInstructions>(
  _ pointer: UnsafeRawPointer, count: Int, _: Level.Type
) -> Level.Vector {
  guard count == 8 else { return unsafe Level.copyPrefix(pointer, count: count) }
  var vector = Level.broadcast(0)
  unsafe withUnsafeMutableBytes(of: &vector) { bytes in
    unsafe bytes.storeBytes(of: pointer.loadUnaligned(as: UInt64.self), as: UInt64.self)
  }
  return vector
}

/// Writes 16 bytes of each of four rows.
@_alwaysEmitIntoClient
@inline(__always)
func storeInterleaved<Level: ByteInstructions>(
  _ first: Level.Vector, _ second: Level.Vector, _ third: Level.Vector, _ fourth: Level.Vector,
  to target: UnsafeMutableRawPointer, flips: Bool, _: Level.Type
) {
  let mask = Level.broadcast(byte: flips ? 0x80 : 0)
  if Level.multipliesMatrices {
    let upper = Level.halves(Level.flip(first, mask), Level.flip(second, mask))
    let lower = Level.halves(Level.flip(third, mask), Level.flip(fourth, mask))
    unsafe target.storeBytes(of: upper.low, as: Level.Vector.self)
    unsafe target.storeBytes(of: upper.high, toByteOffset: 16, as: Level.Vector.self)
    unsafe target.storeBytes(of: lower.low, toByteOffset: 32, as: Level.Vector.self)
    unsafe target.storeBytes(of: lower.high, toByteOffset: 48, as: Level.Vector.self)
  } else {
    unsafe target.storeBytes(of: Level.flip(first, mask), as: Level.Vector.self)
    unsafe target.storeBytes(of: Level.flip(second, mask), toByteOffset: 16, as: Level.Vector.self)
    unsafe target.storeBytes(of: Level.flip(third, mask), toByteOffset: 32, as: Level.Vector.self)
    unsafe target.storeBytes(of: Level.flip(fourth, mask), toByteOffset: 48, as: Level.Vector.self)
  }
}

extension ByteTile {
  /// `accumulate` of interleaved rows.
  @_alwaysEmitIntoClient
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
  @_alwaysEmitIntoClient
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
