// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A quantized convolution as products take it.
///
/// Where output channels are so few that they leave half of a tile empty or more, neighboring pixels
/// may be computed as further channels of one: bringing sums to quantized values takes most of the
/// time of such convolutions. Groups of few channels are computed several at once.
struct ByteConvolutionParts {
  /// The loops, perhaps of joined pixels.
  let nest: Conv2DNest
  /// The number format.
  let format: ByteFormat
  /// Weights and bias.
  let weights: ConstantWeights

  /// The parts of `loop` for products of this layout; nil where its weights are not constant or no
  /// fast kernel follows its format.
  init?<Activation, Weight>(
    _ loop: ConvolutionLoop<Conv2DNest, QuantizedConvolution<Activation, Weight>>,
    _ node: PrepareContext, _ layout: ByteGemmLayout
  ) {
    guard let format = ByteFormat(loop.arithmetic),
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: loop.nest.weightCount,
        biasByteCount: loop.nest.outputDepth * 4)
    else { return nil }
    self.init(loop.nest, format, weights, layout)
  }

  /// The parts of a matrix product, whose rows are pixels of one line; nil where these are faster by
  /// themselves, its weights are not constant, or no fast kernel follows its format.
  init?<Element>(
    _ loop: ConvolutionLoop<
      FullyConnectedNest, QuantizedFullyConnected<Element, Element, Int32, Element>
    >, _ node: PrepareContext, _ layout: ByteGemmLayout
  ) {
    let nest = loop.nest
    guard nest.batchCount >= LineTiles.leastRows, nest.inputCount <= LineWindows.byteLimit,
      let format = ByteFormat(loop.arithmetic),
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: nest.inputCount * nest.outputDepth,
        biasByteCount: nest.outputDepth * 4)
    else { return nil }
    let pixels = WindowGeometry(
      rows: WindowAxis(input: 1, window: 1, output: 1, padding: 0),
      columns: WindowAxis(
        input: nest.batchCount, window: 1, output: nest.batchCount, padding: 0))
    let single = Conv2DNest(
      geometry: pixels, batchCount: 1, inputDepth: nest.inputCount, groupDepth: nest.inputCount,
      outputDepth: nest.outputDepth)
    guard let (count, joined) = Self.joined(single, layout) else { return nil }
    self.init(single, format, weights, joining: count, joined)
  }

  /// The parts of a convolution of which `count` neighboring pixels are one.
  private init(
    _ single: Conv2DNest, _ format: ByteFormat, _ weights: ConstantWeights, joining count: Int,
    _ joined: Conv2DNest
  ) {
    let filter = single.joinedFilter(
      weights.filter, joining: count, filler: UInt8(truncatingIfNeeded: format.filterZeroPoint))
    self.init(
      joined, format.repeated(count),
      weights.repeated(count, filter: filter, biasByteCount: single.outputDepth * 4))
  }

  /// The parts of a convolution, of which pixels or groups are joined where that is faster.
  private init(
    _ single: Conv2DNest, _ format: ByteFormat, _ weights: ConstantWeights,
    _ layout: ByteGemmLayout
  ) {
    if single.groupDepth != single.inputDepth {
      let count = single.groupsOfVector(laneCount: layout.laneCount)
      let joined = single.weights(
        weights, joiningGroups: count, elementByteCount: 1,
        filler: UInt8(truncatingIfNeeded: format.filterZeroPoint))
      self.init(single.joiningGroups(count), format, joined)
    } else if let (count, nest) = Self.joined(single, layout) {
      self.init(single, format, weights, joining: count, nest)
    } else {
      self.init(single, format, weights)
    }
  }

  private init(_ nest: Conv2DNest, _ format: ByteFormat, _ weights: ConstantWeights) {
    (self.nest, self.format, self.weights) = (nest, format, weights)
  }

  /// The kernel that computes the convolution.
  func optimizedKernel(_ cache: WeightCache, _ set: MicrokernelSet) -> KernelSet.OptimizedKernel {
    Winograd<ByteTiles>(self, cache, set).map { KernelSet.OptimizedKernel($0) }
      ?? LineProduct<ByteLines>(self, cache, set).map { KernelSet.OptimizedKernel($0) }
      ?? KernelSet.OptimizedKernel(ByteProduct(self, cache, set))
  }

  /// How many pixels are computed fastest as one, and the loops that do it; nil where pixels are
  /// faster by themselves.
  private static func joined(
    _ nest: Conv2DNest, _ layout: ByteGemmLayout
  ) -> (count: Int, nest: Conv2DNest)? {
    var best: (count: Int, nest: Conv2DNest)?
    var least = cost(nest, layout)
    for count in stride(from: 2, through: layout.panelWidth / max(nest.outputDepth, 1), by: 1) {
      guard let joined = nest.joining(count) else { continue }
      let cost = cost(joined, layout) / Double(count)
      if cost < least { (best, least) = ((count, joined), cost) }
    }
    return best
  }

  /// What a pixel takes, roughly, in instructions of a processor.
  private static func cost(_ nest: Conv2DNest, _ layout: ByteGemmLayout) -> Double {
    let lanes = layout.panelWidth / 2
    let vectors = Double((nest.outputDepth + lanes - 1) / lanes)
    // In Double, as a product of sizes from a model may be any number.
    let depth = Double(nest.geometry.columns.window) * Double(nest.inputDepth)
    let words = Double(nest.geometry.rows.window) * (depth / Double(layout.wordDepth)).rounded(.up)
    let products = words * (broadcastCost + vectors * dotCost)
    return products + vectors * finishCost + tileCost / Double(layout.tileRows)
  }

  /// Bringing an activation to all lanes.
  private static let broadcastCost = 1.0
  /// Multiplying and adding a vector of weights.
  private static let dotCost = 1.5
  /// Bringing a vector of sums to quantized values.
  private static let finishCost = 14.0
  /// Calling a tile.
  private static let tileCost = 120.0
}
