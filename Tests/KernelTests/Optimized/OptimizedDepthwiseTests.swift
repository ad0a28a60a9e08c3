// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for depthwise convolutions with several outputs per channel and for hybrid
/// ones against the reference kernels.
@Suite struct OptimizedDepthwiseTests {
  @Test(arguments: 0..<40)
  func `several float outputs per channel stay close`(seed: Int) throws {
    let (problem, terms) = OptimizedProblem.multiplied(.float, seed: seed)
    try problem.expectCloseFloats(terms: terms)
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<40)
  func `several 8-bit outputs per channel are the same`(
    format: OptimizedFormat, seed: Int
  ) throws {
    try OptimizedProblem.multiplied(format, seed: seed).0.expectSameBytes()
  }

  @Test(arguments: 0..<60)
  func `floats of few channels stay close`(seed: Int) throws {
    let (problem, terms) = OptimizedProblem.narrow(.float, seed: seed)
    try problem.expectCloseFloats(terms: terms)
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<60)
  func `bytes of few channels are the same`(format: OptimizedFormat, seed: Int) throws {
    try OptimizedProblem.narrow(format, seed: seed).0.expectSameBytes()
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<80)
  func `single pixels of bytes are the same`(format: OptimizedFormat, seed: Int) throws {
    try OptimizedProblem.single(format, seed: seed).expectSameBytes()
  }

  @Test(arguments: 0..<40)
  func `hybrid convolutions are the same`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let window = (random.pick([1, 3, 5]), random.pick([1, 3, 4]))
    let shape = random.images()
    let channels = shape[3] * random.pick([1, 1, 2, 8])
    let codes = random.codes(window.0 * window.1 * channels, as: Int8.self)
    let filterShape: Shape = [1, window.0, window.1, channels]
    let scales = (0..<channels).map { _ in Float.random(in: 0.001...0.02, using: &random) }
    let filter = Tensor(filterShape, codes, scales: scales, axis: 3).constant
    var values = random.floats(shape.elementCount)
    if random.pick([true, false]) { values = values.map { abs($0) } }
    try OptimizedProblem(
      seed: seed, code: .depthwiseConv2D, options: random.options(),
      inputs: [
        Tensor(shape, values), filter, Tensor([channels], random.floats(channels)).constant,
      ],
      output: TensorType(.float32, []), rounding: .double
    ).expectSameBytes()
  }
}

extension SeededRandom {
  /// The shape of some images that hold a window of 5 by 4.
  fileprivate mutating func images() -> Shape {
    [pick([1, 2]), pick([5, 8, 13]), pick([4, 10, 30]), pick([1, 3, 16, 33, 70])]
  }

  fileprivate mutating func options() -> DepthwiseConv2DOptions {
    var options = DepthwiseConv2DOptions()
    options.padding = pick([.same, .valid])
    (options.strideHeight, options.strideWidth) = (pick([1, 2]), pick([1, 2]))
    return options
  }
}

extension OptimizedProblem {
  /// A random `DEPTHWISE_CONV_2D` of long rows with few channels, and the terms of its sums.
  fileprivate static func narrow(
    _ format: OptimizedFormat, seed: Int
  ) -> (OptimizedProblem, terms: Int) {
    var random = SeededRandom(seed: seed)
    let window = (random.pick([1, 3, 3, 5]), random.pick([2, 3, 3, 5]))
    let depth = random.pick([2, 3, 4, 5, 8, 12, 16, 20])
    let operands = OptimizedOperands(
      format,
      input: [random.pick([1, 2]), random.pick([5, 13]), random.pick([14, 31, 57]), depth],
      filter: [1, window.0, window.1, depth], channelAxis: 3, terms: window.0 * window.1,
      &random)
    var options = random.options()
    if options.strideWidth == 1, options.strideHeight == 1 {
      options.dilationWidth = random.pick([1, 1, 2])
    }
    let problem = OptimizedProblem(
      seed: seed, code: .depthwiseConv2D, options: options,
      inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
      rounding: random.pick([.double, .single]))
    return (problem, window.0 * window.1)
  }

  /// A random `DEPTHWISE_CONV_2D` to a single pixel, as the latest frames of a series have it.
  fileprivate static func single(_ format: OptimizedFormat, seed: Int) -> OptimizedProblem {
    var random = SeededRandom(seed: seed)
    let isPadded = random.pick([true, false])
    let window = (random.pick([1, 2, 3, 5, 9, 23]), random.pick([1, 1, 3, 5]))
    let dilation = isPadded ? 1 : random.pick([1, 1, 2])
    let depth = random.pick([1, 8, 16, 20, 40, 48, 64, 70, 96, 128, 130])
    // Strides as long as the input leave one position, which reaches into the padding.
    let (height, width) =
      isPadded ? (2, 3) : ((window.0 - 1) * dilation + 1, (window.1 - 1) * dilation + 1)
    let operands = OptimizedOperands(
      format, input: [1, height, width, depth], filter: [1, window.0, window.1, depth],
      channelAxis: 3, terms: window.0 * window.1, &random)
    var options = DepthwiseConv2DOptions()
    options.padding = isPadded ? .same : .valid
    (options.strideHeight, options.strideWidth) = isPadded ? (2, 3) : (1, 1)
    (options.dilationHeight, options.dilationWidth) = (Int32(dilation), Int32(dilation))
    return OptimizedProblem(
      seed: seed, code: .depthwiseConv2D, options: options,
      inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
      rounding: random.pick([.double, .single]))
  }

  /// A random `DEPTHWISE_CONV_2D` with several outputs per channel, and the terms of its sums.
  fileprivate static func multiplied(
    _ format: OptimizedFormat, seed: Int
  ) -> (OptimizedProblem, terms: Int) {
    var random = SeededRandom(seed: seed)
    let window = (random.pick([1, 3, 5]), random.pick([1, 3, 4]))
    let depth = random.pick([1, 1, 2, 5, 16])
    let channels = depth * random.pick([2, 3, 8])
    let operands = OptimizedOperands(
      format, input: [random.pick([1, 2]), random.pick([5, 13]), random.pick([4, 20]), depth],
      filter: [1, window.0, window.1, channels], channelAxis: 3, terms: window.0 * window.1,
      &random)
    let problem = OptimizedProblem(
      seed: seed, code: .depthwiseConv2D, options: random.options(),
      inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
      rounding: random.pick([.double, .single]))
    return (problem, window.0 * window.1)
  }
}
