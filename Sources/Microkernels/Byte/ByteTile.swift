// SPDX-License-Identifier: Apache-2.0

/// The register tile of the byte product: `rows` rows by `vectors` vectors of columns.
@usableFromInline
package enum ByteTile<Level: ByteInstructions, let rows: Int, let vectors: Int> {
  @usableFromInline package typealias Row = InlineArray<vectors, Level.Vector>

  /// Columns of the tile.
  @inlinable
  @inline(__always)
  package static var width: Int { vectors &* Level.laneCount }

  @inlinable
  @inline(__always)
  package static func load(_ pointer: UnsafeRawPointer) -> Row {
    Row { vector in unsafe Level.load(pointer + vector &* Level.byteCount) }
  }

  /// The sums of a panel's columns, with each row's term where `hasTerms`.
  @inlinable
  @inline(__always)
  package static func accumulate(
    _ task: ByteTileTask, hasTerms: Bool
  ) -> InlineArray<rows, Row> {
    let step = vectors &* Level.byteCount
    let bias = unsafe load(task.panel)
    var sums = InlineArray<rows, Row> { _ in bias }
    if hasTerms {
      for r in 0..<rows {
        let term = unsafe Level.broadcast(task.terms[r])
        for v in 0..<vectors { sums[r][v] = Level.add(bias[v], term) }
      }
    }
    var weights = unsafe task.panel + step
    let stride = unsafe task.stride
    var left = unsafe task.left
    let end = unsafe left + task.wordCount &* 4
    while unsafe left < end {
      let right = unsafe load(weights)
      unsafe weights += step
      for r in 0..<rows {
        let word = unsafe (left + r &* stride).loadUnaligned(as: Int32.self)
        let activations = Level.broadcast(word)
        for v in 0..<vectors { sums[r][v] = Level.dot(sums[r][v], activations, right[v]) }
      }
      unsafe left += 4
    }
    return sums
  }

  /// Writes the sums of a panel's columns, without the rows' terms.
  @inlinable
  @inline(__always)
  package static func run(_ task: ByteTileTask) {
    let sums = unsafe accumulate(task, hasTerms: false)
    for r in 0..<rows {
      for v in 0..<vectors {
        let offset = (r &* vectors &+ v) &* Level.byteCount
        unsafe task.sums.storeBytes(of: sums[r][v], toByteOffset: offset, as: Level.Vector.self)
      }
    }
  }
}

extension ByteTile where vectors == 2 {
  /// Writes the quantized values of a whole panel's columns, by the fast form of `ByteFinish`,
  /// without leaving registers in between.
  @inlinable
  @inline(__always)
  package static func runScaled(_ task: ByteScaledTileTask, inSteps: Bool, hasTerms: Bool) {
    let sums = unsafe accumulate(task.tile, hasTerms: hasTerms)
    let limits = unsafe ByteLimits<Level>(task.finish)
    let table = unsafe task.finish.table + task.column &* 4
    let planeStride = unsafe task.finish.planeStride
    let left = unsafe Level.scaling(table, planeStride: planeStride)
    let right = unsafe Level.scaling(table + Level.byteCount, planeStride: planeStride)
    let stride = unsafe task.outputStride
    var output = unsafe task.output
    for pair in 0..<(rows &+ 1) / 2 {
      // An odd last row is its own neighbor.
      let r = pair &* 2
      let next = r &+ 1 < rows ? r &+ 1 : r
      let bytes = Level.narrow(
        Level.scale(sums[r][0], left, inSteps: inSteps),
        Level.scale(sums[r][1], right, inSteps: inSteps),
        Level.scale(sums[next][0], left, inSteps: inSteps),
        Level.scale(sums[next][1], right, inSteps: inSteps))
      unsafe storeHalves(limits.values(bytes), output, output + (next &- r) &* stride)
      unsafe output += 2 &* stride
    }
  }

  /// Writes the lower and the upper half of a vector to different addresses.
  @inlinable
  @inline(__always)
  package static func storeHalves(
    _ vector: Level.Vector, _ low: UnsafeMutableRawPointer, _ high: UnsafeMutableRawPointer
  ) {
    let half = Level.byteCount / 2
    unsafe withUnsafeBytes(of: vector) { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe low.copyMemory(from: base, byteCount: half)
      unsafe high.copyMemory(from: base + half, byteCount: half)
    }
  }
}

/// Where a tile of the byte product that scales its sums reads and writes.
@unsafe
@frozen
@usableFromInline
package struct ByteScaledTileTask {
  /// The tile, of the level's full height and width; its pointer for sums is not used.
  @usableFromInline package var tile: ByteTileTask
  /// The factors and limits.
  @usableFromInline package var finish: ByteFinish
  /// The tile's first column.
  @usableFromInline package var column: Int
  /// Where the first row's quantized values go.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Bytes from one output row to the next.
  @usableFromInline package var outputStride: Int
}

/// Where a tile of the byte product reads and writes.
@unsafe
@frozen
@usableFromInline
package struct ByteTileTask {
  /// Rows, up to the level's tile.
  @usableFromInline package var rows: Int
  /// The rows' first word.
  @usableFromInline package var left: UnsafeRawPointer
  /// Bytes from one row to the next.
  @usableFromInline package var stride: Int
  /// Words in a row.
  @usableFromInline package var wordCount: Int
  /// What each row adds to its sums, where the block's `rowSumFactor` is not 0.
  @usableFromInline package var terms: UnsafePointer<Int32>
  /// The columns' bias and weights.
  @usableFromInline package var panel: UnsafeRawPointer
  /// Where the sums go, row after row.
  @usableFromInline package var sums: UnsafeMutableRawPointer

  @inlinable
  @inline(__always)
  init(
    rows: Int, left: UnsafeRawPointer, stride: Int, wordCount: Int,
    terms: UnsafePointer<Int32>, panel: UnsafeRawPointer, sums: UnsafeMutableRawPointer
  ) {
    unsafe self.rows = rows
    unsafe self.left = left
    unsafe self.stride = stride
    unsafe self.wordCount = wordCount
    unsafe self.terms = terms
    unsafe self.panel = panel
    unsafe self.sums = sums
  }
}

/// The tile of the task's rows, for levels whose tile has up to 12.
@inlinable
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
  default: unsafe one.run(task)
  }
}
