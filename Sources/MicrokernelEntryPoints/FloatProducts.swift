// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  private enum FloatVectors: FloatPrimitives {}
  private enum NarrowFloatVectors: NarrowFloatPrimitives {
    @inline(__always)
    static var packedByteCount: Int { FloatVectors.byteCount }
  }

  private typealias FullTile = Tiles.FloatProduct<FloatVectors>
  private typealias ColumnTile = Tiles.FloatColumn<FloatVectors>

  /// A tile of a float product, as wide as so many vectors or, for 0, as a shorter one.
  func floatTile(_ task: FloatTileTask, vectors: Int) {
    switch vectors {
    case 4 where FullTile.vectors >= 4: unsafe fourVectorFloatTile(task)
    case 3 where FullTile.vectors >= 3: unsafe threeVectorFloatTile(task)
    case 2: unsafe twoVectorFloatTile(task)
    case 0 where NarrowFloatVectors.byteCount < FloatVectors.byteCount:
      unsafe narrowFloatTile(task)
    default: unsafe oneVectorFloatTile(task)
    }
  }

  @inline(never)
  func narrowFloatTile(_ task: FloatTileTask) {
    unsafe floatTile(task, tileRows: ColumnTile.rows, FloatTile<NarrowFloatVectors, 1, 1>.self)
  }

  @inline(never)
  func fourVectorFloatTile(_ task: FloatTileTask) {
    unsafe floatTile(task, tileRows: FullTile.rows, FloatTile<FloatVectors, 1, 4>.self)
  }

  @inline(never)
  func threeVectorFloatTile(_ task: FloatTileTask) {
    unsafe floatTile(task, tileRows: FullTile.rows, FloatTile<FloatVectors, 1, 3>.self)
  }

  @inline(never)
  func twoVectorFloatTile(_ task: FloatTileTask) {
    unsafe floatTile(
      task, tileRows: ColumnTile.vectors < 2 ? FullTile.rows : ColumnTile.rows,
      FloatTile<FloatVectors, 1, 2>.self)
  }

  @inline(never)
  func oneVectorFloatTile(_ task: FloatTileTask) {
    unsafe floatTile(task, tileRows: ColumnTile.rows, FloatTile<FloatVectors, 1, 1>.self)
  }

  /// A tile of a line of a float product, as wide as so many vectors or, for 0, as a shorter one.
  func floatLineTile(_ task: FloatLineTileTask, vectors: Int) {
    switch vectors {
    case 4 where FullTile.vectors >= 4: unsafe fourVectorFloatLineTile(task)
    case 3 where FullTile.vectors >= 3: unsafe threeVectorFloatLineTile(task)
    case 2: unsafe twoVectorFloatLineTile(task)
    case 0 where NarrowFloatVectors.byteCount < FloatVectors.byteCount:
      unsafe narrowFloatLineTile(task)
    default: unsafe oneVectorFloatLineTile(task)
    }
  }

  @inline(never)
  func narrowFloatLineTile(_ task: FloatLineTileTask) {
    unsafe floatLineTile(
      task, FloatTile<NarrowFloatVectors, 4, 1>.self,
      full: Tiles.FloatProduct<NarrowFloatVectors>.self,
      column: Tiles.FloatColumn<NarrowFloatVectors>.self)
  }

  @inline(never)
  func fourVectorFloatLineTile(_ task: FloatLineTileTask) {
    unsafe floatLineTile(
      task, FloatTile<FloatVectors, 4, 4>.self, full: FullTile.self, column: ColumnTile.self)
  }

  @inline(never)
  func threeVectorFloatLineTile(_ task: FloatLineTileTask) {
    unsafe floatLineTile(
      task, FloatTile<FloatVectors, 4, 3>.self, full: FullTile.self, column: ColumnTile.self)
  }

  @inline(never)
  func twoVectorFloatLineTile(_ task: FloatLineTileTask) {
    unsafe floatLineTile(
      task, FloatTile<FloatVectors, 4, 2>.self, full: FullTile.self, column: ColumnTile.self)
  }

  @inline(never)
  func oneVectorFloatLineTile(_ task: FloatLineTileTask) {
    unsafe floatLineTile(
      task, FloatTile<FloatVectors, 4, 1>.self, full: FullTile.self, column: ColumnTile.self)
  }

  /// A tile of a product whose products are scaled, as wide as so many vectors.
  func scaledFloatTile(_ task: FloatTileTask, _ scaling: FloatProductScaling, vectors: Int) {
    switch vectors {
    case 4 where FullTile.vectors >= 4: unsafe fourVectorScaledFloatTile(task, scaling)
    case 3 where FullTile.vectors >= 3: unsafe threeVectorScaledFloatTile(task, scaling)
    case 2: unsafe twoVectorScaledFloatTile(task, scaling)
    default: unsafe oneVectorScaledFloatTile(task, scaling)
    }
  }

  @inline(never)
  func fourVectorScaledFloatTile(_ task: FloatTileTask, _ scaling: FloatProductScaling) {
    unsafe scaledFloatTile(task, scaling, FloatTile<FloatVectors, 1, 4>.self)
  }

  @inline(never)
  func threeVectorScaledFloatTile(_ task: FloatTileTask, _ scaling: FloatProductScaling) {
    unsafe scaledFloatTile(task, scaling, FloatTile<FloatVectors, 1, 3>.self)
  }

  @inline(never)
  func twoVectorScaledFloatTile(_ task: FloatTileTask, _ scaling: FloatProductScaling) {
    unsafe scaledFloatTile(task, scaling, FloatTile<FloatVectors, 1, 2>.self)
  }

  @inline(never)
  func oneVectorScaledFloatTile(_ task: FloatTileTask, _ scaling: FloatProductScaling) {
    unsafe scaledFloatTile(task, scaling, FloatTile<FloatVectors, 1, 1>.self)
  }

  /// Rows times a vector.
  func floatRows(_ rows: FloatRowProducts) { unsafe multiplyRows(rows, FloatVectors.self) }

  /// A part of a float depthwise convolution with any window.
  func floatDepthwise(_ part: FloatDepthwisePart) {
    unsafe floatDepthwise(part, FloatVectors.self)
  }

  /// A part of a float depthwise convolution with three neighboring columns and a stride of 1.
  func floatDepthwiseThree(_ part: FloatDepthwisePart) {
    unsafe floatDepthwise(
      part, SharedColumns<3, 1, 6>.self, pairs: Tiles.holdsPairs, FloatVectors.self)
  }

  /// A part of a float depthwise convolution with five neighboring columns and a stride of 1.
  func floatDepthwiseFive(_ part: FloatDepthwisePart) {
    unsafe floatDepthwise(
      part, SharedColumns<5, 1, 8>.self, pairs: Tiles.holdsPairs, FloatVectors.self)
  }

  /// A tile of the input of a convolution by minimal filtering.
  func winogradInput(_ task: WinogradInputTask, _ size: WinogradTileSize) {
    switch size {
    case .two: unsafe smallWinogradInput(task)
    case .four: unsafe largeWinogradInput(task)
    }
  }

  @inline(never)
  func smallWinogradInput(_ task: WinogradInputTask) {
    unsafe WinogradTile<FloatVectors, 4, 2>.run(task)
  }

  @inline(never)
  func largeWinogradInput(_ task: WinogradInputTask) {
    unsafe WinogradTile<FloatVectors, 6, 4>.run(task)
  }

  /// A tile of sums of a convolution by minimal filtering.
  func winogradOutput(_ task: WinogradOutputTask, _ size: WinogradTileSize) {
    switch size {
    case .two: unsafe smallWinogradOutput(task)
    case .four: unsafe largeWinogradOutput(task)
    }
  }

  @inline(never)
  func smallWinogradOutput(_ task: WinogradOutputTask) {
    unsafe WinogradTile<FloatVectors, 4, 2>.run(task)
  }

  @inline(never)
  func largeWinogradOutput(_ task: WinogradOutputTask) {
    unsafe WinogradTile<FloatVectors, 6, 4>.run(task)
  }
#endif
