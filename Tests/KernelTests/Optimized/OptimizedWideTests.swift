// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for 16-bit activations and 8-bit weights against the reference kernels, bit
/// for bit.
@Suite struct OptimizedWideTests {
  @Test(arguments: [ElementType.int64, .int32], 0..<40)
  func convolutions(bias: ElementType, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (depth, groups) = (random.pick([1, 3, 16, 33, 70]), random.pick([1, 1, 1, 2, 3, 8]))
    let channels = groups * random.pick(groups == 1 ? [1, 8, 33] : [1, 4, 8, 24])
    let filter: Shape = [channels, random.pick([1, 3, 5]), random.pick([1, 3, 4]), depth]
    var options = Conv2DOptions(random.pick([.same, .valid]))
    options.quantizedBiasType = random.pick([.float32, bias])
    let problem = OptimizedProblem.wide(
      .conv2D, options, input: random.images(depth: groups * depth),
      filter: random.channelWeights(filter, axis: 0), bias: random.biases(channels, bias),
      seed: seed,
      &random)
    try problem.expectSameBytes(workerCounts: [1, 2, 3, 4])
    if seed % 4 == 0 { try problem.giving([1, 2]).expectSameBytes() }
  }

  @Test(arguments: 0..<40)
  func `depthwise convolutions`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let channels = random.pick([1, 3, 16, 33, 70])
    let filter: Shape = [1, random.pick([1, 3, 5]), random.pick([1, 3, 4]), channels]
    var options = DepthwiseConv2DOptions()
    options.padding = random.pick([.same, .valid])
    (options.strideHeight, options.strideWidth) = (random.pick([1, 2]), random.pick([1, 2]))
    try OptimizedProblem.wide(
      .depthwiseConv2D, options, input: random.images(depth: channels),
      filter: random.channelWeights(filter, axis: 3), bias: random.biases(channels, .int64),
      seed: seed,
      &random
    ).expectSameBytes(workerCounts: [1, 2, 3, 4])
  }

  @Test(arguments: [ElementType.int64, .int32], 1...80)
  func `matrix products`(bias: ElementType, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    // Every depth up to 70, then some that fill caches.
    let depth = seed <= 70 ? seed : random.pick([513, 1024, 2500])
    let units = random.pick([1, 2, 8, 17, 33, 100, 257])
    var options = FullyConnectedOptions()
    options.fusedActivation = random.pick([.none, .none, .relu, .relu6])
    let biases: Tensor? = random.pick([random.biases(units, bias), nil])
    options.quantizedBiasType = biases == nil ? bias : random.pick([.float32, bias])
    let zeroPoint: Int64? = random.pick([nil, 0, -128, 127, 5])
    let weights =
      zeroPoint.map {
        Tensor(
          [units, depth], random.codes(units * depth, as: Int8.self), scale: 0.02, zeroPoint: $0
        ).constant
      } ?? random.channelWeights([units, depth], axis: 0)
    try OptimizedProblem.wide(
      .fullyConnected, options, input: [random.pick([1, 2, 7, 49, 100]), depth], filter: weights,
      bias: biases, seed: seed, &random
    ).expectSameBytes(workerCounts: [1, 2, 3, 4])
  }

  @Test(arguments: 0..<30)
  func `matrix products of batches by one matrix`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (depth, columns) = (random.pick([1, 7, 64, 130]), random.pick([1, 16, 17, 70]))
    var options = BatchMatMulOptions()
    options.transposesRight = Bool.random(using: &random)
    let right: Shape = options.transposesRight ? [columns, depth] : [depth, columns]
    let codes = random.codes(right.elementCount, as: Int8.self)
    try OptimizedProblem.wide(
      .batchMatMul, options,
      input: random.pick([[3, 5, depth], [1, depth], [2, 2, 30, depth]] as [Shape]),
      filter: Tensor(right, codes, scale: 0.02, zeroPoint: 0).constant, bias: nil, seed: seed,
      &random
    ).expectSameBytes()
  }
}

extension OptimizedProblem {
  /// A node with 16-bit activations; results fill their range, or are nearly all limits or zero.
  fileprivate static func wide(
    _ code: OperatorCode, _ options: any OptionsTable, input: Shape, filter: Tensor, bias: Tensor?,
    seed: Int, _ random: inout SeededRandom
  ) -> OptimizedProblem {
    let scale: Float = random.pick([0.001, 0.02, 0.5, 1e-8, 1e6])
    return OptimizedProblem(
      seed: seed, code: code, options: options,
      inputs: [
        Tensor(input, random.codes(input.elementCount, as: Int16.self), scale: 0.001, zeroPoint: 0),
        filter,
      ] + (bias.map { [$0] } ?? []),
      output: TensorType(.int16, [], quantization: Quantization(scale: scale, zeroPoint: 0)),
      rounding: random.pick([.double, .single]))
  }
}

extension SeededRandom {
  /// The shape of some images that hold a window of 5 by 4.
  fileprivate mutating func images(depth: Int) -> Shape {
    [pick([1, 2]), pick([5, 8, 13]), pick([4, 10, 30]), depth]
  }

  /// Weights with a scale for each output channel.
  mutating func channelWeights(_ shape: Shape, axis: Int) -> Tensor {
    let scales = (0..<shape[axis]).map { _ in Float.random(in: 0.001...0.02, using: &self) }
    let codes = codes(shape.elementCount, as: Int8.self)
    return Tensor(shape, codes, scales: scales, axis: axis).constant
  }

  /// Biases as large as sums, or now and then so large that these overflow.
  fileprivate mutating func biases(_ count: Int, _ type: ElementType) -> Tensor {
    let isExtreme = Int.random(in: 0..<6, using: &self) == 0
    if type == .int32 {
      let codes = codes(count, as: Int32.self)
      return Tensor([count], isExtreme ? codes : codes.map { $0 >> 6 }).constant
    }
    let codes = codes(count, as: Int64.self)
    return Tensor([count], isExtreme ? codes : codes.map { $0 >> 27 }).constant
  }
}
