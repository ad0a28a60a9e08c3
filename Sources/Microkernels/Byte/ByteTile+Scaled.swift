// SPDX-License-Identifier: Apache-2.0

extension ByteTile {
  /// Writes the quantized values of the task's columns, no more than the tile's, by the fast form of
  /// `ByteFinish`, without leaving registers in between.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func runScaled(_ task: ByteScaledTileTask, inSteps: Bool, hasTerms: Bool) {
    let sums = unsafe accumulateAny(task.tile, hasTerms: hasTerms)
    unsafe store(sums, task, inSteps: inSteps)
  }

  /// `accumulate` of rows that may be interleaved.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func accumulateAny(_ task: ByteTileTask, hasTerms: Bool) -> InlineArray<rows, Row>
  {
    // Where no level has them, tiles would grow beyond what the optimizer inlines.
    #if arch(arm64)
      if unsafe Level.interleavesRows && !hasTerms && task.areInterleaved {
        return unsafe accumulateInterleaved(task)
      }
    #endif
    return unsafe accumulate(task, hasTerms: hasTerms)
  }

  /// Writes the quantized values of sums; for two roundings where the level rounds products.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store(
    _ sums: InlineArray<rows, Row>, _ task: ByteScaledTileTask, inSteps: Bool
  ) {
    let limits = unsafe ByteLimits<Level>(task.finish)
    let table = unsafe task.finish.table + task.column &* 4
    let planeStride = unsafe task.finish.planeStride
    let scalings = InlineArray<vectors, Level.Scaling> { vector in
      unsafe Level.scaling(table + vector &* Level.byteCount, planeStride: planeStride)
    }
    // Part of a row goes by way of the memory for sums: one way of storing keeps all in registers.
    let isWhole = unsafe task.columnCount >= width
    let output = unsafe isWhole ? task.output : task.tile.sums
    let stride = unsafe isWhole ? task.outputStride : width
    let target = unsafe ScaledRows(
      scalings: scalings, limits: limits, output: output, stride: stride)
    // Of a loop that is not unrolled the sums would be in memory; loops of two rounds are.
    unsafe store(sums, 0, target, inSteps: inSteps)
    unsafe store(sums, 2, target, inSteps: inSteps)
    unsafe store(sums, 4, target, inSteps: inSteps)
    if !isWhole { unsafe task.copyParts(rowCount: rows, width: width) }
  }

  /// How and where rows of quantized values are written.
  @unsafe
  @usableFromInline
  struct ScaledRows {
    @usableFromInline let scalings: InlineArray<vectors, Level.Scaling>
    @usableFromInline let limits: ByteLimits<Level>
    @usableFromInline let output: UnsafeMutableRawPointer
    @usableFromInline let stride: Int

    @_alwaysEmitIntoClient
    @inline(__always)
    init(
      scalings: InlineArray<vectors, Level.Scaling>, limits: ByteLimits<Level>,
      output: UnsafeMutableRawPointer, stride: Int
    ) {
      unsafe self.scalings = scalings
      unsafe self.limits = limits
      unsafe self.output = output
      unsafe self.stride = stride
    }
  }

  /// Writes the quantized values of two groups of four vectors of sums, those of two or of four rows,
  /// if there are so many.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func store(
    _ sums: InlineArray<rows, Row>, _ group: Int, _ target: ScaledRows, inSteps: Bool
  ) {
    let step = 4 / vectors
    for index in group..<max(group, min(group &+ 2, (rows &+ step &- 1) / step)) {
      let first = index &* step
      let bytes = unsafe Level.narrow(
        scaled(sums, first, 0, target, inSteps), scaled(sums, first, 1, target, inSteps),
        scaled(sums, first, 2, target, inSteps), scaled(sums, first, 3, target, inSteps))
      unsafe storeRows(
        target.limits.values(bytes), target.output + first &* target.stride,
        count: min(step, rows &- first), stride: target.stride)
    }
  }

  /// The quantized values, 32 bits each, of one of four vectors from row `first` on.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func scaled(
    _ sums: InlineArray<rows, Row>, _ first: Int, _ index: Int, _ target: ScaledRows,
    _ inSteps: Bool
  ) -> Level.Vector {
    // Rows beyond the last are the last.
    let row = min(first &+ index / vectors, rows &- 1)
    return unsafe Level.scale(
      sums[row][index % vectors], target.scalings[index % vectors], inSteps: inSteps,
      rounding: Level.roundsProducts)
  }

  /// Writes `count` rows of quantized values.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func storeRows(
    _ vector: Level.Vector, _ output: UnsafeMutableRawPointer, count: Int, stride: Int
  ) {
    unsafe withUnsafePointer(to: vector) { pointer in
      let base = unsafe UnsafeRawPointer(pointer)
      for r in 0..<count {
        unsafe (output + r &* stride).copyMemory(from: base + r &* width, byteCount: width)
      }
    }
  }
}

/// The tile as high as `tile`, of one vector of columns, with its sums scaled.
@_alwaysEmitIntoClient
@inline(__always)
package func scaledHalfByteTile<Level: ByteInstructions, let rows: Int>(
  _ task: ByteScaledTileTask, inSteps: Bool, hasTerms: Bool, _ tile: ByteTile<Level, rows, 2>.Type
) {
  unsafe ByteTile<Level, rows, 1>.runScaled(task, inSteps: inSteps, hasTerms: hasTerms)
}

/// Where a tile of the byte product that scales its sums reads and writes.
@unsafe
@frozen
@usableFromInline
package struct ByteScaledTileTask {
  /// The tile, of the level's full height or of `LineTiles.leastRows`.
  @usableFromInline package var tile: ByteTileTask
  /// The factors and limits.
  @usableFromInline package var finish: ByteFinish
  /// Bytes from one panel to the next.
  @usableFromInline package var panelByteCount: Int
  /// The first column.
  @usableFromInline package var column: Int
  /// Columns, those of tiles that follow included.
  @usableFromInline package var columnCount: Int
  /// Where the first row's quantized values go.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Bytes from one output row to the next.
  @usableFromInline package var outputStride: Int

  /// Goes on to the next tile of `width` columns, if there is one.
  @_alwaysEmitIntoClient
  @inline(__always)
  package mutating func moveOn(by width: Int) -> Bool {
    unsafe tile.panel += panelByteCount
    unsafe output += width
    unsafe column &+= width
    unsafe columnCount &-= width
    return unsafe columnCount > 0
  }

  /// Goes on to the rows below so many.
  @_alwaysEmitIntoClient
  @inline(__always)
  package mutating func moveDown(by rows: Int) {
    unsafe tile.left += rows &* tile.stride
    unsafe tile.terms += rows
    unsafe output += rows &* outputStride
  }

  /// Copies the columns that the output has from rows of `width` in the memory for sums.
  ///
  /// Compiled once: tiles are inlined as a whole, and would be too large with it.
  @inline(never)
  @usableFromInline
  package func copyParts(rowCount: Int, width: Int) {
    for row in 0..<rowCount {
      unsafe copyShort(
        tile.sums + row &* width, to: output + row &* outputStride, count: columnCount)
    }
  }
}
