// SPDX-License-Identifier: Apache-2.0

// Tiles of two panels of two vectors. For each product they load fewer activations than higher tiles
// of one panel do, of which every row's are loaded for themselves: where a core multiplies two
// vectors of 64 bytes in a cycle, loads take the time.

extension ByteTile where vectors == 4 {
  /// The sums of two neighboring panels' columns, with each row's term where `hasTerms`.
  @inlinable
  @inline(__always)
  package static func accumulatePair(
    _ task: ByteScaledTileTask, hasTerms: Bool
  ) -> InlineArray<rows, Row> {
    let (tile, next) = unsafe (task.tile, task.panelByteCount)
    let bias = unsafe loadPair(tile.panel, next)
    var sums = InlineArray<rows, Row> { _ in bias }
    if hasTerms {
      for r in 0..<rows {
        let term = unsafe Level.broadcast(tile.terms[r])
        for v in 0..<vectors { sums[r][v] = Level.add(bias[v], term) }
      }
    }
    let step = 2 &* Level.byteCount
    var weights = unsafe tile.panel + step
    let stride = unsafe tile.stride
    var tap = unsafe tile.left
    let last = unsafe tap + (tile.tapCount &- 1) &* tile.tapStride
    while unsafe tap <= last {
      var left = unsafe tap
      let end = unsafe left + tile.wordCount &* 4
      while unsafe left < end {
        let right = unsafe loadPair(weights, next)
        unsafe weights += step
        for r in 0..<rows {
          let word = unsafe (left + r &* stride).loadUnaligned(as: Int32.self)
          let activations = Level.activations(word)
          for v in 0..<vectors { sums[r][v] = Level.dot(sums[r][v], activations, right[v]) }
        }
        unsafe left += 4
      }
      unsafe tap += tile.tapStride
    }
    return sums
  }

  /// Two vectors of a panel, and two of the panel `next` bytes behind it.
  @inlinable
  @inline(__always)
  static func loadPair(_ panel: UnsafeRawPointer, _ next: Int) -> Row {
    Row { vector in
      unsafe Level.load(panel + ((vector & 1) &* Level.byteCount &+ (vector &>> 1) &* next))
    }
  }
}
