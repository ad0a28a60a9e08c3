// SPDX-License-Identifier: Apache-2.0

/// The register tile of the byte product: `rows` rows by `vectors` vectors of columns.
@usableFromInline
package enum ByteTile<Level: ByteInstructions, let rows: Int, let vectors: Int> {
  @usableFromInline package typealias Row = InlineArray<vectors, Level.Vector>

  /// Columns of the tile.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var width: Int { vectors &* Level.laneCount }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ pointer: UnsafeRawPointer) -> Row {
    Row { vector in unsafe Level.load(pointer + vector &* Level.byteCount) }
  }

  /// Two vectors of a panel, or one, and of a tile of more vectors those of the panel `next` bytes behind.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func load(_ panel: UnsafeRawPointer, next: Int) -> Row {
    Row { vector in
      unsafe Level.load(panel + ((vector & 1) &* Level.byteCount &+ (vector &>> 1) &* next))
    }
  }

  /// The sums of a panel's columns, with each row's term where `hasTerms`; with four vectors, those of
  /// two panels that lie `next` bytes apart.
  ///
  /// For each product wide tiles load fewer activations than high ones, which load every row's: where a
  /// core multiplies two vectors of 64 bytes in a cycle, loads take the time.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func accumulate(
    _ task: ByteTileTask, next: Int = 0, hasTerms: Bool
  ) -> InlineArray<rows, Row> {
    // Where no level has them, tiles would grow beyond what the optimizer inlines.
    #if arch(arm64)
      if Level.multipliesMatrices { return unsafe accumulateMatrices(task, hasTerms: hasTerms) }
    #else
      if rows == 4 && vectors == 1 { return unsafe accumulateInParts(task, hasTerms: hasTerms) }
    #endif
    let step = min(vectors, 2) &* Level.byteCount
    let bias = unsafe load(task.panel, next: next)
    var sums = InlineArray<rows, Row> { _ in bias }
    if hasTerms {
      for r in 0..<rows {
        let term = unsafe Level.broadcast(task.terms[r])
        for v in 0..<vectors { sums[r][v] = Level.add(bias[v], term) }
      }
    }
    var weights = unsafe task.panel + step
    let stride = unsafe task.stride
    var tap = unsafe task.left
    let last = unsafe tap + (task.tapCount &- 1) &* task.tapStride
    while unsafe tap <= last {
      var left = unsafe tap
      let end = unsafe left + task.wordCount &* 4
      #if arch(arm64)
        while unsafe Level.multipliesByLane && left + 16 <= end {
          let words = unsafe words(left, stride)
          unsafe multiply(&sums, words, 0, weights)
          unsafe multiply(&sums, words, 1, weights + step)
          unsafe multiply(&sums, words, 2, weights + 2 &* step)
          unsafe multiply(&sums, words, 3, weights + 3 &* step)
          unsafe weights += 4 &* step
          unsafe left += 16
        }
      #endif
      while unsafe left < end {
        let right = unsafe load(weights, next: next)
        unsafe weights += step
        for r in 0..<rows {
          let word = unsafe (left + r &* stride).loadUnaligned(as: Int32.self)
          let activations = Level.activations(word)
          for v in 0..<vectors { sums[r][v] = Level.dot(sums[r][v], activations, right[v]) }
        }
        unsafe left += 4
      }
      unsafe tap += task.tapStride
    }
    return sums
  }

  /// Four words of each row.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func words(
    _ left: UnsafeRawPointer, _ stride: Int
  ) -> InlineArray<rows, Level.Vector> {
    var words = InlineArray<rows, Level.Vector>(repeating: Level.broadcast(0))
    for r in 0..<rows { words[r] = unsafe Level.load(left + r &* stride) }
    return words
  }

  /// Adds the products of one of four words of each row.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func multiply(
    _ sums: inout InlineArray<rows, Row>, _ words: InlineArray<rows, Level.Vector>, _ word: Int,
    _ weights: UnsafeRawPointer
  ) {
    let right = unsafe load(weights)
    for r in 0..<rows {
      for v in 0..<vectors { sums[r][v] = Level.dot(sums[r][v], words[r], word: word, right[v]) }
    }
  }

  /// Writes the sums of a panel's columns, without the rows' terms.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(_ task: ByteTileTask) {
    let sums = unsafe accumulate(task, hasTerms: false)
    let stride = unsafe task.sumStride == 0 ? vectors &* Level.byteCount : task.sumStride
    for r in 0..<rows {
      for v in 0..<vectors {
        let offset = r &* stride &+ v &* Level.byteCount
        unsafe task.sums.storeBytes(of: sums[r][v], toByteOffset: offset, as: Level.Vector.self)
      }
    }
  }
}

extension ByteTile where rows == 1 {
  /// `run` for a single tap.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func runRow(_ task: ByteTileTask) {
    let sums = unsafe accumulateRow(task)
    for v in 0..<vectors {
      unsafe task.sums.storeBytes(
        of: sums[v], toByteOffset: v &* Level.byteCount, as: Level.Vector.self)
    }
  }

  /// The sums of a single tap; compact weights are widened on the way, and their zero point is
  /// subtracted unless it is 0.
  ///
  /// There are four partial sums of each column, which are exact in any order: one row by itself
  /// would wait for each product.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func accumulateRow(_ task: ByteTileTask) -> Row {
    #if arch(arm64)
      if Level.multipliesMatrices { return unsafe accumulateRowMatrices(task) }
    #endif
    if unsafe Level.isWide && task.isCompact {
      return unsafe task.zeroPoint == 0
        ? accumulateRow(task, isCompact: true, isCentered: true)
        : accumulateRow(task, isCompact: true, isCentered: false)
    }
    return unsafe accumulateRow(task, isCompact: false, isCentered: true)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func accumulateRow(
    _ task: ByteTileTask, isCompact: Bool, isCentered: Bool
  ) -> Row {
    let step = isCompact ? vectors &* Level.byteCount / 2 : vectors &* Level.byteCount
    let zeroPoint = unsafe Level.broadcast(word: Int32(task.zeroPoint))
    var sums = unsafe load(task.panel)
    let zero = Row(repeating: Level.broadcast(0))
    var parts = InlineArray<3, Row>(repeating: zero)
    var weights = unsafe task.panel + vectors &* Level.byteCount
    var left = unsafe task.left
    let end = unsafe left + task.wordCount &* 4
    @inline(__always)
    func add(_ part: Int, to sums: inout Row) {
      let word = unsafe (left + part &* 4).loadUnaligned(as: Int32.self)
      let activations = Level.activations(word)
      let right = unsafe weights + part &* step
      for v in 0..<vectors {
        let words =
          isCompact
          ? unsafe Level.loadWords(right + v &* Level.byteCount / 2, areSigned: true)
          : unsafe Level.load(right + v &* Level.byteCount)
        let weights = isCentered ? words : Level.subtractWords(words, zeroPoint)
        sums[v] = Level.dot(sums[v], activations, weights)
      }
    }
    while unsafe left + 16 <= end {
      add(0, to: &sums)
      for part in 0..<3 { add(part &+ 1, to: &parts[part]) }
      unsafe left += 16
      unsafe weights += 4 &* step
    }
    while unsafe left < end {
      add(0, to: &sums)
      unsafe left += 4
      unsafe weights += step
    }
    return Row { v in
      Level.add(Level.add(sums[v], parts[0][v]), Level.add(parts[1][v], parts[2][v]))
    }
  }
}

/// Copies up to 64 bytes, by moves that overlap.
@_alwaysEmitIntoClient
@inline(__always)
package func copyShort(
  _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
) {
  if count >= 16 {
    var index = 0
    while index < count {
      let start = min(index, count &- 16)
      unsafe (target + start).copyMemory(from: source + start, byteCount: 16)
      index &+= 16
    }
  } else if count >= 8 {
    let last = unsafe source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    unsafe target.copyMemory(from: source, byteCount: 8)
    unsafe target.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
  } else if count >= 4 {
    let last = unsafe source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
    unsafe target.copyMemory(from: source, byteCount: 4)
    unsafe target.storeBytes(of: last, toByteOffset: count &- 4, as: UInt32.self)
  } else {
    for index in 0..<count {
      let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
      unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }
}

/// Where a tile of the byte product reads and writes.
@unsafe
@frozen
@usableFromInline
package struct ByteTileTask {
  /// Rows, up to the level's tile.
  @usableFromInline package var rows: Int
  /// The first word of the rows' first tap.
  @usableFromInline package var left: UnsafeRawPointer
  /// Bytes from one row to the next.
  @usableFromInline package var stride: Int
  /// Whether the rows are interleaved instead; only tiles that scale their sums take them so.
  @usableFromInline package var areInterleaved: Bool
  /// Taps of a row, at least 1.
  @usableFromInline package var tapCount: Int
  /// Bytes from one tap to the next, at least 1.
  @usableFromInline package var tapStride: Int
  /// Words in a tap.
  @usableFromInline package var wordCount: Int
  /// What each row adds to its sums, where the block's `rowSumFactor` is not 0.
  @usableFromInline package var terms: UnsafePointer<Int32>
  /// The columns' bias and weights.
  @usableFromInline package var panel: UnsafeRawPointer
  /// Whether weights are compact, which only a row by itself may have.
  @usableFromInline package var isCompact: Bool
  /// What is subtracted from compact weights.
  @usableFromInline package var zeroPoint: Int16
  /// Where the sums go, row after row.
  @usableFromInline package var sums: UnsafeMutableRawPointer
  /// Bytes from one row of sums to the next; 0 where they follow each other.
  @usableFromInline package var sumStride: Int

  @_alwaysEmitIntoClient
  @inline(__always)
  init(
    rows: Int, left: UnsafeRawPointer, stride: Int, areInterleaved: Bool = false, tapCount: Int = 1,
    tapStride: Int = 1,
    wordCount: Int, terms: UnsafePointer<Int32>, panels: BytePanels,
    sums: UnsafeMutableRawPointer
  ) {
    unsafe self.rows = rows
    unsafe self.left = left
    unsafe self.stride = stride
    unsafe self.areInterleaved = areInterleaved
    unsafe self.tapCount = tapCount
    unsafe self.tapStride = tapStride
    unsafe self.wordCount = wordCount
    unsafe self.terms = terms
    unsafe panel = panels.first
    unsafe isCompact = panels.isCompact
    unsafe zeroPoint = panels.zeroPoint
    unsafe self.sums = sums
    unsafe sumStride = 0
  }
}

/// The tile of the task's rows, for levels whose tile has up to 12.
@_alwaysEmitIntoClient
@inline(__always)
package func byteTile<Level: ByteInstructions, let vectors: Int>(
  _ task: ByteTileTask, tileRows: Int, _ one: ByteTile<Level, 1, vectors>.Type
) {
  switch unsafe task.rows {
  case 2: unsafe ByteTile<Level, 2, vectors>.run(task)
  case 3: unsafe ByteTile<Level, 3, vectors>.run(task)
  case 4: unsafe ByteTile<Level, 4, vectors>.run(task)
  case 5 where tileRows >= 5: unsafe ByteTile<Level, 5, vectors>.run(task)
  case 6 where tileRows >= 6: unsafe ByteTile<Level, 6, vectors>.run(task)
  case 7 where tileRows >= 7: unsafe ByteTile<Level, 7, vectors>.run(task)
  case 8 where tileRows >= 8: unsafe ByteTile<Level, 8, vectors>.run(task)
  case 9 where tileRows >= 9: unsafe ByteTile<Level, 9, vectors>.run(task)
  case 10 where tileRows >= 10: unsafe ByteTile<Level, 10, vectors>.run(task)
  case 11 where tileRows >= 11: unsafe ByteTile<Level, 11, vectors>.run(task)
  case 12 where tileRows >= 12: unsafe ByteTile<Level, 12, vectors>.run(task)
  default:
    if unsafe task.tapCount == 1 {
      unsafe one.runRow(task)
    } else {
      unsafe one.run(task)
    }
  }
}
