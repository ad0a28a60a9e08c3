// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension FloatProduct {
  /// A convolution as a product.
  convenience init(_ parts: FloatConvolutionParts, _ cache: WeightCache, _ set: MicrokernelSet) {
    var nest = parts.nest
    let taps = FilterTaps(nest.geometry, channelCount: nest.groupDepth)
    let groups = ProductGroups(nest, taps: taps)
    nest.geometry = nest.geometry.withoutUnusedTaps
    self.init(
      ProductRows(nest, elementByteCount: 4), groups, parts.range, parts.weights, cache, set)
  }

  /// The convolution of `loop` over volumes; nil where its weights are not constant.
  convenience init?(
    _ loop: ConvolutionLoop<Conv3DNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    self.init(
      ProductRows(loop.nest), ProductGroups(loop.nest), loop.arithmetic, node, cache, set)
  }

  /// The matrix product of `loop`; nil where its weights are not constant.
  convenience init?(
    _ loop: ConvolutionLoop<FullyConnectedNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    self.init(
      ProductRows(rowCount: nest.batchCount, rowByteCount: nest.inputCount * 4),
      ProductGroups(nest), loop.arithmetic, node, cache, set)
  }

  /// The depthwise convolution of `loop` as a product; nil where it has several channels, or its
  /// weights are not constant.
  convenience init?(
    _ loop: ConvolutionLoop<DepthwiseConv2DNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    guard nest.inputDepth == 1, nest.outputDepth > 1 else { return nil }
    let taps = FilterTaps(nest.geometry, channelCount: 1)
    self.init(
      ProductRows(
        nest.geometry.withoutUnusedTaps, pixelByteCount: 4, imageCount: nest.batchCount),
      ProductGroups(nest, taps: taps), loop.arithmetic, node, cache, set)
  }

  private convenience init?(
    _ rows: ProductRows, _ groups: ProductGroups, _ arithmetic: FloatConvolution,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    guard
      let weights = ConstantWeights(
        node, filterByteCount: groups.weightCount * 4, biasByteCount: groups.columnTotal * 4)
    else { return nil }
    self.init(rows, groups, arithmetic.range, weights, cache, set)
  }

  private convenience init(
    _ rows: ProductRows, _ groups: ProductGroups, _ range: ActivationRange<Float>,
    _ weights: ConstantWeights, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    self.init(
      rows, groups.packed(weights, in: cache, for: set), columnCount: groups.columnCount,
      range: range, kernels: set.float)
  }
}

extension ByteProduct {
  /// A convolution as a product.
  convenience init(_ parts: ByteConvolutionParts, _ cache: WeightCache, _ set: MicrokernelSet) {
    var nest = parts.nest
    let taps = FilterTaps(nest.geometry, channelCount: nest.groupDepth)
    let groups = ProductGroups(nest, taps: taps)
    nest.geometry = nest.geometry.withoutUnusedTaps
    self.init(
      ProductRows(nest, elementByteCount: 1), groups, parts.format, parts.weights, cache, set)
  }

  /// The matrix product of `loop`; nil where its weights are not constant or no fast kernel
  /// follows its format.
  convenience init?<Activation, Weight, Sum, Result>(
    _ loop: ConvolutionLoop<
      FullyConnectedNest, QuantizedFullyConnected<Activation, Weight, Sum, Result>
    >,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    let groups = ProductGroups(nest)
    guard let format = ByteFormat(loop.arithmetic),
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: groups.weightCount,
        biasByteCount: groups.columnTotal * 4)
    else { return nil }
    self.init(
      ProductRows(rowCount: nest.batchCount, rowByteCount: nest.inputCount), groups, format,
      weights, cache, set)
  }

  /// The depthwise convolution of `loop` as a product; nil where it has several channels, its
  /// weights are not constant, or no fast kernel follows its format.
  convenience init?<Activation, Weight>(
    _ loop: ConvolutionLoop<DepthwiseConv2DNest, QuantizedConvolution<Activation, Weight>>,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    let groups = ProductGroups(nest, taps: FilterTaps(nest.geometry, channelCount: 1))
    guard nest.inputDepth == 1, nest.outputDepth > 1, let format = ByteFormat(loop.arithmetic),
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: groups.weightCount,
        biasByteCount: groups.columnTotal * 4)
    else { return nil }
    self.init(
      ProductRows(
        nest.geometry.withoutUnusedTaps, pixelByteCount: 1, imageCount: nest.batchCount), groups,
      format, weights, cache, set)
  }

  private convenience init(
    _ rows: ProductRows, _ groups: ProductGroups, _ format: ByteFormat,
    _ weights: ConstantWeights, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let matrices = groups.packed(
      weights, format.packing,
      compactCount: PackedByteMatrix.compactCount(
        rowCount: rows.rowCount, modelByteCount: cache.fileByteCount),
      in: cache, for: set)
    self.init(
      rows, matrices, groups.scalings(of: matrices, weights, format, set.byte.layout),
      columnCount: groups.columnCount,
      activations: format.activations, kernels: set.byte)
  }
}
