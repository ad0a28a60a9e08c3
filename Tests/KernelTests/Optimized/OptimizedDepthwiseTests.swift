// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// Stand-ins for depthwise convolutions with several outputs per channel, for hybrid ones and for
/// 16-bit activations against the reference kernels.
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

  @Test(arguments: 0..<40)
  func `hybrid convolutions are the same`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let window = (random.pick([1, 3, 5]), random.pick([1, 3, 4]))
    let shape = random.pictures()
    let channels = shape[3]
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

  @Test(arguments: [OperatorCode.conv2D, .depthwiseConv2D], 0..<40)
  func `16-bit activations give the same`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let window = (random.pick([1, 3, 5]), random.pick([1, 3, 4]))
    let shape = random.pictures()
    let channels = code == .conv2D ? random.pick([1, 8, 33]) : shape[3]
    let filterShape: Shape =
      code == .conv2D
      ? [channels, window.0, window.1, shape[3]] : [1, window.0, window.1, channels]
    let scales = (0..<channels).map { _ in Float.random(in: 0.001...0.02, using: &random) }
    let filter = Tensor(
      filterShape, random.codes(filterShape.elementCount, as: Int8.self), scales: scales,
      axis: code == .conv2D ? 0 : 3
    ).constant
    let biases = (0..<channels).map { _ in Int64.random(in: -1 << 36...1 << 36, using: &random) }
    let options: any OptionsTable =
      code == .conv2D ? Conv2DOptions(random.pick([.same, .valid])) : random.options()
    try OptimizedProblem(
      seed: seed, code: code, options: options,
      inputs: [
        Tensor(shape, random.codes(shape.elementCount, as: Int16.self), scale: 0.001, zeroPoint: 0),
        filter, Tensor([channels], biases).constant,
      ],
      output: TensorType(
        .int16, [],
        quantization: Quantization(scale: random.pick([0.001, 0.02, 0.5]), zeroPoint: 0)),
      rounding: random.pick([.double, .single])
    ).expectSameBytes()
  }
}

extension SeededRandom {
  /// The shape of some pictures that hold a window of 5 by 4.
  fileprivate mutating func pictures() -> Shape {
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
