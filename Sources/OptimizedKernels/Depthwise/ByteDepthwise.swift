// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `DEPTHWISE_CONV_2D` of 8-bit quantized values, by rows of pixels.
///
/// Sums are exact, and become quantized values by the very rule of the reference kernel: results
/// are the same bit for bit.
final class ByteDepthwise: DepthwiseKernel {
  let windows: DepthwiseWindows
  let channels: RepeatedChannels
  private let rowOffsets: [Int]
  let channelCount: Int
  var elementByteCount: Int { 1 }
  private let weights: PackedWeights<PackedByteDepthwise>
  private let scaling: ByteScaling
  private let kernels: ByteMicrokernels
  private let activationFlip: UInt8
  let padding: AlignedMemory

  /// The convolution of `loop`; nil where its weights are not constant or no fast
  /// kernel follows its format.
  init?<Activation, Weight>(
    _ loop: ConvolutionLoop<DepthwiseConv2DNest, QuantizedConvolution<Activation, Weight>>,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let channels = loop.nest.outputDepth
    let segments = PixelSegments(
      loop.nest.geometry.columns, channelCount: channels, elementByteCount: 1,
      limit: set.byte.depthwiseTiles[0].width, lanes: set.byte.depthwiseLanes(channelCount:))
    guard let format = ByteFormat(loop.arithmetic),
      let windows = DepthwiseWindows(loop.nest, pixelByteCount: channels, segments)
    else { return nil }
    self.windows = windows
    self.channels = RepeatedChannels(loop.nest, elementByteCount: 1)
    guard
      let source = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: windows.tapCount * channels,
        biasByteCount: channels * 4)
    else { return nil }
    channelCount = channels
    weights = Self.packed(source, windows, channels, format, cache, set)
    let groups = ProductGroups(loop.nest)
    scaling = format.repeated(windows.repetitions).scaling(
      positions: weights.value.positions, sumBound: weights.value.sumBound,
      sumRange: { groups.sumRange(ofColumn: $0 % channels, source, format) })
    rowOffsets = (0..<weights.value.planeCount).flatMap { _ in windows.rowOffsets }
    kernels = set.byte
    activationFlip = format.activations.flip
    let joined = channels * windows.repetitions
    padding = AlignedMemory(zeroed: joined)
    unsafe padding.address.initializeMemory(
      as: UInt8.self, repeating: format.activations.quantizedZero, count: joined)
  }

  private static func packed(
    _ source: ConstantWeights, _ windows: DepthwiseWindows, _ channelCount: Int,
    _ format: ByteFormat, _ cache: WeightCache, _ set: MicrokernelSet
  ) -> PackedWeights<PackedByteDepthwise> {
    let form = WeightForm("byte depthwise", set, format.parameters + windows.shape.parameters)
    let joined = windows.weights(source)
    return joined.packed(in: cache, form: form.adding([channelCount])) {
      unsafe PackedByteDepthwise(
        ByteDepthwiseSource(
          weights: joined.filterAddress(as: UInt8.self), isSigned: format.filterIsSigned,
          zeroPoint: format.filterZeroPoint, bias: joined.biasAddress(as: Int32.self),
          shape: windows.shape, channelCount: channelCount * windows.repetitions,
          activationZeroPoint: format.activations.unsignedZeroPoint), set.byte, allocate: $0)
    }
  }

  var scratchByteCount: Int { kernels.depthwiseScratchByteCount }

  func run(
    _ lines: Range<Int>, table: UnsafeMutableRawPointer, output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer
  ) {
    unsafe rowOffsets.withUnsafeBufferPointer { rowOffsets in
      guard let window = unsafe windows.window(rowOffsets: rowOffsets) else { return }
      let channels = channelCount * windows.repetitions
      unsafe windows.forEachLine(
        lines, table: table, output: output, lineByteCount: windows.columnCount * channelCount
      ) { pixels, output in
        unsafe kernels.depthwise(
          ByteDepthwiseTask(
            pixels: pixels, window: window, outputCount: windows.joinedCount,
            channelCount: channels, order: weights.value.order, activationFlip: activationFlip,
            weights: weights.value.panels, finish: scaling.finish(), output: output,
            outputStride: channels, scratch: scratch))
      }
    }
  }
}
