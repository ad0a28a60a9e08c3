// SPDX-License-Identifier: Apache-2.0

/// A block of a float matrix product whose left rows are found through pointers.
///
///     y[r, n] = clamp(bias[n] + Σ over taps t and k < depth of rows[t, r][k] · w[t, k, n])
///
/// A convolution gives one pointer per output pixel and tap (those in the padding point to
/// zeroes), so it needs no copy of its input; a plain product has one tap. Every element is one
/// chain of additions that starts at the bias and follows taps, then `k`: results do not depend
/// on how a product is cut into blocks.
@unsafe
@usableFromInline
package struct FloatGemmTask {
  /// Pointers to the left operand: row `r` of tap `t` starts at `rows[t * rowPitch + r]`.
  @usableFromInline package var rows: UnsafePointer<UnsafePointer<Float>>
  /// Pointers from one tap to the next.
  @usableFromInline package var rowPitch: Int
  /// Rows of the block, at least 1.
  @usableFromInline package var rowCount: Int
  /// Taps.
  @usableFromInline package var tapCount: Int
  /// Floats of each tap that lie before the first.
  @usableFromInline package var skipped: Int
  /// Floats that each pointer stands for.
  @usableFromInline package var depth: Int
  /// The first of the block's panels of a `PackedFloatMatrix`.
  @usableFromInline package var weights: UnsafeRawPointer
  /// Columns of the block; only the matrix' last panel may be partly used.
  @usableFromInline package var columnCount: Int
  /// Where the block's first row and column go.
  @usableFromInline package var output: UnsafeMutablePointer<Float>
  /// Floats from one output row to the next.
  @usableFromInline package var outputStride: Int
  /// The least result.
  @usableFromInline package var lowest: Float
  /// The greatest result.
  @usableFromInline package var highest: Float
  /// `FloatGemmLayout.scratchByteCount` bytes where rows are to be copied before use, else nil.
  @usableFromInline package var scratch: UnsafeMutableRawPointer?

  /// A block of these parts.
  package init(
    rows: UnsafePointer<UnsafePointer<Float>>, rowPitch: Int, rowCount: Int, tapCount: Int,
    depth: Int, weights: UnsafeRawPointer, columnCount: Int, output: UnsafeMutablePointer<Float>,
    outputStride: Int, lowest: Float, highest: Float, scratch: UnsafeMutableRawPointer? = nil
  ) {
    unsafe self.rows = rows
    unsafe self.rowPitch = rowPitch
    unsafe self.rowCount = rowCount
    unsafe self.tapCount = tapCount
    unsafe skipped = 0
    unsafe self.depth = depth
    unsafe self.weights = weights
    unsafe self.columnCount = columnCount
    unsafe self.output = output
    unsafe self.outputStride = outputStride
    unsafe self.lowest = lowest
    unsafe self.highest = highest
    unsafe self.scratch = scratch
  }
}

/// Rows of a float product that lie at equal distances and overlap: the windows of lines of output
/// pixels, over copied rows of the input.
///
/// A window's taps are rows of neighboring pixels. Every element is one chain of additions that
/// starts at the bias and follows taps, then the floats of each.
@unsafe
@usableFromInline
package struct FloatLineTask {
  /// The first float of the first row's first tap.
  @usableFromInline package var left: UnsafePointer<Float>
  /// Floats from one row of a line to the next.
  @usableFromInline package var stride: Int
  /// Rows of a line, at least `LineTiles.leastRows`.
  @usableFromInline package var rowCount: Int
  /// Floats from one line to the next.
  @usableFromInline package var lineStride: Int
  /// Lines.
  @usableFromInline package var lineCount: Int
  /// Taps of each row.
  @usableFromInline package var tapCount: Int
  /// Floats from one tap to the next.
  @usableFromInline package var tapStride: Int
  /// Floats of each tap.
  @usableFromInline package var depth: Int
  /// The first panel of a `PackedFloatMatrix`.
  @usableFromInline package var weights: UnsafeRawPointer
  /// Columns of the matrix.
  @usableFromInline package var columnCount: Int
  /// Where the first row's columns go.
  @usableFromInline package var output: UnsafeMutablePointer<Float>
  /// Floats from one output row of a line to the next.
  @usableFromInline package var outputStride: Int
  /// Floats from one line of the output to the next.
  @usableFromInline package var outputLineStride: Int
  /// The least result.
  @usableFromInline package var lowest: Float
  /// The greatest result.
  @usableFromInline package var highest: Float

  /// Lines of these parts.
  package init(
    left: UnsafePointer<Float>, stride: Int, rowCount: Int, lineStride: Int, lineCount: Int,
    tapCount: Int, tapStride: Int, depth: Int, weights: UnsafeRawPointer, columnCount: Int,
    output: UnsafeMutablePointer<Float>, outputStride: Int, outputLineStride: Int, lowest: Float,
    highest: Float
  ) {
    unsafe self.left = left
    unsafe self.stride = stride
    unsafe self.rowCount = rowCount
    unsafe self.lineStride = lineStride
    unsafe self.lineCount = lineCount
    unsafe self.tapCount = tapCount
    unsafe self.tapStride = tapStride
    unsafe self.depth = depth
    unsafe self.weights = weights
    unsafe self.columnCount = columnCount
    unsafe self.output = output
    unsafe self.outputStride = outputStride
    unsafe self.outputLineStride = outputLineStride
    unsafe self.lowest = lowest
    unsafe self.highest = highest
  }
}

/// How a level lays out and cuts up float products.
@frozen
@usableFromInline
package struct FloatGemmLayout: Sendable {
  /// Rows of the register tile.
  @usableFromInline package let tileRows: Int
  /// Rows of the tile for products of up to `columnWidth` columns: sums must be many enough not to
  /// wait for each other.
  @usableFromInline package let columnRows: Int
  /// Columns of that tile.
  @usableFromInline package let columnWidth: Int
  /// Columns of a panel; the last one has as many vectors as its columns take.
  @usableFromInline package let panelWidth: Int
  /// Floats of a vector.
  @usableFromInline package let laneCount: Int
  /// Up to so many columns are computed by shorter vectors; 0 where there are none.
  @usableFromInline package let narrowWidth: Int

  /// A layout of these parts.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init<Level, let rows: Int, let vectors: Int, let columnRows: Int, let columnVectors: Int>(
    _: FloatTile<Level, rows, vectors>.Type,
    column: FloatTile<Level, columnRows, columnVectors>.Type, narrowWidth: Int
  ) {
    tileRows = rows
    self.columnRows = columnRows
    columnWidth = columnVectors * Level.laneCount
    panelWidth = vectors * Level.laneCount
    laneCount = Level.laneCount
    self.narrowWidth = narrowWidth
  }

  /// Rows of the highest tile for so many columns.
  package func tileRows(columnCount: Int) -> Int {
    columnCount > columnWidth ? tileRows : columnRows
  }

  /// The vectors for the columns of a panel that starts so many before the last, or 0 for a shorter
  /// one.
  package func vectors(columnCount: Int) -> Int {
    columnCount > narrowWidth ? width(columnCount: columnCount) / laneCount : 0
  }

  /// The columns of a panel that starts so many before the last, filled up to whole vectors.
  package func width(columnCount: Int) -> Int {
    min(roundedUp(columnCount, to: laneCount), panelWidth)
  }

  /// Bytes from one copied row to the next: an odd number of cache lines, so that the rows of a
  /// tile do not compete for the same cache sets.
  package func rowStride(_ depth: Int) -> Int { ((depth &* 4 &+ 63) / 64 | 1) &* 64 }

  /// Bytes of scratch memory for copied rows of `depth` floats over all taps.
  package func scratchByteCount(depth: Int) -> Int { tileRows * rowStride(depth) }

  /// Whether a product gains when its rows are copied first.
  ///
  /// It does where taps are too short to loop over, and where tiles are high and their rows, `depth`
  /// floats apart, fall into the same few sets of the first-level cache, some processors' of eight
  /// lines.
  package func prefersCopies(depth: Int, tapCount: Int, columnCount: Int) -> Bool {
    (tapCount > 1 && depth < 8)
      || (depth >= 512 && depth % 512 == 0 && tileRows(columnCount: columnCount) >= 8)
  }
}
