// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for transposed convolutions against the reference kernels.
@Suite struct OptimizedTransposedTests {
  @Test(arguments: 0..<60)
  func `float transposed convolutions stay close`(seed: Int) throws {
    let (problem, terms) = try OptimizedProblem.transposed(.float, seed: seed)
    try problem.expectCloseFloats(terms: terms)
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<60)
  func `8-bit transposed convolutions are the same`(format: OptimizedFormat, seed: Int) throws {
    try OptimizedProblem.transposed(format, seed: seed).0.expectSameBytes()
  }

  @Test(arguments: 0..<20)
  func `float transposed convolutions by given weights stay close`(seed: Int) throws {
    let (problem, terms) = try OptimizedProblem.transposed(.float, seed: seed)
    try problem.giving([1, 3]).expectCloseFloats(terms: terms)
  }

  @Test(arguments: 0..<20)
  func `8-bit transposed convolutions by given weights are the same`(seed: Int) throws {
    try OptimizedProblem.transposed(.int8, seed: seed).0.giving([1, 3]).expectSameBytes()
  }

  @Test(arguments: 0..<100)
  func `hybrid transposed convolutions are the same`(seed: Int) throws {
    try OptimizedProblem.transposed(.float, seed: seed).0.withIntegerWeights()
      .expectSameBytes(workerCounts: [1, 2, 3, 4])
  }
}

extension OptimizedProblem {
  /// A random `TRANSPOSE_CONV` and the terms of its sums.
  fileprivate static func transposed(
    _ format: OptimizedFormat, seed: Int
  ) throws -> (OptimizedProblem, terms: Int) {
    var random = SeededRandom(seed: seed)
    let (depth, filters) = (random.pick([1, 2, 3, 8, 17, 40, 70]), random.pick([1, 3, 16, 33]))
    let window = [random.pick([2, 3, 3, 5]), random.pick([1, 2, 3, 4, 8])]
    let stride = [random.pick([1, 2, 2]), random.pick([1, 2, 3, 4].filter { $0 <= window[1] })]
    let padding: Padding = random.pick([.same, .valid])
    let outputs = [random.pick([1, 4, 9, 16]), random.pick([1, 5, 12, 31])]
    // A convolution over the output gives the input's size.
    let inputs = try (0..<2).map { axis in
      try WindowAxis(
        input: max(outputs[axis], window[axis]), window: window[axis], stride: stride[axis],
        dilation: 1, padding: padding
      ).output
    }
    let options = transposeConvOptions(padding, stride)
    let operands = OptimizedOperands(
      format, input: [random.pick([1, 2]), inputs[0], inputs[1], depth],
      filter: [filters, window[0], window[1], depth], channelAxis: 0,
      terms: window[0] * window[1] * depth, &random)
    let shape = [
      operands.input.type.shape[0], max(outputs[0], window[0]), max(outputs[1], window[1]), filters,
    ].map(Int32.init)
    let hasBias = random.pick([true, true, false])
    let problem = OptimizedProblem(
      seed: seed, code: .transposeConv, options: options,
      inputs: [Tensor([4], shape).constant, operands.filter, operands.input]
        + (hasBias ? [operands.bias] : []),
      output: operands.output, rounding: random.pick([.double, .double, .single]))
    return (problem, window[0] * window[1] * depth)
  }

  /// The same node with integer weights, whose scales are one or one for each output channel.
  fileprivate func withIntegerWeights() throws -> OptimizedProblem {
    var random = SeededRandom(seed: seed)
    let filter = try #require(inputs[1])
    let input = try #require(inputs[2])
    var changed = inputs
    changed[1] = random.weights(filter.type.shape)
    changed[2] = Tensor(input.type.shape, random.activations(input.type.shape.elementCount))
    return OptimizedProblem(
      seed: seed, code: code, options: options, inputs: changed, output: output,
      rounding: rounding)
  }

  private static func transposeConvOptions(
    _ padding: Padding, _ stride: [Int]
  ) -> TransposeConvOptions {
    var options = TransposeConvOptions()
    options.padding = padding
    (options.strideHeight, options.strideWidth) = (Int32(stride[0]), Int32(stride[1]))
    return options
  }
}
