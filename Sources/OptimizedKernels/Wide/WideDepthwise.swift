// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `DEPTHWISE_CONV_2D` of 16-bit activations and constant 8-bit weights: the same results as the
/// reference kernel.
final class WideDepthwise: BlockKernel {
  /// Taps for which sums fit 32 bits: each product is at most 2²².
  private static let mostTaps = 256

  private let nest: DepthwiseConv2DNest
  private let filter: [Int16]
  private let finish: WideFinish

  /// The convolution of `loop`; nil where its weights are not constant, channels have several
  /// outputs each, or windows are so large that sums need 64 bits.
  init?(_ loop: ConvolutionLoop<DepthwiseConv2DNest, WideConvolution>, _ node: PrepareContext) {
    let (nest, channels) = (loop.nest, loop.nest.outputDepth)
    let taps = nest.geometry.rows.window * nest.geometry.columns.window
    guard nest.multiplier == 1, taps <= Self.mostTaps, loop.arithmetic.filterZeroPoint == 0,
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: taps * channels,
        biasByteCount: channels * 8),
      let finish = WideFinish(
        WideFormat(loop.arithmetic), weights, offsets: [Int64](repeating: 0, count: channels))
    else { return nil }
    self.nest = nest
    filter = (0..<taps * channels).map { Int16(unsafe weights.filterAddress(as: Int8.self)[$0]) }
    self.finish = finish
  }

  /// Each block is an output row.
  func blockCount(workerCount: Int) -> Int { nest.batchCount * nest.geometry.rows.output }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Int16.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Int16.self)
    let (rows, columns, channels) = (nest.geometry.rows, nest.geometry.columns, nest.outputDepth)
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: channels) { buffer in
      guard let sums = buffer.baseAddress else { return }
      while let line = next() {
        let image = unsafe input + line / rows.output * nest.inputCount
        for column in 0..<columns.output {
          unsafe sums.update(repeating: 0, count: channels)
          unsafe add(image, rows.origin(line % rows.output), columns.origin(column), to: sums)
          let target = unsafe output + (line * columns.output + column) * channels
          unsafe finish.write(0..<channels, to: target) { channel in unsafe Int64(sums[channel]) }
        }
      }
    }
  }

  /// Adds the products of a window to the channels' sums.
  private func add(
    _ image: UnsafePointer<Int16>, _ rowOrigin: Int, _ columnOrigin: Int,
    to sums: UnsafeMutablePointer<Int32>
  ) {
    let (rows, columns, channels) = (nest.geometry.rows, nest.geometry.columns, nest.outputDepth)
    unsafe filter.withUnsafeBufferPointer { filter in
      guard let filter = filter.baseAddress else { return }
      for rowTap in rows.taps(from: rowOrigin) {
        let row = rowOrigin + rowTap * rows.dilation
        for columnTap in columns.taps(from: columnOrigin) {
          let column = columnOrigin + columnTap * columns.dilation
          unsafe Self.addProducts(
            image + (row * columns.input + column) * channels,
            filter + (rowTap * columns.window + columnTap) * channels, count: channels, to: sums)
        }
      }
    }
  }

  private static func addProducts(
    _ values: UnsafePointer<Int16>, _ weights: UnsafePointer<Int16>, count: Int,
    to sums: UnsafeMutablePointer<Int32>
  ) {
    for index in 0..<count {
      unsafe sums[index] &+= Int32(values[index]) &* Int32(weights[index])
    }
  }
}
