// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `CONV_2D` of floats with a 3 × 3 window that moves by one pixel, by minimal filtering.
///
///     Y = clamp(Aᵀ [Σ over input channels of (G g Gᵀ) ⊙ (Bᵀ d B)] A + bias)
///
/// A tile d of the input gives m × m outputs for (m + 2)² products and channel where the definition
/// has 9 m²: 2.25 times fewer for m = 2, 4 times for m = 4. Each of the (m + 2)² elements is a
/// matrix product of tiles and channels. See Lavin and Gray, "Fast Algorithms for Convolutional
/// Neural Networks", 2015 (arXiv 1509.09308), after Winograd.
///
/// Sums run over the input channels in order and transforms are fixed, so results do not depend on
/// blocks. Against sums in Double the largest error is less than half of the definition's in float
/// for m = 2, whose sums are nine times shorter, and 1.7 times as large for m = 4; relative to
/// the largest result that is up to 7e-7 and 4e-6 for 256 channels. An infinity or NaN in the input
/// reaches all outputs of the tiles that read it.
final class FloatWinograd: RegionKernel {
  private let nest: Conv2DNest
  private let tiles: WinogradTiles
  private let weights: PackedWeights<WinogradWeights>
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels
  private let padding: AlignedMemory

  /// The convolution of `loop` in tiles of `size`; nil where it has another window or its weights
  /// are not constant.
  init?(
    _ loop: ConvolutionLoop<Conv2DNest, FloatConvolution>, _ size: WinogradTileSize,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    guard nest.allowsMinimalFiltering,
      let source = ConstantWeights(
        node, filterByteCount: nest.outputDepth * 9 * nest.inputDepth * 4,
        biasByteCount: nest.outputDepth * 4)
    else { return nil }
    self.nest = nest
    tiles = WinogradTiles(nest, size)
    let form = "minimal filtering \(size), \(set), \(nest.inputDepth) × \(nest.outputDepth)"
    weights = source.packed(in: cache, form: form) {
      WinogradWeights(source, nest, size, set.float.layout, $0)
    }
    range = loop.arithmetic.range
    kernels = set.float
    padding = AlignedMemory(zeroed: nest.inputDepth * 4)
  }

  private func blocks(_ workerCount: Int) -> WinogradBlocks {
    WinogradBlocks(
      tiles, depth: nest.inputDepth, columnCount: nest.outputDepth, layout: kernels.layout,
      workerCount: workerCount)
  }

  func blockCount(workerCount: Int) -> Int { blocks(workerCount).count }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    let (blocks, depth) = (blocks(workerCount), nest.outputDepth)
    let columns = blocks.columns(block)
    for tile in blocks.tiles(block) {
      let location = tiles.location(tile)
      for row in 0..<tiles.rowCount(location) {
        let pixel = tiles.firstOutput(location) + row * tiles.outputWidth
        let count = tiles.columnCount(location)
        if columns.count == depth {
          body(pixel * depth..<(pixel + count) * depth)
        } else {
          for pixel in pixel..<pixel + count {
            body(pixel * depth + columns.lowerBound..<pixel * depth + columns.upperBound)
          }
        }
      }
    }
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = blocks(workerCount)
    unsafe WinogradMemory.use(blocks, tiles.size) { memory in
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
          unsafe multiply(tileCount: range.count, part, blocks, memory)
          unsafe transformOutput(range, part, output, blocks, memory)
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
        tiles.location(tile), input: input, pixelByteCount: nest.inputDepth * 4,
        padding: UnsafeRawPointer(padding.address), pixels: memory.pixels)
      unsafe kernels.winograd.transform(
        WinogradInputTask(
          pixels: memory.pixels, depth: nest.inputDepth, output: target,
          matrixStride: blocks.inputMatrixStride), tiles.size)
      unsafe target += blocks.inputStride
    }
  }

  private func multiply(
    tileCount: Int, _ columns: Range<Int>, _ blocks: WinogradBlocks, _ memory: WinogradMemory
  ) {
    for (index, matrix) in weights.value.matrices.enumerated() {
      let output = unsafe memory.sums + index * blocks.sumMatrixStride
      unsafe kernels.gemm(
        FloatGemmTask(
          rows: memory.rows + index * blocks.tileStep, rowPitch: blocks.tileStep,
          rowCount: tileCount, tapCount: 1, depth: nest.inputDepth,
          weights: matrix.panel(from: columns.lowerBound), columnCount: columns.count,
          output: output.assumingMemoryBound(to: Float.self), outputStride: blocks.sumStride / 4,
          lowest: -.infinity, highest: .infinity))
    }
  }

  private func transformOutput(
    _ range: Range<Int>, _ columns: Range<Int>, _ output: UnsafeMutableRawPointer,
    _ blocks: WinogradBlocks, _ memory: WinogradMemory
  ) {
    let pixelByteCount = nest.outputDepth * 4
    var task = unsafe WinogradOutputTask(
      input: memory.sums, matrixStride: blocks.sumMatrixStride,
      bias: weights.value.bias.address + columns.lowerBound * 4, depth: columns.count,
      output: output, rowStride: tiles.outputWidth * pixelByteCount,
      columnStride: pixelByteCount, rowCount: 0, columnCount: 0, lowest: self.range.lowest,
      highest: self.range.highest)
    for tile in range {
      let location = tiles.location(tile)
      unsafe task.rowCount = tiles.rowCount(location)
      unsafe task.columnCount = tiles.columnCount(location)
      unsafe task.output =
        output + (tiles.firstOutput(location) * pixelByteCount + columns.lowerBound * 4)
      unsafe kernels.winograd.transform(task, tiles.size)
      unsafe task.input += blocks.sumStride
    }
  }
}
