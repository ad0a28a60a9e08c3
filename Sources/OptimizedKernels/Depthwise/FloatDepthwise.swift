// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `DEPTHWISE_CONV_2D` of floats, by rows of pixels.
///
/// Sums start at the bias where the reference adds it last, which is all that makes results
/// differ.
final class FloatDepthwise: DepthwiseKernel {
  let windows: DepthwiseWindows
  let channels: RepeatedChannels
  private let rowOffsets: [Int]
  let channelCount: Int
  private let weights: PackedWeights<PackedFloatDepthwise>
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels
  private let padding: AlignedMemory

  /// The convolution of `loop`; nil where its weights are not constant.
  init?(
    _ loop: ConvolutionLoop<DepthwiseConv2DNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let channels = loop.nest.outputDepth
    guard let windows = DepthwiseWindows(loop.nest, pixelByteCount: channels * 4) else {
      return nil
    }
    self.windows = windows
    self.channels = RepeatedChannels(loop.nest, elementByteCount: 4)
    let taps = windows.tapCount
    guard
      let source = ConstantWeights(
        node, filterByteCount: taps * channels * 4, biasByteCount: channels * 4)
    else { return nil }
    rowOffsets = windows.rowOffsets
    channelCount = channels
    weights = source.packed(in: cache, form: "float depthwise, \(set), \(taps) by \(channels)") {
      unsafe PackedFloatDepthwise(
        weights: source.filterAddress(as: Float.self), bias: source.biasAddress(as: Float.self),
        tapCount: taps, channelCount: channels, set.float.layout, allocate: $0)
    }
    range = loop.arithmetic.range
    kernels = set.float
    padding = AlignedMemory(zeroed: channels * 4)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe channels.address(frame) else { return }
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blocks = windows.blocks(workerCount: workerCount)
    let capacity = windows.pointerCount(lineCount: blocks.lineStep)
    unsafe ScratchMemory.use(capacity * MemoryLayout<UnsafeRawPointer>.stride) { table in
      let pointers = unsafe table.assumingMemoryBound(to: UnsafeRawPointer.self)
      while let block = next() {
        let lines = blocks.lines(block)
        unsafe windows.locate(
          lines, input: input, padding: UnsafeRawPointer(padding.address), pointers: pointers)
        let pixels = unsafe UnsafeRawPointer(pointers)
          .assumingMemoryBound(to: UnsafePointer<Float>.self)
        unsafe run(lines, pixels, output)
      }
    }
  }

  /// The output rows `lines`, whose table of pixels is given.
  private func run(
    _ lines: Range<Int>, _ pixels: UnsafePointer<UnsafePointer<Float>>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    unsafe rowOffsets.withUnsafeBufferPointer { rowOffsets in
      guard let window = unsafe windows.window(rowOffsets: rowOffsets) else { return }
      for line in lines {
        let first = line * windows.columnCount * channelCount
        unsafe kernels.depthwise(
          FloatDepthwiseTask(
            pixels: pixels + (line - lines.lowerBound) * windows.lineStep, window: window,
            outputCount: windows.columnCount, channelCount: channelCount,
            weights: weights.value.panels, output: output + first, outputStride: channelCount,
            lowest: range.lowest, highest: range.highest))
      }
    }
  }
}
