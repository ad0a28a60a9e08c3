// SPDX-License-Identifier: Apache-2.0

/// Kernels on 8-bit integers of one instruction-set level.
@safe
package final class ByteMicrokernels: Sendable {
  /// How products are laid out and cut up.
  package let layout: ByteGemmLayout
  /// The depthwise tiles, widest first.
  package let depthwiseTiles: [ByteDepthwiseKernels]
  /// The element-wise kernels.
  let elementwise: ByteElementwiseKernels
  let copyRows: CopyRows
  let widenPanels: Widen
  let tile: Tile
  let row: Row
  let scale: Scale
  let scaledTile: ScaledTile?
  /// The same in registers that hold matrices.
  private let matrixTile: Tile?
  private let scaledMatrixTile: ScaledTile?
  let finishReally: FinishReally
  let winograd: ByteWinogradKernels
  /// The kernels of floats that are quantized at every evaluation.
  package let hybrid: HybridMicrokernels

  /// Copies rows to where the tile reads them.
  package typealias CopyRows = @Sendable (ByteRowsTask) -> Void
  /// Widens weights.
  package typealias Widen = @Sendable (ByteWidening) -> Void
  /// Computes the sums of a tile; the panel is as wide as one or two vectors.
  package typealias Tile = @Sendable (ByteTileTask, _ vectors: Int) -> Void
  /// Computes the quantized values of a block of one row, by the fast form of `ByteFinish` without
  /// exceptions, or by the `real` form, or its sums.
  package typealias Row = @Sendable (ByteScaledTileTask, _ hasTerms: Bool) -> Void
  /// Computes the quantized values of tiles of full height, or of `LineTiles.leastRows`, by the fast
  /// form of `ByteFinish`; the panels are as wide as two vectors, or it is one of one vector.
  package typealias ScaledTile =
    @Sendable (ByteScaledTileTask, _ vectors: Int, _ hasTerms: Bool) -> Void
  /// Scales sums to quantized values.
  package typealias Scale = @Sendable (ByteScaleTask) -> Void
  /// Turns sums into quantized values by the `real` form of `ByteFinish`.
  package typealias FinishReally = @Sendable (RealFinish) -> Void

  /// The kernels of these functions.
  package init(
    layout: ByteGemmLayout, copyRows: @escaping CopyRows, widen: @escaping Widen,
    tile: @escaping Tile, row: @escaping Row, scaledTile: ScaledTile? = nil,
    matrixTile: Tile? = nil, scaledMatrixTile: ScaledTile? = nil,
    scale: @escaping Scale, finishReally: @escaping FinishReally,
    depthwise: ByteDepthwiseKernels, narrowDepthwise: ByteDepthwiseKernels?,
    elementwise: ByteElementwiseKernels, winograd: ByteWinogradKernels,
    hybrid: HybridMicrokernels
  ) {
    self.layout = layout
    depthwiseTiles = [depthwise] + (narrowDepthwise.map { [$0] } ?? [])
    self.elementwise = elementwise
    unsafe self.copyRows = copyRows
    unsafe widenPanels = widen
    unsafe self.tile = tile
    unsafe self.row = row
    unsafe self.scaledTile = scaledTile
    unsafe self.matrixTile = matrixTile
    unsafe self.scaledMatrixTile = scaledMatrixTile
    unsafe self.scale = scale
    unsafe self.finishReally = finishReally
    self.winograd = winograd
    self.hybrid = hybrid
  }

  /// The kernels of `other`, whose vectors are as long, with these products.
  convenience init(
    _ other: ByteMicrokernels, layout: ByteGemmLayout, copyRows: @escaping CopyRows,
    tile: @escaping Tile, row: @escaping Row, scaledTile: @escaping ScaledTile,
    depthwise: ByteDepthwiseKernels
  ) {
    unsafe self.init(
      layout: layout, copyRows: copyRows, widen: other.widenPanels, tile: tile, row: row,
      scaledTile: scaledTile, scale: other.scale, finishReally: other.finishReally,
      depthwise: depthwise, narrowDepthwise: nil, elementwise: other.elementwise,
      winograd: other.winograd, hybrid: other.hybrid)
  }

  /// The kernels of `other`, with products of several rows in registers that hold matrices.
  convenience init(
    _ other: ByteMicrokernels, matrixTile: @escaping Tile, scaledMatrixTile: @escaping ScaledTile
  ) {
    unsafe self.init(
      layout: other.layout.withMatrixTiles, copyRows: other.copyRows, widen: other.widenPanels,
      tile: other.tile, row: other.row, scaledTile: other.scaledTile, matrixTile: matrixTile,
      scaledMatrixTile: scaledMatrixTile, scale: other.scale, finishReally: other.finishReally,
      depthwise: other.depthwiseTiles[0],
      narrowDepthwise: other.depthwiseTiles.count > 1 ? other.depthwiseTiles[1] : nil,
      elementwise: other.elementwise, winograd: other.winograd, hybrid: other.hybrid)
  }

  /// Computes the sums of a tile.
  func sum(_ task: ByteTileTask, vectors: Int) {
    if unsafe takesMatrixTile(task) {
      unsafe matrixTile?(task, vectors)
    } else {
      unsafe tile(task, vectors)
    }
  }

  /// Computes the quantized values of tiles for which `scalesTiles` holds.
  func scale(_ task: ByteScaledTileTask, vectors: Int, hasTerms: Bool) {
    if unsafe takesMatrixTile(task.tile) {
      unsafe scaledMatrixTile?(task, vectors, hasTerms)
    } else {
      unsafe scaledTile?(task, vectors, hasTerms)
    }
  }

  /// Whether a tile is computed in registers that hold matrices.
  private func takesMatrixTile(_ task: ByteTileTask) -> Bool {
    unsafe task.rows >= ByteGemmLayout.leastMatrixRows
      && layout.takesMatrixTiles(wordCount: task.wordCount, tapCount: task.tapCount)
  }

  /// Whether tiles of these rows and words keep their sums in registers until they are quantized
  /// values, or have those of registers that hold matrices.
  func scalesTiles(_ task: ByteTileTask, _ finish: ByteFinish) -> Bool {
    let rows = unsafe task.rows
    let hasTile =
      unsafe rows == layout.tileRows || rows == LineTiles.leastRows || takesMatrixTile(task)
    return unsafe hasTile && finish.form == .fast && scaledTile != nil
      && (finish.takesRoundedProducts || !layout.roundsProducts)
  }
}

/// The depthwise tile of one vector width.
@safe
package struct ByteDepthwiseKernels: Sendable {
  /// How weights lie.
  let layout: ByteDepthwiseLayout
  let sums: Sums
  let columnSums: Sums
  let scale: ByteMicrokernels.Scale

  /// Computes the sums of a vector of channels for some pixels, in `flat` or `columns` order.
  package typealias Sums =
    @Sendable (ByteDepthwiseTask, ByteDepthwisePart)
    -> Void

  /// The tile of these functions.
  package init(
    layout: ByteDepthwiseLayout, sums: @escaping Sums, columnSums: @escaping Sums,
    scale: @escaping ByteMicrokernels.Scale
  ) {
    self.layout = layout
    unsafe self.sums = sums
    unsafe self.columnSums = columnSums
    unsafe self.scale = scale
  }

  /// Channels of the tile.
  package var width: Int { layout.width }
  /// Whether pixels and weights are multiplied as 16-bit words, two taps at a time, rather than as
  /// bytes, four at a time.
  package var isWide: Bool { layout.isWide }

  /// Whether the tile turns the sums of `columns` order at these positions into quantized values
  /// itself.
  func scalesColumns(_ task: ByteDepthwiseTask, _ positions: Range<Int>) -> Bool {
    let finish = unsafe task.finish
    guard unsafe task.order == .columns, unsafe finish.form == .fast,
      unsafe finish.exceptions.isEmpty(in: positions)
    else { return false }
    if layout.isWide { return unsafe !finish.scalesInSteps }
    return unsafe layout.interleavesLines && finish.takesRoundedProducts
      && positions.upperBound <= task.channelCount
  }

  /// Taps that are multiplied at once, and vectors of sums.
  package var groupTaps: Int { isWide ? 2 : 4 }

  /// The first channel of the tile that goes on from `channel`.
  ///
  /// On wide levels, that of the last channels overlaps the one before rather than lack some.
  package func firstChannel(from channel: Int, of channelCount: Int) -> Int {
    isWide ? max(0, min(channel, channelCount - width)) : channel
  }

  /// Where the tile holds the sum of one of its channels.
  package func position(of channel: Int) -> Int {
    interleavedPosition(of: channel, width: width, vectors: groupTaps)
  }
}

/// How the depthwise tile of one vector width takes pixels and weights.
@frozen
@usableFromInline
package struct ByteDepthwiseLayout: Sendable {
  /// Channels of the tile: the vector's bytes, or half as many on wide levels.
  @usableFromInline let width: Int
  /// Whether pixels and weights are multiplied as 16-bit words.
  @usableFromInline let isWide: Bool
  /// Whether activations are multiplied as signed numbers, 128 less than the unsigned ones.
  @usableFromInline let signsActivations: Bool
  /// Whether a tile that is not wide interleaves columns in memory where they do not fit registers,
  /// and turns sums into quantized values itself where it may round products.
  @usableFromInline let interleavesLines: Bool
  /// How pairs of words lie.
  @usableFromInline let pairOrder: WordPairOrder

  /// The layout of a level's vectors.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init<Level: ByteInstructions>(_: Level.Type) {
    width = Level.isWide ? Level.byteCount / 2 : Level.byteCount
    isWide = Level.isWide
    signsActivations = Level.isWide || Level.signsActivations
    interleavesLines = Level.interleavesLines
    pairOrder = Level.pairOrder
  }
}
