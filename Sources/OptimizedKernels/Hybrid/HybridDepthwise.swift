// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Floats, quantized at every evaluation, in a `DEPTHWISE_CONV_2D` with constant integer weights.
///
/// Quantization and sums are exactly the reference kernel's, and so is the order of the float
/// operations that follow: results are the same bit for bit.
final class HybridDepthwise: HybridKernel {
  private let format: HybridFormat
  let images: HybridImages
  private let windows: DepthwiseWindows
  private let channels: RepeatedChannels
  private let rowOffsets: [Int]
  private let channelCount: Int
  private let lineCount: Int
  private let weights: PackedWeights<PackedByteDepthwise>
  private let kernels: ByteMicrokernels

  /// The convolution of `loop`; nil where its weights are not constant.
  init?(
    _ loop: HybridConvolutionLoop<DepthwiseConv2DNest, HybridConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    let channels = nest.outputDepth
    guard let windows = DepthwiseWindows(nest, pixelByteCount: channels),
      let source = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: windows.tapCount * channels,
        biasByteCount: channels * 4)
    else { return nil }
    self.windows = windows
    self.channels = RepeatedChannels(nest, elementByteCount: 1)
    channelCount = channels
    lineCount = nest.geometry.rows.output
    kernels = set.byte
    let form = WeightForm("hybrid depthwise", set, windows.shape.parameters + [channels])
    weights = source.packed(in: cache, form: form) {
      // Quantized values are signed and their zero point varies: it comes in with the channels'
      // sums.
      unsafe PackedByteDepthwise(
        ByteDepthwiseSource(
          weights: source.filterAddress(as: UInt8.self), isSigned: true, zeroPoint: 0,
          shape: windows.shape, channelCount: channels, activationZeroPoint: 128), set.byte,
        allocate: $0)
    }
    rowOffsets = (0..<weights.value.planeCount).flatMap { _ in windows.rowOffsets }
    let filter = unsafe source.filterAddress(as: Int8.self)
    var sums = [Int32](repeating: 0, count: channels)
    for tap in 0..<windows.tapCount {
      for channel in 0..<channels {
        sums[channel] &+= Int32(unsafe filter[tap * channels + channel])
      }
    }
    format = HybridFormat(loop.arithmetic, source, columnSums: sums)
    images = HybridImages(
      count: nest.batchCount, elementCount: nest.inputCount, isByRow: false,
      paddingByteCount: channels, quantization: loop.quantization, kernels: kernels.hybrid)
  }

  /// Bytes of the scratch tensors: the quantized images, and their repeated channels.
  var scratch: [Int] { images.scratch + channels.scratch }

  func begin(_ frame: borrowing TensorFrame) {
    images.quantize(frame)
    guard channels.multiplier > 1 else { return }
    unsafe channels.write(
      images.locations(frame).quantizedValues, to: frame.scratchAddress(images.scratch.count))
  }

  func phaseCount(workerCount: Int) -> Int {
    channels.multiplier == 1 ? images.phaseCount(workerCount: workerCount) : 0
  }

  func blockCount(workerCount: Int) -> Int {
    windows.blocks(workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let locations = unsafe images.locations(frame)
    let output = unsafe frame.outputAddress(0)
    let values =
      channels.multiplier == 1
      ? unsafe locations.quantizedValues
      : unsafe UnsafeRawPointer(frame.scratchAddress(images.scratch.count))
    let input = unsafe windows.lines(of: values)
    let blocks = windows.blocks(workerCount: workerCount)
    let scratch = kernels.depthwiseScratchByteCount
    let table = windows.tableByteCount(lineCount: blocks.lineStep)
    unsafe ScratchMemory.use(scratch + table) { base in
      while let block = next() {
        let lines = blocks.lines(block)
        let image = lines.lowerBound / lineCount
        unsafe windows.locate(
          lines, input: input, padding: locations.padding + image * channelCount,
          table: base + scratch)
        unsafe windows.forEachLine(
          lines, table: base + scratch, output: output,
          lineByteCount: windows.columnCount * channelCount * 4
        ) { pixels, line in
          unsafe sum(pixels, to: line, scratch: base)
          unsafe format.finish(
            line, rowCount: windows.columnCount, stride: channelCount * 4, 0..<channelCount,
            locations.affine(image), kernels.hybrid)
        }
      }
    }
  }

  /// The sums of an output row, which take as many bytes as the results that they become in place.
  private func sum(
    _ pixels: UnsafePointer<UnsafeRawPointer>, to output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer
  ) {
    unsafe rowOffsets.withUnsafeBufferPointer { rowOffsets in
      guard let window = unsafe windows.window(rowOffsets: rowOffsets) else { return }
      unsafe kernels.depthwise(
        ByteDepthwiseTask(
          pixels: pixels, window: window, outputCount: windows.columnCount,
          channelCount: channelCount, order: weights.value.order, activationFlip: 0x80,
          weights: weights.value.panels, finish: ByteScaling.sums, output: output,
          outputStride: channelCount * 4, scratch: scratch))
    }
  }
}
