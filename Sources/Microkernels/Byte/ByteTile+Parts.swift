// SPDX-License-Identifier: Apache-2.0

extension ByteTile {
  /// `accumulate` of a panel with two partial sums of each element, which are exact in any order: few
  /// sums would wait for each other.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func accumulateInParts(
    _ task: ByteTileTask, hasTerms: Bool
  ) -> InlineArray<rows, Row> {
    let step = vectors &* Level.byteCount
    let bias = unsafe load(task.panel)
    var sums = InlineArray<rows, Row>(repeating: bias)
    var parts = InlineArray<rows, Row>(repeating: Row(repeating: Level.broadcast(0)))
    if hasTerms {
      for r in 0..<rows {
        for v in 0..<vectors { parts[r][v] = unsafe Level.broadcast(task.terms[r]) }
      }
    }
    var weights = unsafe task.panel + step
    let stride = unsafe task.stride
    var tap = unsafe task.left
    let last = unsafe tap + (task.tapCount &- 1) &* task.tapStride
    while unsafe tap <= last {
      var left = unsafe tap
      let end = unsafe left + task.wordCount &* 4
      while unsafe left + 8 <= end {
        unsafe multiply(&sums, left, stride, weights)
        unsafe multiply(&parts, left + 4, stride, weights + step)
        unsafe weights += 2 &* step
        unsafe left += 8
      }
      if unsafe left < end {
        unsafe multiply(&sums, left, stride, weights)
        unsafe weights += step
      }
      unsafe tap += task.tapStride
    }
    for r in 0..<rows {
      for v in 0..<vectors { sums[r][v] = Level.add(sums[r][v], parts[r][v]) }
    }
    return sums
  }

  /// Adds the products of a word of each row.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func multiply(
    _ sums: inout InlineArray<rows, Row>, _ left: UnsafeRawPointer, _ stride: Int,
    _ weights: UnsafeRawPointer
  ) {
    let right = unsafe load(weights)
    for r in 0..<rows {
      let word = unsafe (left + r &* stride).loadUnaligned(as: Int32.self)
      let activations = Level.activations(word)
      for v in 0..<vectors { sums[r][v] = Level.dot(sums[r][v], activations, right[v]) }
    }
  }
}
