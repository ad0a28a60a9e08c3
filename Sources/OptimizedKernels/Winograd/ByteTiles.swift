// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Minimal filtering of 8-bit quantized values, in integers, for levels that multiply 16-bit words.
///
/// Sums are exact, as a `TransformedByteFilter` says, and become quantized values as those of other
/// products do: results are the same bit for bit.
struct ByteTiles: WinogradFormat {
  private let depth: Int
  private let columnCount: Int
  private let filter: PackedWeights<TransformedByteFilter>
  private let scaling: ByteScaling
  private let activations: ByteActivations
  private let kernels: ByteMicrokernels

  var layout: WinogradLayout { WinogradLayout(kernels.layout, depth: depth) }
  var elementByteCount: Int { 1 }
  var zero: UInt8 { activations.quantizedZero }

  /// A convolution; nil where it has another window, channels for less than a vector, sums that may
  /// be too large, or the level multiplies bytes.
  init?(_ parts: ByteConvolutionParts, _ cache: WeightCache, _ set: MicrokernelSet) {
    let (nest, layout) = (parts.nest, set.byte.layout)
    guard layout.isWide, nest.allowsMinimalFiltering, nest.inputDepth >= layout.panelWidth
    else { return nil }
    let (weights, format) = (parts.weights, parts.format)
    let source = unsafe ByteMatrixSource(
      weights: weights.filterAddress(as: UInt8.self), isSigned: format.filterIsSigned,
      zeroPoint: format.filterZeroPoint, columnStride: 9 * nest.inputDepth, depthStride: 1,
      columnCount: nest.outputDepth, depth: 9 * nest.inputDepth,
      bias: weights.biasAddress(as: Int32.self),
      activationZeroPoint: format.activations.unsignedZeroPoint)
    let sumBound = unsafe source.sumBound()
    guard TransformedByteFilter.isExact(sumBound: sumBound) else { return nil }
    (depth, columnCount) = (nest.inputDepth, nest.outputDepth)
    let form = WeightForm("minimal byte filtering", set, [depth, columnCount] + format.parameters)
    filter = weights.packed(in: cache, form: form) {
      unsafe TransformedByteFilter(source, layout, allocate: $0)
    }
    scaling = format.scaling(
      positions: layout.positions(columnCount: columnCount), sumBound: sumBound,
      sumRange: ProductGroups(nest).sumRange(weights, format))
    activations = format.activations
    kernels = set.byte
  }

  func transformInput(
    _ pixels: UnsafePointer<UnsafeRawPointer>, to target: UnsafeMutableRawPointer,
    matrixStride: Int
  ) {
    unsafe kernels.transform(
      ByteWinogradInputTask(
        pixels: pixels, depth: depth, flip: activations.flip,
        zeroPoint: activations.unsignedZeroPoint, output: target, matrixStride: matrixStride))
  }

  private func product(
    tileCount: Int, _ columns: Range<Int>, _ blocks: WinogradBlocks, _ memory: WinogradMemory
  ) -> ByteWinogradProductTask {
    unsafe ByteWinogradProductTask(
      left: memory.inputs, leftStride: blocks.inputStride,
      leftMatrixStride: blocks.inputMatrixStride, tileCount: tileCount, depth: depth,
      column: columns.lowerBound, columnCount: columns.count, filter: filter.value,
      sums: memory.sums, sumMatrixStride: blocks.sumMatrixStride)
  }

  func multiply(
    tileCount: Int, _ columns: Range<Int>, _ blocks: WinogradBlocks, _ memory: WinogradMemory
  ) {
    unsafe kernels.multiply(product(tileCount: tileCount, columns, blocks, memory))
  }

  func transformOutput(
    _ range: Range<Int>, of tiles: WinogradTiles, _ columns: Range<Int>,
    _ output: UnsafeMutableRawPointer, _ blocks: WinogradBlocks, _ memory: WinogradMemory
  ) {
    let product = unsafe product(tileCount: range.count, columns, blocks, memory)
    var tile = range.lowerBound
    while tile < range.upperBound {
      let location = tiles.location(tile)
      let count = min(
        tiles.neighborCount(tile, in: range), kernels.layout.mostWinogradNeighbors)
      unsafe kernels.finish(
        ByteWinogradOutputTask(
          product: product, firstTile: tile - range.lowerBound, tileCount: count,
          pixelCount: tiles.columnCount(location, neighbors: count),
          lineCount: tiles.rowCount(location), finish: scaling.finish(),
          output: output + tiles.firstOutput(location) * columnCount,
          lineStride: tiles.outputWidth * columnCount, columnCount: columnCount,
          scratch: memory.spare))
      tile += count
    }
  }
}
