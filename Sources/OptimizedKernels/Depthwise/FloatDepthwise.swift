// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `DEPTHWISE_CONV_2D` of floats with one output channel per input channel, by rows of pixels.
///
/// Sums start at the bias where the reference adds it last, which is all that makes results
/// differ.
final class FloatDepthwise: BlockKernel {
  private let windows: DepthwiseWindows
  private let rowOffsets: [Int]
  private let channelCount: Int
  private let weights: PackedWeights<PackedFloatDepthwise>
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels
  private let padding: AlignedMemory

  /// The convolution of `loop`; nil where its weights are not constant, or channels have several
  /// outputs each.
  init?(
    _ loop: ConvolutionLoop<DepthwiseConv2DNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let channels = loop.nest.outputDepth
    guard loop.nest.multiplier == 1,
      let windows = DepthwiseWindows(loop.nest, pixelByteCount: channels * 4)
    else { return nil }
    self.windows = windows
    let taps = windows.tapCount
    guard
      let source = ConstantWeights(
        node, filterByteCount: taps * channels * 4, biasByteCount: channels * 4)
    else { return nil }
    rowOffsets = windows.rowOffsets
    channelCount = channels
    weights = source.packed(in: cache, form: "float depthwise, \(set), \(taps) × \(channels)") {
      unsafe PackedFloatDepthwise(
        weights: source.filterAddress(as: Float.self), bias: source.biasAddress(as: Float.self),
        tapCount: taps, channelCount: channels, set.float.layout)
    }
    range = loop.arithmetic.range
    kernels = set.float
    padding = AlignedMemory(zeroed: channels * 4)
  }

  func blockCount(workerCount: Int) -> Int {
    windows.blockCount(lineStep: windows.lineStep(workerCount: workerCount))
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let lineStep = windows.lineStep(workerCount: workerCount)
    let capacity = windows.pointerCount(lineCount: lineStep)
    unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: capacity) { table in
      guard let pointers = table.baseAddress else { return }
      while let block = next() {
        let lines = windows.lines(block, lineStep: lineStep)
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
