// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `DEPTHWISE_CONV_2D` of 8-bit quantized values, by rows of pixels.
///
/// Sums are exact, and become quantized values by the very rule of the reference kernel: results
/// are the same bit for bit.
@safe
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
  /// The only output pixel, which keeps `uncountedPixel`; nil where there are several.
  private let pixel: SinglePixel?
  /// That pixel, to which runs count no references.
  private let uncountedPixel: Unmanaged<SinglePixel>?

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
    let sumRange = ProductGroups(loop.nest).sumRange(source, format)
    scaling = format.repeated(windows.repetitions).scaling(
      positions: weights.value.positions, sumBound: weights.value.sumBound,
      sumRange: { sumRange($0 % channels, $1) })
    rowOffsets = (0..<weights.value.planeCount).flatMap { _ in windows.rowOffsets }
    kernels = set.byte
    activationFlip = format.activations.flip
    let joined = channels * windows.repetitions
    padding = AlignedMemory(zeroed: joined)
    unsafe padding.address.initializeMemory(
      as: UInt8.self, repeating: format.activations.quantizedZero, count: joined)
    pixel =
      self.channels.multiplier == 1
      ? unsafe Self.pixel(
        windows, rowOffsets, weights.value, scaling.finish(), kernels, flip: activationFlip,
        channelCount: joined)
      : nil
    unsafe uncountedPixel = pixel.map { unsafe .passUnretained($0) }
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

  /// The only output pixel of `windows`; nil where there are several.
  private static func pixel(
    _ windows: DepthwiseWindows, _ rowOffsets: [Int], _ weights: PackedByteDepthwise,
    _ finish: ByteFinish, _ kernels: ByteMicrokernels, flip: UInt8, channelCount: Int
  ) -> SinglePixel? {
    guard let offsets = windows.singlePixelOffsets else { return nil }
    return unsafe rowOffsets.withUnsafeBufferPointer { rowOffsets in
      guard let window = unsafe windows.window(rowOffsets: rowOffsets) else { return nil }
      let nowhere = unsafe UnsafeMutableRawPointer(mutating: weights.panels)
      let task = unsafe ByteDepthwiseTask(
        pixels: UnsafePointer(nowhere.assumingMemoryBound(to: UnsafeRawPointer.self)),
        window: window, outputCount: 1, channelCount: channelCount, order: weights.order,
        activationFlip: flip, weights: weights.panels, finish: finish, output: nowhere,
        outputStride: channelCount, scratch: nowhere)
      return unsafe kernels.singlePixel(task).map { SinglePixel($0, offsets) }
    }
  }

  var scratchByteCount: Int { kernels.depthwiseScratchByteCount }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    guard unsafe uncountedPixel == nil else { return computePixel(frame) }
    try evaluateBlocks(frame)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard unsafe uncountedPixel != nil else {
      return computeBlocks(frame, workerCount: workerCount, next: next)
    }
    while next() != nil { computePixel(frame) }
  }

  /// Computes the only output pixel.
  private func computePixel(_ frame: borrowing TensorFrame) {
    guard let input = unsafe frame.inputAddress(0), let pixel = unsafe uncountedPixel else {
      return
    }
    let output = unsafe frame.outputAddress(0)
    let padding = unsafe UnsafeRawPointer(padding.address)
    unsafe pixel._withUnsafeGuaranteedRef { pixel in
      unsafe pixel.withTable(input: input, padding: padding) { table, scratch in
        unsafe kernels.depthwise(pixel.convolution, table, to: output, scratch: scratch)
      }
    }
  }

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

/// The only output pixel of a convolution, as far as it is the same in every run.
@safe
private final class SinglePixel: Sendable {
  let convolution: ByteSinglePixel
  /// Where each pointer of the table points, in bytes from the input on; negative for the padding.
  private let offsets: AlignedMemory
  private let offsetCount: Int
  private let tableByteCount: Int

  init(_ convolution: ByteSinglePixel, _ offsets: [Int]) {
    self.convolution = convolution
    let byteCount = offsets.count * MemoryLayout<Int>.stride
    self.offsets = AlignedMemory(uninitialized: byteCount)
    offsetCount = offsets.count
    tableByteCount = roundedUp(byteCount, to: AlignedMemory.alignment)
    let copy = unsafe self.offsets.address.assumingMemoryBound(to: Int.self)
    for (index, offset) in offsets.enumerated() { unsafe (copy + index).initialize(to: offset) }
  }

  /// Runs `body` with the table of pointers to an input, and with scratch memory.
  @unsafe
  @inline(__always)
  func withTable(
    input: UnsafeRawPointer, padding: UnsafeRawPointer,
    _ body: (UnsafePointer<UnsafeRawPointer>, UnsafeMutableRawPointer) -> Void
  ) {
    unsafe ScratchMemory.use(tableByteCount + convolution.scratchByteCount) { base in
      let offsets = unsafe offsets.address.assumingMemoryBound(to: Int.self)
      let table = unsafe base.assumingMemoryBound(to: UnsafeRawPointer.self)
      for index in 0..<offsetCount {
        let offset = unsafe offsets[index]
        unsafe (table + index).initialize(to: offset < 0 ? padding : input + offset)
      }
      unsafe body(UnsafePointer(table), base + tableByteCount)
    }
  }
}
