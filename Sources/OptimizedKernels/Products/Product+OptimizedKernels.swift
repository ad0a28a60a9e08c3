// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension FloatProduct {
  /// The convolution of `loop` as a product; nil where its weights are not constant.
  convenience init?(
    _ loop: ConvolutionLoop<Conv2DNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    var nest = loop.nest
    let taps = FilterTaps(nest.geometry, channelCount: nest.groupDepth)
    guard
      let groups = ProductGroups(nest, laneCount: set.float.layout.laneCount, taps: taps)
    else { return nil }
    nest.geometry = nest.geometry.withoutUnusedTaps
    self.init(ProductRows(nest, elementByteCount: 4), groups, loop.arithmetic, node, cache, set)
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
    self.init(
      rows, groups.packed(weights, in: cache, for: set), columnCount: groups.columnCount,
      range: arithmetic.range, kernels: set.float)
  }
}

extension ByteProduct {
  /// A convolution as a product; nil where its groups are too narrow for whole vectors.
  convenience init?(_ parts: ByteConvolutionParts, _ cache: WeightCache, _ set: MicrokernelSet) {
    var nest = parts.nest
    let taps = FilterTaps(nest.geometry, channelCount: nest.groupDepth)
    guard let groups = ProductGroups(nest, laneCount: set.byte.layout.laneCount, taps: taps)
    else { return nil }
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
    guard let format = ByteFormat(loop.arithmetic) else { return nil }
    self.init(
      ProductRows(rowCount: nest.batchCount, rowByteCount: nest.inputCount), groups, format,
      ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: groups.weightCount,
        biasByteCount: groups.columnTotal * 4),
      cache, set)
  }

  /// The depthwise convolution of `loop` as a product; nil where it has several channels, its
  /// weights are not constant, or no fast kernel follows its format.
  convenience init?<Activation, Weight>(
    _ loop: ConvolutionLoop<DepthwiseConv2DNest, QuantizedConvolution<Activation, Weight>>,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    let groups = ProductGroups(nest, taps: FilterTaps(nest.geometry, channelCount: 1))
    guard nest.inputDepth == 1, nest.outputDepth > 1, let format = ByteFormat(loop.arithmetic)
    else { return nil }
    self.init(
      ProductRows(
        nest.geometry.withoutUnusedTaps, pixelByteCount: 1, imageCount: nest.batchCount), groups,
      format,
      ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: groups.weightCount,
        biasByteCount: groups.columnTotal * 4),
      cache, set)
  }

  private convenience init?(
    _ rows: ProductRows, _ groups: ProductGroups, _ format: ByteFormat,
    _ weights: ConstantWeights?, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    guard let weights else { return nil }
    let matrices = groups.packed(
      weights, format,
      compactCount: PackedByteMatrix.compactCount(
        rowCount: rows.rowCount, modelByteCount: cache.fileByteCount),
      in: cache, for: set)
    let positions = set.byte.layout.positions(columnCount: groups.columnCount)
    let scalings = matrices.value.enumerated().map { group, matrix in
      format.scaling(
        from: group * groups.columnCount, positions: positions, sumBound: matrix.sumBound,
        sumRange: groups.sumRange(weights, format))
    }
    self.init(
      rows, matrices, scalings, columnCount: groups.columnCount,
      activations: format.activations, kernels: set.byte)
  }
}
