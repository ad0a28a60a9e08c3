// SPDX-License-Identifier: Apache-2.0

import Microkernels

/// How a convolution by minimal filtering is cut into blocks of tiles and of output channels.
///
/// A block's transformed tiles, and the sums of some channels, stay in the second-level cache while
/// the weights pass by. Blocks of the same tiles follow each other: a worker that gets several
/// transforms those tiles once.
struct WinogradBlocks {
  /// Tiles of a block that is one of several only for the sake of workers.
  private static let leastTiles = 8
  /// Multiplications in a nanosecond, roughly.
  private static let productsPerNanosecond = 50.0

  /// Bytes from a transformed tile to the next.
  let inputStride: Int
  /// Bytes from the sums of a tile to those of the next.
  let sumStride: Int
  /// Channels that are multiplied and transformed at a time.
  let sumWidth: Int
  /// Tiles of all blocks but the last ones.
  let tileStep: Int
  /// Blocks in all.
  let count: Int
  private let matrixCount: Int
  private let tileCount: Int
  private let columnCount: Int
  private let columnStep: Int
  private let columnBlockCount: Int

  /// The blocks of `tiles` with `depth` input and `columnCount` output channels.
  init(
    _ tiles: WinogradTiles, depth: Int, columnCount: Int, layout: WinogradLayout,
    workerCount: Int
  ) {
    tileCount = tiles.count
    matrixCount = tiles.size.matrixCount
    self.columnCount = columnCount
    let products = Double(tileCount * matrixCount) * Double(depth) * Double(columnCount)
    let wanted = WorkShare.blockCount(
      nanoseconds: products / Self.productsPerNanosecond, workerCount: workerCount)
    let panels = (columnCount + layout.panelWidth - 1) / layout.panelWidth
    // Few tiles are not worth cutting up: rather, every worker transforms all of them.
    let isShort = tileCount < wanted * Self.leastTiles && wanted > 1
    let parts = isShort ? min(wanted, panels) : 1
    sumWidth =
      min(
        max(layout.channelStep / layout.panelWidth, 1), (panels + parts - 1) / parts)
      * layout.panelWidth
    inputStride = layout.inputStride
    sumStride = layout.sumStride(sumWidth)
    let most = max(
      layout.memoryLimit / (matrixCount * (inputStride + sumStride)), layout.tileRows)
    var tileBlocks = max((tileCount + most - 1) / most, 1)
    if tileBlocks > workerCount { tileBlocks = roundedUp(tileBlocks, to: workerCount) }
    let steps = (columnCount + sumWidth - 1) / sumWidth
    if tileBlocks * steps < wanted { tileBlocks = min(wanted, max(tileCount / Self.leastTiles, 1)) }
    tileStep = (tileCount + tileBlocks - 1) / tileBlocks
    let columnParts = min((wanted + tileBlocks - 1) / tileBlocks, steps)
    columnStep = (steps + columnParts - 1) / columnParts * sumWidth
    columnBlockCount = (columnCount + columnStep - 1) / columnStep
    count = tileCount > 0 ? tileBlocks * columnBlockCount : 0
  }

  /// The tiles of a block.
  func tiles(_ block: Int) -> Range<Int> {
    let first = block / columnBlockCount * tileStep
    return min(first, tileCount)..<min(first + tileStep, tileCount)
  }

  /// The output channels of a block; they start with a panel.
  func columns(_ block: Int) -> Range<Int> {
    let first = block % columnBlockCount * columnStep
    return first..<min(first + columnStep, columnCount)
  }

  /// Bytes from one matrix of transformed tiles to the next: an odd number of cache lines, so that
  /// the elements of a tile do not compete for the same cache sets.
  var inputMatrixStride: Int { matrixStride(inputStride) }

  /// Bytes from one matrix of sums to the next.
  var sumMatrixStride: Int { matrixStride(sumStride) }

  private func matrixStride(_ stride: Int) -> Int {
    let lines = roundedUp(tileStep * stride, to: AlignedMemory.alignment) / AlignedMemory.alignment
    return (lines | 1) * AlignedMemory.alignment
  }

  /// Bytes of transformed tiles.
  var inputByteCount: Int { matrixCount * inputMatrixStride }
  /// Bytes of sums.
  var sumByteCount: Int { matrixCount * sumMatrixStride }
}
