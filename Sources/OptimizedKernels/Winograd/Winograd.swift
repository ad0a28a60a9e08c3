// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `CONV_2D` with a 3 × 3 window that moves by one pixel, by minimal filtering.
///
///     Y = Aᵀ [Σ over input channels of (G g Gᵀ) ⊙ (Bᵀ d B)] A + bias
///
/// A tile d of the input gives m × m outputs for (m + 2)² products and channel where the definition
/// has 9 m²: 2.25 times fewer for m = 2, 4 times for m = 4. Each of the (m + 2)² elements is a
/// matrix product of tiles and channels. See Lavin and Gray, "Fast Algorithms for Convolutional
/// Neural Networks", 2015 (arXiv 1509.09308), after Winograd.
///
/// Sums run over the input channels in order and transforms are fixed, so results do not depend on
/// blocks.
final class Winograd<Format: WinogradFormat>: RegionKernel {
  private let nest: Conv2DNest
  private let tiles: WinogradTiles
  private let format: Format
  private let padding: AlignedMemory

  /// The convolution of `nest`, which allows minimal filtering, in tiles of `size`.
  init(_ nest: Conv2DNest, _ size: WinogradTileSize, _ format: Format) {
    self.nest = nest
    tiles = WinogradTiles(nest, size)
    self.format = format
    let byteCount = nest.inputDepth * format.elementByteCount
    padding = AlignedMemory(zeroed: byteCount)
    unsafe padding.address.initializeMemory(
      as: UInt8.self, repeating: format.zero, count: byteCount)
  }

  private func blocks(_ workerCount: Int) -> WinogradBlocks {
    WinogradBlocks(
      tiles, depth: nest.inputDepth, columnCount: nest.outputDepth, layout: format.layout,
      workerCount: workerCount)
  }

  func blockCount(workerCount: Int) -> Int { blocks(workerCount).count }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    let (blocks, depth) = (blocks(workerCount), nest.outputDepth)
    let columns = blocks.columns(block)
    let range = blocks.tiles(block)
    var tile = range.lowerBound
    while tile < range.upperBound {
      let (location, neighbors) = (tiles.location(tile), tiles.neighborCount(tile, in: range))
      let count = tiles.columnCount(location, neighbors: neighbors)
      for row in 0..<tiles.rowCount(location) {
        let pixel = tiles.firstOutput(location) + row * tiles.outputWidth
        if columns.count == depth {
          body(pixel * depth..<(pixel + count) * depth)
        } else {
          for pixel in pixel..<pixel + count {
            body(pixel * depth + columns.lowerBound..<pixel * depth + columns.upperBound)
          }
        }
      }
      tile += neighbors
    }
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = blocks(workerCount)
    unsafe WinogradMemory.use(blocks, tiles.size, format.layout) { memory in
      var transformed: Range<Int>?
      while let block = next() {
        let range = blocks.tiles(block)
        if range != transformed {
          unsafe transformInput(range, input, blocks, memory)
          transformed = range
        }
        let columns = blocks.columns(block)
        for first in stride(from: columns.lowerBound, to: columns.upperBound, by: blocks.sumWidth) {
          let part = first..<min(first + blocks.sumWidth, columns.upperBound)
          unsafe format.multiply(tileCount: range.count, part, blocks, memory)
          unsafe format.transformOutput(range, of: tiles, part, output, blocks, memory)
        }
      }
    }
  }

  private func transformInput(
    _ range: Range<Int>, _ input: UnsafeRawPointer, _ blocks: WinogradBlocks,
    _ memory: WinogradMemory
  ) {
    var target = unsafe memory.inputs
    for tile in range {
      unsafe tiles.locate(
        tiles.location(tile), input: input,
        pixelByteCount: nest.inputDepth * format.elementByteCount,
        padding: UnsafeRawPointer(padding.address), pixels: memory.pixels)
      unsafe format.transformInput(
        memory.pixels, to: target, matrixStride: blocks.inputMatrixStride)
      unsafe target += blocks.inputStride
    }
  }
}

/// The arithmetic of a convolution by minimal filtering.
protocol WinogradFormat: Sendable {
  /// How transformed tiles and sums are laid out.
  var layout: WinogradLayout { get }
  /// Bytes of an element of the input.
  var elementByteCount: Int { get }
  /// What each byte of a pixel outside the image is.
  var zero: UInt8 { get }

  /// Transforms the tile whose pixels are found at `pixels`, line by line.
  func transformInput(
    _ pixels: UnsafePointer<UnsafeRawPointer>, to target: UnsafeMutableRawPointer,
    matrixStride: Int)

  /// Multiplies the first `tileCount` transformed tiles with some columns of all matrices.
  func multiply(
    tileCount: Int, _ columns: Range<Int>, _ blocks: WinogradBlocks, _ memory: WinogradMemory)

  /// Turns the sums of the tiles of `range` into output.
  func transformOutput(
    _ range: Range<Int>, of tiles: WinogradTiles, _ columns: Range<Int>,
    _ output: UnsafeMutableRawPointer, _ blocks: WinogradBlocks, _ memory: WinogradMemory)
}
