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
  var elementByteCount: Int { 4 }
  private let weights: PackedWeights<PackedFloatDepthwise>
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels
  let padding: AlignedMemory

  /// The convolution of `loop`; nil where its weights are not constant.
  init?(
    _ loop: ConvolutionLoop<DepthwiseConv2DNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let channels = loop.nest.outputDepth
    let lanes = set.float.layout.laneCount
    let segments = PixelSegments(
      loop.nest.geometry.columns, channelCount: channels, elementByteCount: 4, limit: lanes,
      lanes: { roundedUp($0, to: lanes) })
    guard let windows = DepthwiseWindows(loop.nest, pixelByteCount: channels * 4, segments) else {
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
    let times = windows.repetitions
    let joined = windows.weights(source)
    weights = joined.packed(in: cache, form: WeightForm("float depthwise", set, [taps, channels])) {
      unsafe PackedFloatDepthwise(
        weights: joined.filterAddress(as: Float.self), bias: joined.biasAddress(as: Float.self),
        tapCount: taps, channelCount: channels * times, set.float.layout, allocate: $0)
    }
    range = loop.arithmetic.range
    kernels = set.float
    padding = AlignedMemory(zeroed: channels * times * 4)
  }

  var scratchByteCount: Int { 0 }

  func run(
    _ lines: Range<Int>, table: UnsafeMutableRawPointer, output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer
  ) {
    unsafe rowOffsets.withUnsafeBufferPointer { rowOffsets in
      guard let window = unsafe windows.window(rowOffsets: rowOffsets) else { return }
      let channels = channelCount * windows.repetitions
      unsafe windows.forEachLine(
        lines, table: table, output: output, lineByteCount: windows.columnCount * channelCount * 4
      ) { pixels, output in
        let floats = unsafe UnsafeRawPointer(pixels)
          .assumingMemoryBound(to: UnsafePointer<Float>.self)
        unsafe kernels.depthwise(
          FloatDepthwiseTask(
            pixels: floats, window: window, outputCount: windows.joinedCount,
            channelCount: channels, weights: weights.value.panels,
            output: output.assumingMemoryBound(to: Float.self), outputStride: channels,
            lowest: range.lowest, highest: range.highest))
      }
    }
  }
}
