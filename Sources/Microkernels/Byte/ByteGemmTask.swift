// SPDX-License-Identifier: Apache-2.0

/// A block of a product of 8-bit matrices whose left rows are found through pointers.
///
///     y[r, n] = finish(bias[n] + Σ over taps t and k < depth of
///                      (rows[t, r][k] − zₓ) · (w[t, k, n] − z_w))
///
/// The zero points are folded into the packed bias, save for one term per row where the weights
/// have a zero point. Sums are exact modulo 2^32 whatever the order, as TFLite's are.
@unsafe
@usableFromInline
package struct ByteGemmTask {
  /// Pointers to the left operand: row `r` of tap `t` starts at `rows[t * rowPitch + r]`.
  @usableFromInline package var rows: UnsafePointer<UnsafeRawPointer>
  /// Pointers from one tap to the next.
  @usableFromInline package var rowPitch: Int
  /// Rows of the block, at least 1.
  @usableFromInline package var rowCount: Int
  /// Taps.
  @usableFromInline package var tapCount: Int
  /// Bytes that each pointer stands for.
  @usableFromInline package var depth: Int
  /// What makes activations unsigned: 0x80 for `Int8`, 0 for `UInt8`.
  @usableFromInline package var activationFlip: UInt8
  /// The block's panels, which may be compact for a single row.
  @usableFromInline package var weights: BytePanels
  /// Columns of the block; only the matrix' last panel may be partly used.
  @usableFromInline package var columnCount: Int
  /// How sums become output.
  @usableFromInline package var finish: ByteFinish
  /// Where the block's first row and column go.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Bytes from one output row to the next.
  @usableFromInline package var outputStride: Int
  /// `ByteGemmLayout.scratchByteCount` bytes, aligned to a vector.
  @usableFromInline package var scratch: UnsafeMutableRawPointer

  /// A block of these parts.
  package init(
    rows: UnsafePointer<UnsafeRawPointer>, rowPitch: Int, rowCount: Int, tapCount: Int,
    depth: Int, activationFlip: UInt8, weights: BytePanels, columnCount: Int,
    finish: ByteFinish, output: UnsafeMutableRawPointer, outputStride: Int,
    scratch: UnsafeMutableRawPointer
  ) {
    unsafe self.rows = rows
    unsafe self.rowPitch = rowPitch
    unsafe self.rowCount = rowCount
    unsafe self.tapCount = tapCount
    unsafe self.depth = depth
    unsafe self.activationFlip = activationFlip
    unsafe self.weights = weights
    unsafe self.columnCount = columnCount
    unsafe self.finish = finish
    unsafe self.output = output
    unsafe self.outputStride = outputStride
    unsafe self.scratch = scratch
  }
}

/// Rows of a product that lie at equal distances and overlap: the windows of lines of output pixels,
/// over copied rows of the input.
///
/// A window's taps are rows of neighboring pixels, rounded up to whole words: weights for what is
/// behind its last pixel are as good as zero.
@unsafe
@usableFromInline
package struct ByteLineTask {
  /// The first word of the first row's first tap; activations are unsigned, and 16-bit words on
  /// wide levels.
  package var left: UnsafeRawPointer
  /// Bytes from one row of a line to the next.
  package var stride: Int
  /// Rows of a line, at least `LineTiles.leastRows`.
  package var rowCount: Int
  /// Bytes from one line to the next.
  package var lineStride: Int
  /// Lines.
  package var lineCount: Int
  /// Taps of each row.
  package var tapCount: Int
  /// Bytes from one tap to the next.
  package var tapStride: Int
  /// Words of each tap.
  package var wordCount: Int
  /// The matrix' panels, not compact ones.
  package var weights: BytePanels
  /// Columns of the matrix.
  package var columnCount: Int
  /// How sums become output.
  package var finish: ByteFinish
  /// Where the first row's columns go.
  package var output: UnsafeMutableRawPointer
  /// Bytes from one output row of a line to the next.
  package var outputStride: Int
  /// Bytes from one line of the output to the next.
  package var outputLineStride: Int
  /// `ByteGemmLayout.lineScratchByteCount` bytes, aligned to a vector.
  package var scratch: UnsafeMutableRawPointer

  /// Lines of these parts.
  package init(
    left: UnsafeRawPointer, stride: Int, rowCount: Int, lineStride: Int, lineCount: Int,
    tapCount: Int, tapStride: Int, wordCount: Int, weights: BytePanels, columnCount: Int,
    finish: ByteFinish, output: UnsafeMutableRawPointer, outputStride: Int,
    outputLineStride: Int, scratch: UnsafeMutableRawPointer
  ) {
    unsafe self.left = left
    unsafe self.stride = stride
    unsafe self.rowCount = rowCount
    unsafe self.lineStride = lineStride
    unsafe self.lineCount = lineCount
    unsafe self.tapCount = tapCount
    unsafe self.tapStride = tapStride
    unsafe self.wordCount = wordCount
    unsafe self.weights = weights
    unsafe self.columnCount = columnCount
    unsafe self.finish = finish
    unsafe self.output = output
    unsafe self.outputStride = outputStride
    unsafe self.outputLineStride = outputLineStride
    unsafe self.scratch = scratch
  }
}

/// How a level lays out and cuts up products of 8-bit matrices.
@frozen
@usableFromInline
package struct ByteGemmLayout: Sendable {
  /// Rows of the register tile of vectors.
  @usableFromInline package let tileRows: Int
  /// Columns of a panel; the last one has half as many where that suffices.
  @usableFromInline package let panelWidth: Int
  /// The power of two that a panel has as many columns as, so that counting panels needs no division.
  @usableFromInline package let panelShift: Int
  /// Whether weights are 16-bit words in pairs rather than bytes in fours.
  @usableFromInline package let isWide: Bool
  /// Whether activations are multiplied as signed bytes rather than as unsigned ones.
  @usableFromInline package let signsActivations: Bool
  /// How pairs of words lie.
  @usableFromInline package let pairOrder: WordPairOrder
  /// Whether eight bytes of two rows and of two columns are multiplied at once.
  @usableFromInline package let multipliesMatrices: Bool
  /// Whether tiles of some size are computed in registers that hold matrices.
  @usableFromInline private(set) var hasMatrixTiles = false
  /// Whether tiles that scale their sums take interleaved rows.
  @usableFromInline package let interleavesRows: Bool
  /// Whether tiles that scale their sums take rounded products alone.
  @usableFromInline let roundsProducts: Bool

  /// The layout of the products of a level's vectors, in tiles of so many rows and two vectors.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init<Level: ByteInstructions>(tileRows: Int, _: Level.Type) {
    self.tileRows = tileRows
    panelWidth = 2 &* Level.laneCount
    panelShift = panelWidth.trailingZeroBitCount
    isWide = Level.isWide
    signsActivations = Level.signsActivations
    pairOrder = Level.pairOrder
    multipliesMatrices = Level.multipliesMatrices
    interleavesRows = Level.interleavesRows
    roundsProducts = Level.roundsProducts
  }

  /// This layout where tiles of some size are computed in registers that hold matrices.
  var withMatrixTiles: ByteGemmLayout {
    var layout = self
    layout.hasMatrixTiles = true
    return layout
  }

  /// Whether tiles of so many words are computed in registers that hold matrices, if they have
  /// `leastMatrixRows`.
  ///
  /// A step of up to 16 words of a tap takes them as long as three words of vectors, and their sums go by
  /// way of memory, which takes as long as seven.
  @_alwaysEmitIntoClient
  @inline(__always)
  func takesMatrixTiles(wordCount: Int, tapCount: Int = 1) -> Bool {
    guard hasMatrixTiles else { return false }
    let steps = tapCount &* ((wordCount &+ TileShape.side &- 1) / TileShape.side)
    return wordCount &* tapCount > 3 &* steps &+ 7
  }

  /// The least rows of tiles in registers that hold matrices, which may have any number from it on:
  /// `ByteMatrixTile.ScaledRows` has as many.
  @_alwaysEmitIntoClient
  @inline(__always)
  static var leastMatrixRows: Int { 8 }

  /// Rows of the highest tiles of products of so many words.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func tileRows(wordCount: Int, tapCount: Int = 1) -> Int {
    takesMatrixTiles(wordCount: wordCount, tapCount: tapCount) ? 2 &* TileShape.side : tileRows
  }

  /// Rows that are copied at a time: those of a tile, or in registers that hold matrices of several, as
  /// many as fill half of a first-level cache.
  @_alwaysEmitIntoClient
  @inline(__always)
  func copiedRows(wordCount: Int) -> Int {
    let rows = tileRows(wordCount: wordCount)
    guard takesMatrixTiles(wordCount: wordCount) else { return rows }
    return max(24 &* 1024 / (wordCount &* 4) / rows, 1) &* rows
  }

  /// Rows of the highest tiles of products of copied rows of `depth` activations.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func tileRows(depth: Int) -> Int { tileRows(wordCount: wordCount(depth)) }

  /// 32-bit words of a vector.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var laneCount: Int { panelWidth / 2 }

  /// What makes unsigned activations those that are multiplied.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var activationFlip: UInt8 { signsActivations ? 0x80 : 0 }

  /// Activations that one 32-bit word holds.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var wordDepth: Int { isWide ? 2 : 4 }

  /// Activations that are multiplied at once: those of one word or of two.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var stepDepth: Int { multipliesMatrices ? 8 : wordDepth }

  /// Words that hold `depth` activations in whole steps.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func wordCount(_ depth: Int) -> Int {
    (depth &+ stepDepth &- 1) / stepDepth &* (stepDepth / wordDepth)
  }

  /// Bytes from one copied row to the next: an odd number of cache lines, so that the rows of a
  /// tile do not compete for the same cache sets.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func rowStride(_ depth: Int) -> Int { ((wordCount(depth) &* 4 &+ 63) / 64 | 1) &* 64 }

  /// Bytes of a tile's sums, at least: of four vectors of 64 bytes.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var leastSumByteCount: Int { 256 }

  /// Bytes from the sums of a tile of `rows`, which are a multiple of four vectors of 64 bytes, to
  /// its quantized values.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func valuesOffset(_ rows: Int) -> Int {
    let step = Self.leastSumByteCount
    return (rows &* panelWidth &* 4 &+ step &- 1) / step &* step
  }

  /// Bytes from the sums of a tile of `rows` to the terms of its rows.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func termsOffset(_ rows: Int) -> Int {
    let values = valuesOffset(rows)
    return values &+ values / 4
  }

  /// Bytes of a tile's sums, its quantized values and the terms of its rows, in whole vectors of 64
  /// bytes.
  @_alwaysEmitIntoClient
  @inline(__always)
  func tileByteCount(_ rows: Int) -> Int { termsOffset(rows) &+ (rows &+ 15) / 16 &* 64 }

  /// Bytes of scratch memory that a task of `depth` activations per row (over all taps) and up to
  /// `rowCount` rows needs: a tile's rows, its sums, its quantized values, and a term per row.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func scratchByteCount(depth: Int, rowCount: Int = .max) -> Int {
    let rows = min(rowCount, copiedRows(wordCount: wordCount(depth)))
    return rows &* rowStride(depth) &+ tileByteCount(rows)
  }

  /// Bytes of scratch memory that a line needs: a tile's sums, its quantized values, and a term per
  /// row.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var lineScratchByteCount: Int {
    tileByteCount(hasMatrixTiles ? 2 &* TileShape.side : tileRows)
  }
}
