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
  private let weights: PackedWeights<PackedByteDepthwise>
  private let scaling: ByteScaling
  private let kernels: ByteMicrokernels
  private let activationFlip: UInt8
  private let padding: AlignedMemory

  /// The convolution of `loop`; nil where its weights are not constant or no fast
  /// kernel follows its format.
  init?<Activation, Weight>(
    _ loop: ConvolutionLoop<DepthwiseConv2DNest, QuantizedConvolution<Activation, Weight>>,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let channels = loop.nest.outputDepth
    guard let format = ByteFormat(loop.arithmetic),
      let windows = DepthwiseWindows(loop.nest, pixelByteCount: channels)
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
    scaling = format.scaling(
      positions: weights.value.positions, sumBound: weights.value.sumBound,
      sumRange: { groups.sumRange(ofColumn: $0, source, format) })
    rowOffsets = (0..<weights.value.planeCount).flatMap { _ in windows.rowOffsets }
    kernels = set.byte
    activationFlip = format.activations.flip
    padding = AlignedMemory(zeroed: channels)
    unsafe padding.address.initializeMemory(
      as: UInt8.self, repeating: format.activations.quantizedZero, count: channels)
  }

  private static func packed(
    _ source: ConstantWeights, _ windows: DepthwiseWindows, _ channelCount: Int,
    _ format: ByteFormat, _ cache: WeightCache, _ set: MicrokernelSet
  ) -> PackedWeights<PackedByteDepthwise> {
    let zeroPoints = "\(format.activations.unsignedZeroPoint) and \(format.filterZeroPoint)"
    let kind = "byte depthwise, \(set), signed \(format.filterIsSigned), zero \(zeroPoints)"
    return source.packed(in: cache, form: "\(kind), \(windows.shape) by \(channelCount)") {
      unsafe PackedByteDepthwise(
        ByteDepthwiseSource(
          weights: source.filterAddress(as: UInt8.self), isSigned: format.filterIsSigned,
          zeroPoint: format.filterZeroPoint, bias: source.biasAddress(as: Int32.self),
          shape: windows.shape, channelCount: channelCount,
          activationZeroPoint: format.activations.unsignedZeroPoint), set.byte, allocate: $0)
    }
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe channels.address(frame) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = windows.blocks(workerCount: workerCount)
    let scratch = kernels.depthwiseScratchByteCount
    let table =
      unsafe windows.pointerCount(lineCount: blocks.lineStep)
      * MemoryLayout<UnsafeRawPointer>.stride
    unsafe ScratchMemory.use(scratch + table) { base in
      let pointers = unsafe (base + scratch).assumingMemoryBound(to: UnsafeRawPointer.self)
      while let block = next() {
        let lines = blocks.lines(block)
        unsafe windows.locate(
          lines, input: input, padding: UnsafeRawPointer(padding.address), pointers: pointers)
        unsafe run(lines, UnsafePointer(pointers), output, scratch: base)
      }
    }
  }

  /// The output rows `lines`, whose table of pixels is given.
  private func run(
    _ lines: Range<Int>, _ pixels: UnsafePointer<UnsafeRawPointer>,
    _ output: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer
  ) {
    unsafe rowOffsets.withUnsafeBufferPointer { rowOffsets in
      guard let window = unsafe windows.window(rowOffsets: rowOffsets) else { return }
      for line in lines {
        unsafe kernels.depthwise(
          ByteDepthwiseTask(
            pixels: pixels + (line - lines.lowerBound) * windows.lineStep, window: window,
            outputCount: windows.columnCount, channelCount: channelCount,
            order: weights.value.order, activationFlip: activationFlip,
            weights: weights.value.panels,
            finish: scaling.finish(), output: output + line * windows.columnCount * channelCount,
            outputStride: channelCount, scratch: scratch))
      }
    }
  }
}
