// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import ReferenceKernels
import SeededRandom
import Tensors

/// The number formats of products and convolutions that have optimized kernels.
enum OptimizedFormat: CaseIterable {
  case float, int8, uint8
}

/// The operands of a product or convolution of random size.
struct OptimizedOperands {
  let input: Tensor
  let filter: Tensor
  let bias: Tensor
  let output: TensorType

  /// Random operands; sums have `terms` terms, and `channelAxis` is the filter's output axis.
  init(
    _ format: OptimizedFormat, input inputShape: Shape, filter filterShape: Shape,
    channelAxis: Int, terms: Int, _ random: inout SeededRandom
  ) {
    let channels = filterShape[channelAxis]
    let (inputCount, filterCount) = (inputShape.elementCount, filterShape.elementCount)
    guard format != .float else {
      input = Tensor(inputShape, random.floats(inputCount))
      filter = Tensor(filterShape, random.floats(filterCount)).constant
      bias = Tensor([channels], random.floats(channels)).constant
      output = TensorType(.float32, [])
      return
    }
    let sums = (0..<channels).map { _ in Int32.random(in: -20_000...20_000, using: &random) }
    bias = Tensor([channels], sums).constant
    // Sums are about 74² √terms steps of 0.01 · 0.02; the output's steps are some 50 to a sum, or
    // so few or many that results are all limits or all zero.
    let step = 0.01 * 0.02 * 5_500 * Float(terms).squareRoot() / 50
    let scale = step * random.pick([1, 1, 1, 0.3, 3, 0.001, 1000])
    if format == .int8 {
      let zeroPoint = random.pick([0, -128, 127, -5]) as Int64
      input = Tensor(
        inputShape, random.codes(inputCount, as: Int8.self), scale: 0.01, zeroPoint: zeroPoint)
      let codes = random.codes(filterCount, as: Int8.self)
      if Bool.random(using: &random) {
        filter = Tensor(filterShape, codes, scale: 0.02).constant
      } else {
        // As trained networks have them: a few channels far from the others.
        let stretches: [Float] =
          Bool.random(using: &random) ? [1] : [Float](repeating: 1, count: 18) + [3000, 1e-7]
        let scales = (0..<channels).map { _ in
          Float.random(in: 0.001...0.03, using: &random) * random.pick(stretches)
        }
        filter = Tensor(filterShape, codes, scales: scales, axis: channelAxis).constant
      }
      output = TensorType(
        .int8, [],
        quantization: Quantization(scale: scale, zeroPoint: random.pick([0, -128, 127, 9])))
    } else {
      input = Tensor(
        inputShape, random.codes(inputCount, as: UInt8.self), scale: 0.01,
        zeroPoint: random.pick([0, 255, 128, 77]))
      filter =
        Tensor(
          filterShape, random.codes(filterCount, as: UInt8.self), scale: 0.02,
          zeroPoint: random.pick([0, 255, 128, 121])
        ).constant
      output = TensorType(
        .uint8, [],
        quantization: Quantization(scale: scale, zeroPoint: random.pick([0, 255, 128, 140])))
    }
  }
}

extension OptimizedProblem {
  private static let activations: [FusedActivation] = [.none, .none, .relu, .relu6, .reluN1To1]

  /// A random `CONV_2D` and the terms of its sums.
  static func conv2D(_ format: OptimizedFormat, seed: Int) -> (OptimizedProblem, terms: Int) {
    var random = SeededRandom(seed: seed)
    let groups = random.pick([1, 1, 1, 1, 2, 3, 4, 12])
    let groupDepth = random.pick([1, 2, 3, 4, 5, 8, 16, 17, 40, 65])
    let filters = random.pick(groups == 1 ? [1, 3, 8, 9, 16, 24, 33, 70] : [1, 2, 4, 8, 16, 24])
    let window = (random.pick([1, 1, 2, 3, 3, 5]), random.pick([1, 1, 2, 3, 3, 4]))
    var options = Conv2DOptions(random.pick([.same, .valid]))
    (options.strideHeight, options.strideWidth) = (random.pick([1, 1, 2, 3]), random.pick([1, 2]))
    (options.dilationHeight, options.dilationWidth) =
      (random.pick([1, 1, 2]), random.pick([1, 1, 1, 3]))
    options.fusedActivation = random.pick(activations)
    let shape: Shape = [
      random.pick([1, 1, 2]), random.pick([1, 5, 8, 13]), random.pick([1, 4, 10, 30]),
      groups * groupDepth,
    ]
    let terms = window.0 * window.1 * groupDepth
    let operands = OptimizedOperands(
      format, input: shape, filter: [groups * filters, window.0, window.1, groupDepth],
      channelAxis: 0, terms: terms, &random)
    var problem = OptimizedProblem(
      seed: seed, code: .conv2D, options: options,
      inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
      rounding: random.pick([.double, .double, .single]))
    problem.productsRoundUp = problem.rounding == .double && Bool.random(using: &random)
    return (problem, terms)
  }

  /// A random `DEPTHWISE_CONV_2D` and the terms of its sums.
  static func depthwise(_ format: OptimizedFormat, seed: Int) -> (OptimizedProblem, terms: Int) {
    var random = SeededRandom(seed: seed)
    let channels = random.pick([1, 3, 8, 16, 17, 31, 32, 33, 64, 65, 100])
    let window = (random.pick([1, 2, 3, 3, 5]), random.pick([1, 2, 3, 3, 5, 7]))
    var options = DepthwiseConv2DOptions()
    options.padding = random.pick([.same, .valid])
    (options.strideHeight, options.strideWidth) = (random.pick([1, 1, 2, 3]), random.pick([1, 2]))
    (options.dilationHeight, options.dilationWidth) =
      (random.pick([1, 1, 2]), random.pick([1, 1, 3]))
    options.fusedActivation = random.pick(activations)
    let shape: Shape = [
      random.pick([1, 1, 2]), random.pick([1, 5, 8, 13]), random.pick([1, 4, 10, 30]), channels,
    ]
    let operands = OptimizedOperands(
      format, input: shape, filter: [1, window.0, window.1, channels], channelAxis: 3,
      terms: window.0 * window.1, &random)
    let hasBias = random.pick([true, true, false])
    let problem = OptimizedProblem(
      seed: seed, code: .depthwiseConv2D, options: options,
      inputs: [operands.input, operands.filter] + (hasBias ? [operands.bias] : []),
      output: operands.output, rounding: random.pick([.double, .double, .single]))
    return (problem, window.0 * window.1)
  }

  /// A random `FULLY_CONNECTED` and the terms of its sums.
  static func fullyConnected(
    _ format: OptimizedFormat, seed: Int
  ) -> (OptimizedProblem, terms: Int) {
    var random = SeededRandom(seed: seed)
    let depth = random.pick([1, 3, 4, 15, 26, 64, 130, 250, 513])
    let units = random.pick([1, 2, 8, 17, 32, 100, 257])
    var options = FullyConnectedOptions()
    options.fusedActivation = random.pick(activations)
    let operands = OptimizedOperands(
      format, input: [random.pick([1, 1, 2, 13, 40, 96]), depth], filter: [units, depth],
      channelAxis: 0, terms: depth, &random)
    let hasBias = random.pick([true, true, false])
    var problem = OptimizedProblem(
      seed: seed, code: .fullyConnected, options: options,
      inputs: [operands.input, operands.filter] + (hasBias ? [operands.bias] : []),
      output: operands.output, rounding: random.pick([.double, .double, .single]))
    problem.productsRoundUp = problem.rounding == .double && Bool.random(using: &random)
    return (problem, depth)
  }
}
