// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension LineProduct where Format == FloatLines {
  /// A convolution; nil where its windows are better read pixel by pixel.
  convenience init?(_ parts: FloatConvolutionParts, _ cache: WeightCache, _ set: MicrokernelSet) {
    let nest = parts.nest
    let taps = FilterTaps(nest.geometry, channelCount: nest.groupDepth)
    let groups = ProductGroups(nest, taps: taps)
    guard
      let windows = LineWindows(
        nest.geometry.withoutUnusedTaps, depth: nest.groupDepth, groupCount: groups.count,
        imageCount: nest.batchCount,
        tileRows: set.float.layout.tileRows(columnCount: groups.columnCount),
        vectors: set.float.layout.vectors(columnCount: groups.columnCount))
    else { return nil }
    self.init(windows, groups, parts.range, parts.weights, cache, set)
  }

  /// The depthwise convolution of `loop`; nil where it has several channels, its windows are better
  /// read pixel by pixel, or its weights are not constant.
  convenience init?(
    _ loop: ConvolutionLoop<DepthwiseConv2DNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    let taps = FilterTaps(nest.geometry, channelCount: 1)
    guard nest.inputDepth == 1, nest.outputDepth > 1,
      let windows = LineWindows(
        nest.geometry.withoutUnusedTaps, depth: 1, imageCount: nest.batchCount,
        tileRows: set.float.layout.tileRows(columnCount: nest.outputDepth),
        vectors: set.float.layout.vectors(columnCount: nest.outputDepth))
    else { return nil }
    let groups = ProductGroups(nest, taps: taps)
    guard
      let weights = ConstantWeights(
        node, filterByteCount: groups.weightCount * 4, biasByteCount: groups.columnTotal * 4)
    else { return nil }
    self.init(windows, groups, loop.arithmetic.range, weights, cache, set)
  }

  private convenience init?(
    _ windows: LineWindows, _ groups: ProductGroups, _ range: ActivationRange<Float>,
    _ weights: ConstantWeights, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    guard windows.suitsFloats else { return nil }
    self.init(
      windows,
      FloatLines(
        matrices: groups.packed(weights, in: cache, for: set), columnCount: groups.columnCount,
        range: range, kernels: set.float))
  }
}

extension LineProduct where Format == ByteLines {
  /// A convolution; nil where its windows are better copied one by one.
  convenience init?(_ parts: ByteConvolutionParts, _ cache: WeightCache, _ set: MicrokernelSet) {
    guard let windows = LineWindows(parts.nest, set.byte.layout) else { return nil }
    let groups = ProductGroups(parts.nest, windows, set.byte.layout)
    self.init(windows, groups, parts.format, parts.weights, cache, set)
  }

  /// The depthwise convolution of `loop`; nil where it has several channels, its windows are better
  /// copied one by one, its weights are not constant, or no fast kernel follows its format.
  convenience init?<Activation, Weight>(
    _ loop: ConvolutionLoop<DepthwiseConv2DNest, QuantizedConvolution<Activation, Weight>>,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    guard let windows = LineWindows(loop.nest, set.byte.layout),
      let format = ByteFormat(loop.arithmetic)
    else { return nil }
    let groups = ProductGroups(loop.nest, windows, set.byte.layout)
    guard
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: groups.weightCount,
        biasByteCount: groups.columnTotal * 4)
    else { return nil }
    self.init(windows, groups, format, weights, cache, set)
  }

  private convenience init?(
    _ windows: LineWindows, _ groups: ProductGroups, _ format: ByteFormat,
    _ weights: ConstantWeights, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let matrices = groups.packed(weights, format.packing, in: cache, for: set)
    self.init(
      windows,
      ByteLines(
        matrices: matrices, columnCount: groups.columnCount,
        scalings: groups.scalings(of: matrices, weights, format, set.byte.layout),
        activations: format.activations, kernels: set.byte))
  }
}

extension ProductGroups {
  /// The filter of a convolution of bytes, as lines of `windows` take it.
  init(_ nest: Conv2DNest, _ windows: LineWindows, _ layout: ByteGemmLayout) {
    self.init(
      nest,
      taps: FilterTaps(
        nest.geometry, channelCount: nest.groupDepth, step: layout.stepDepth,
        joinsRows: windows.isLine))
  }

  /// The filter of a depthwise convolution of bytes of one channel, as lines of `windows` take it.
  init(_ nest: DepthwiseConv2DNest, _ windows: LineWindows, _ layout: ByteGemmLayout) {
    self.init(
      nest,
      taps: FilterTaps(
        nest.geometry, channelCount: 1, step: layout.stepDepth, joinsRows: windows.isLine))
  }
}

extension LineWindows {
  /// The windows of a convolution of bytes; nil where these are better copied one by one.
  init?(_ nest: Conv2DNest, _ layout: ByteGemmLayout) {
    self.init(
      nest.geometry.withoutUnusedTaps, depth: nest.groupDepth, groupCount: nest.groupCount,
      imageCount: nest.batchCount, tileRows: layout.tileRows)
    guard suitsBytes(layout) else { return nil }
  }

  /// The windows of a depthwise convolution of bytes; nil where it has several channels, or windows
  /// are better copied one by one.
  init?(_ nest: DepthwiseConv2DNest, _ layout: ByteGemmLayout) {
    guard nest.inputDepth == 1, nest.outputDepth > 1 else { return nil }
    self.init(
      nest.geometry.withoutUnusedTaps, depth: 1, imageCount: nest.batchCount,
      tileRows: layout.tileRows)
    guard suitsBytes(layout) else { return nil }
  }

  /// Channels from which on products of floats read pixels where they are.
  private static let floatLimit = 16
  /// Channels from which on a copy of a window takes little time beside its products.
  static let byteLimit = 64

  /// Whether copied lines are faster than pixels that are read where they are.
  fileprivate var suitsFloats: Bool {
    rows.window * columns.window > 1 && (isLine || pixelDepth < Self.floatLimit)
  }

  /// Whether copied lines are faster than copied windows, which tiles read faster where these are
  /// interleaved: windows of one pixel, or of whole vectors of channels.
  fileprivate func suitsBytes(_ layout: ByteGemmLayout) -> Bool {
    let isInterleaved = layout.interleavesRows && (pixels != nil || pixelDepth % 16 == 0)
    return pixelDepth <= Self.byteLimit && !isInterleaved
  }
}
