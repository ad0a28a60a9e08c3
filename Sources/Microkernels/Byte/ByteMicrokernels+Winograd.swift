// SPDX-License-Identifier: Apache-2.0

extension ByteMicrokernels {
  /// Transforms a tile of the input of a convolution by minimal filtering.
  @unsafe
  package func transform(_ task: ByteWinogradInputTask) { unsafe winograd.input(task) }

  /// Multiplies transformed tiles with a panel of every matrix of a transformed filter.
  @unsafe
  package func multiply(_ task: ByteWinogradProductTask) {
    let width = unsafe task.width(layout)
    var (left, panel, sums) = unsafe (task.left, task.panel, task.sums)
    for _ in 0..<TransformedByteFilter.matrixCount {
      for row in unsafe stride(from: 0, to: task.tileCount, by: layout.tileRows) {
        unsafe sum(
          ByteTileTask(
            rows: min(task.tileCount &- row, layout.tileRows), left: left + row &* task.leftStride,
            stride: task.leftStride, wordCount: layout.wordCount(task.depth),
            terms: UnsafePointer(sums.assumingMemoryBound(to: Int32.self)),
            panels: BytePanels(words: panel), sums: sums + row &* width),
          vectors: width / (layout.panelWidth &* 2))
      }
      unsafe left += task.leftMatrixStride
      unsafe panel += task.panelStride
      unsafe sums += task.sumMatrixStride
    }
  }

  /// Turns the sums of some neighboring tiles into quantized pixels.
  @unsafe
  package func finish(_ task: ByteWinogradOutputTask) {
    let width = unsafe task.product.width(layout)
    let lineStride = layout.winogradLineByteCount
    let offset = unsafe task.firstTile &* width
    unsafe winograd.sums(
      ByteWinogradSumTask(
        sums: task.product.sums + offset, matrixStride: task.product.sumMatrixStride,
        tileCount: task.tileCount, width: width, output: task.scratch, lineStride: lineStride))
    for line in unsafe 0..<task.lineCount {
      let sums = unsafe task.scratch + line &* lineStride
      unsafe finish(
        ByteTileTask(
          rows: task.pixelCount, left: sums, stride: 0, wordCount: 0,
          terms: UnsafePointer(sums.assumingMemoryBound(to: Int32.self)),
          panels: BytePanels(words: sums), sums: sums),
        ByteTileOutput(
          columnCount: task.columnCount, finish: task.finish,
          address: task.output + line &* task.lineStride, stride: task.columnCount),
        column: task.product.column, vectors: width / (layout.panelWidth &* 2))
    }
  }
}

/// Transformed tiles to be multiplied with some columns of a transformed filter.
@unsafe
package struct ByteWinogradProductTask {
  /// The first tile of the first matrix: 16-bit words.
  package var left: UnsafeRawPointer
  /// Bytes from one tile to the next.
  package var leftStride: Int
  /// Bytes from one matrix of tiles to the next.
  package var leftMatrixStride: Int
  /// Tiles.
  package var tileCount: Int
  /// Input channels.
  package var depth: Int
  /// The first column, with which a panel starts.
  package var column: Int
  /// Columns from there on, up to a panel.
  package var columnCount: Int
  /// The panel of the filter's first matrix.
  package var panel: UnsafeRawPointer
  /// Bytes to that of the next matrix.
  package var panelStride: Int
  /// Where the sums go, tile by tile.
  package var sums: UnsafeMutableRawPointer
  /// Bytes from one matrix of sums to the next.
  package var sumMatrixStride: Int

  /// A task of these parts.
  package init(
    left: UnsafeRawPointer, leftStride: Int, leftMatrixStride: Int, tileCount: Int, depth: Int,
    column: Int, columnCount: Int, filter: TransformedByteFilter, sums: UnsafeMutableRawPointer,
    sumMatrixStride: Int
  ) {
    unsafe self.left = left
    unsafe self.leftStride = leftStride
    unsafe self.leftMatrixStride = leftMatrixStride
    unsafe self.tileCount = tileCount
    unsafe self.depth = depth
    unsafe self.column = column
    unsafe self.columnCount = columnCount
    unsafe panel = filter.panel(from: column)
    unsafe panelStride = filter.panelByteCount
    unsafe self.sums = sums
    unsafe self.sumMatrixStride = sumMatrixStride
  }

  /// Bytes of a tile's sums: those of one or two vectors.
  fileprivate func width(_ layout: ByteGemmLayout) -> Int {
    let half = layout.panelWidth / 2
    return (unsafe columnCount > half ? 2 : 1) &* half &* 4
  }
}

/// Neighboring tiles of a product whose sums become quantized pixels.
@unsafe
package struct ByteWinogradOutputTask {
  /// The product.
  package var product: ByteWinogradProductTask
  /// The first of the tiles.
  package var firstTile: Int
  /// Tiles, up to `ByteGemmLayout.mostWinogradNeighbors`.
  package var tileCount: Int
  /// Pixels of them in each line of the output.
  package var pixelCount: Int
  /// Lines of the output that they have.
  package var lineCount: Int
  /// How sums become quantized values.
  package var finish: ByteFinish
  /// The first pixel in the output.
  package var output: UnsafeMutableRawPointer
  /// Bytes from one line of the output to the next.
  package var lineStride: Int
  /// Channels of the output.
  package var columnCount: Int
  /// Two times `ByteGemmLayout.winogradLineByteCount` bytes, aligned to a vector.
  package var scratch: UnsafeMutableRawPointer

  /// A task of these parts.
  package init(
    product: ByteWinogradProductTask, firstTile: Int, tileCount: Int, pixelCount: Int,
    lineCount: Int, finish: ByteFinish, output: UnsafeMutableRawPointer, lineStride: Int,
    columnCount: Int, scratch: UnsafeMutableRawPointer
  ) {
    unsafe self.product = product
    unsafe self.firstTile = firstTile
    unsafe self.tileCount = tileCount
    unsafe self.pixelCount = pixelCount
    unsafe self.lineCount = lineCount
    unsafe self.finish = finish
    unsafe self.output = output
    unsafe self.lineStride = lineStride
    unsafe self.columnCount = columnCount
    unsafe self.scratch = scratch
  }
}

extension ByteGemmLayout {
  /// Tiles of minimal filtering that become quantized values at a time.
  package var mostWinogradNeighbors: Int { 16 }

  /// Bytes of the sums and the quantized values of one line of pixels of such tiles.
  package var winogradLineByteCount: Int {
    roundedUp(termsOffset(2 &* mostWinogradNeighbors), to: AlignedMemory.alignment)
  }
}
