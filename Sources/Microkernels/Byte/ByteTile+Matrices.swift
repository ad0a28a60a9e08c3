// SPDX-License-Identifier: Apache-2.0

// Products of matrices: each instruction adds to the sums of two rows and two columns.

extension ByteTile {
  /// `accumulate` by products of matrices, for vectors of 16 bytes.
  ///
  /// On the way, row `2p` of the sums holds those of the rows `2p` and `2p + 1` and of the first two
  /// columns of each vector, row `2p + 1` those of the last two; `rest` is the row that an odd number
  /// of rows lacks.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func accumulateMatrices(
    _ task: ByteTileTask, hasTerms: Bool
  ) -> InlineArray<rows, Row> {
    var (first, rest) = unsafe halvesOfBiases(task.panel)
    var sums = InlineArray<rows, Row>(repeating: first)
    for pair in 0..<rows / 2 { sums[2 &* pair &+ 1] = rest }
    var weights = unsafe task.panel + vectors &* Level.byteCount
    let stride = unsafe task.stride
    var tap = unsafe task.left
    let last = unsafe tap + (task.tapCount &- 1) &* task.tapStride
    while unsafe tap <= last {
      var left = unsafe tap
      let end = unsafe left + task.wordCount &* 4
      while unsafe left + 16 <= end {
        let (first, second) = unsafe pairs(left, stride)
        unsafe multiply(&sums, &rest, &weights, first)
        unsafe multiply(&sums, &rest, &weights, second)
        unsafe left += 16
      }
      if unsafe left < end {
        unsafe multiply(&sums, &rest, &weights, lastPairs(left, stride))
      }
      unsafe tap += task.tapStride
    }
    return unsafe inRows(sums, rest, hasTerms ? task.terms : nil)
  }

  /// The biases of the first and of the last two columns of each vector, as two rows have them.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func halvesOfBiases(_ panel: UnsafeRawPointer) -> (Row, Row) {
    var (first, second) = unsafe (load(panel), load(panel))
    for v in 0..<vectors { (first[v], second[v]) = Level.halves(first[v], second[v]) }
    return (first, second)
  }

  /// The first and the second eight of 16 bytes of each row, at each even place of a row and the next.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func pairs(_ left: UnsafeRawPointer, _ stride: Int) -> (
    InlineArray<rows, Level.Vector>, InlineArray<rows, Level.Vector>
  ) {
    var first = InlineArray<rows, Level.Vector>(repeating: Level.broadcast(0))
    var second = first
    for pair in 0..<(rows &+ 1) / 2 {
      let row = 2 &* pair
      let upper = unsafe Level.load(left + row &* stride)
      let lower = unsafe row &+ 1 < rows ? Level.load(left + (row &+ 1) &* stride) : upper
      (first[row], second[row]) = Level.halves(upper, lower)
    }
    return (first, second)
  }

  /// `pairs` of the last eight bytes.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func lastPairs(_ left: UnsafeRawPointer, _ stride: Int) -> InlineArray<
    rows, Level.Vector
  > {
    var pairs = InlineArray<rows, Level.Vector>(repeating: Level.broadcast(0))
    for pair in 0..<(rows &+ 1) / 2 {
      let row = 2 &* pair
      let next = unsafe left + min(row &+ 1, rows &- 1) &* stride
      let bytes = unsafe SIMD2(
        (left + row &* stride).loadUnaligned(as: Int64.self), next.loadUnaligned(as: Int64.self))
      pairs[row] = unsafe unsafeBitCast(bytes, to: Level.Vector.self)
    }
    return pairs
  }

  /// Adds the products of eight bytes of each row, and moves on by their weights.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func multiply(
    _ sums: inout InlineArray<rows, Row>, _ rest: inout Row, _ weights: inout UnsafeRawPointer,
    _ pairs: InlineArray<rows, Level.Vector>
  ) {
    for v in 0..<vectors {
      let first = unsafe Level.load(weights + 2 &* v &* Level.byteCount)
      let second = unsafe Level.load(weights + (2 &* v &+ 1) &* Level.byteCount)
      for pair in 0..<(rows &+ 1) / 2 {
        let row = 2 &* pair
        sums[row][v] = Level.multiplyMatrices(sums[row][v], pairs[row], first)
        if row &+ 1 < rows {
          sums[row &+ 1][v] = Level.multiplyMatrices(sums[row &+ 1][v], pairs[row], second)
        } else {
          rest[v] = Level.multiplyMatrices(rest[v], pairs[row], second)
        }
      }
    }
    unsafe weights += 2 &* vectors &* Level.byteCount
  }

  /// The sums of pairs of rows, row by row and with each row's term.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func inRows(
    _ pairs: InlineArray<rows, Row>, _ rest: Row, _ terms: UnsafePointer<Int32>?
  ) -> InlineArray<rows, Row> {
    var sums = pairs
    for pair in 0..<(rows &+ 1) / 2 {
      let row = 2 &* pair
      for v in 0..<vectors {
        let halves = Level.halves(pairs[row][v], row &+ 1 < rows ? pairs[row &+ 1][v] : rest[v])
        sums[row][v] = halves.low
        if row &+ 1 < rows { sums[row &+ 1][v] = halves.high }
      }
    }
    guard let terms = unsafe terms else { return sums }
    for row in 0..<rows {
      let term = unsafe Level.broadcast(terms[row])
      for v in 0..<vectors { sums[row][v] = Level.add(sums[row][v], term) }
    }
    return sums
  }
}

extension ByteTile where rows == 1 {
  /// `accumulateRow` by products of matrices whose rows are the same.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func accumulateRowMatrices(_ task: ByteTileTask) -> Row {
    var (first, second) = unsafe halvesOfBiases(task.panel)
    var weights = unsafe task.panel + vectors &* Level.byteCount
    var left = unsafe task.left
    let end = unsafe left + task.wordCount &* 4
    while unsafe left < end {
      let bytes = unsafe SIMD2(repeating: left.loadUnaligned(as: Int64.self))
      let pair = unsafe unsafeBitCast(bytes, to: Level.Vector.self)
      for v in 0..<vectors {
        let right = unsafe weights + 2 &* v &* Level.byteCount
        first[v] = unsafe Level.multiplyMatrices(first[v], pair, Level.load(right))
        second[v] = unsafe Level.multiplyMatrices(
          second[v], pair, Level.load(right + Level.byteCount))
      }
      unsafe weights += 2 &* vectors &* Level.byteCount
      unsafe left += 8
    }
    for v in 0..<vectors { first[v] = Level.halves(first[v], second[v]).low }
    return first
  }
}
