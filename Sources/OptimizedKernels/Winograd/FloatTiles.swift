// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Minimal filtering of floats.
///
/// Against sums in Double the largest error is less than half of the definition's in float
/// for m = 2, whose sums are nine times shorter, and 1.7 times as large for m = 4; relative to
/// the largest result that is up to 7e-7 and 4e-6 for 256 channels. An infinity or NaN in the input
/// reaches all outputs of the tiles that read it.
struct FloatTiles: WinogradFormat {
  private let size: WinogradTileSize
  private let depth: Int
  private let columnCount: Int
  private let weights: PackedWeights<WinogradWeights>
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels

  var layout: WinogradLayout { WinogradLayout(kernels.layout, depth: depth) }
  var elementByteCount: Int { 4 }
  var zero: UInt8 { 0 }

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
    self.size = size
    (depth, columnCount) = (nest.inputDepth, nest.outputDepth)
    let form = WeightForm("minimal filtering", set, [size.matrixCount, depth, columnCount])
    weights = source.packed(in: cache, form: form) {
      WinogradWeights(source, nest, size, set.float.layout, $0)
    }
    range = loop.arithmetic.range
    kernels = set.float
  }

  func transformInput(
    _ pixels: UnsafePointer<UnsafeRawPointer>, to target: UnsafeMutableRawPointer,
    matrixStride: Int
  ) {
    unsafe kernels.winograd.transform(
      WinogradInputTask(
        pixels: pixels, depth: depth, output: target, matrixStride: matrixStride), size)
  }

  func multiply(
    tileCount: Int, _ columns: Range<Int>, _ blocks: WinogradBlocks, _ memory: WinogradMemory
  ) {
    for (index, matrix) in weights.value.matrices.enumerated() {
      let output = unsafe memory.sums + index * blocks.sumMatrixStride
      unsafe kernels.gemm(
        FloatGemmTask(
          rows: memory.rows + index * blocks.tileStep, rowPitch: blocks.tileStep,
          rowCount: tileCount, tapCount: 1, depth: depth,
          weights: matrix.panel(from: columns.lowerBound), columnCount: columns.count,
          output: output.assumingMemoryBound(to: Float.self), outputStride: blocks.sumStride / 4,
          lowest: -.infinity, highest: .infinity))
    }
  }

  func transformOutput(
    _ range: Range<Int>, of tiles: WinogradTiles, _ columns: Range<Int>,
    _ output: UnsafeMutableRawPointer, _ blocks: WinogradBlocks, _ memory: WinogradMemory
  ) {
    let pixelByteCount = columnCount * 4
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
      unsafe kernels.winograd.transform(task, size)
      unsafe task.input += blocks.sumStride
    }
  }
}
