// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized convolutions whose windows span the image's width, as those of sounds and other series
/// with a frame in each line do, against the reference kernels.
@Suite struct OptimizedSeriesTests {
  @Test(arguments: 0..<60)
  func `float convolutions stay close`(seed: Int) throws {
    let (problem, terms) = OptimizedProblem.series(.conv2D, .float, seed: seed)
    try problem.expectCloseFloats(terms: terms)
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<60)
  func `8-bit convolutions are the same`(format: OptimizedFormat, seed: Int) throws {
    try OptimizedProblem.series(.conv2D, format, seed: seed).0.expectSameBytes()
  }

  @Test(arguments: 0..<60)
  func `float depthwise convolutions stay close`(seed: Int) throws {
    let (problem, terms) = OptimizedProblem.series(.depthwiseConv2D, .float, seed: seed)
    try problem.expectCloseFloats(terms: terms)
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<60)
  func `8-bit depthwise convolutions are the same`(format: OptimizedFormat, seed: Int) throws {
    try OptimizedProblem.series(.depthwiseConv2D, format, seed: seed).0.expectSameBytes()
  }

  @Test func `series that are too long for one line have optimized kernels`() throws {
    var random = SeededRandom(seed: 1)
    let operands = OptimizedOperands(
      .int8, input: [1, 263_000, 1, 17], filter: [1, 3, 1, 17], channelAxis: 3, terms: 3, &random)
    try OptimizedProblem(
      seed: 1, code: .depthwiseConv2D, options: DepthwiseConv2DOptions(.same, 1, 1, .none),
      inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
      rounding: .double
    ).expectSameBytes()
  }

  @Test(arguments: [OperatorCode.conv2D, .depthwiseConv2D], 0..<40)
  func `hybrid convolutions are the same`(code: OperatorCode, seed: Int) throws {
    var (problem, _) = OptimizedProblem.series(code, .float, seed: seed, mostGroups: 1)
    var random = SeededRandom(seed: seed)
    let shape = try #require(problem.inputs[1]).type.shape
    let axis = code == .conv2D ? 0 : 3
    let scales = (0..<shape[axis]).map { _ in Float.random(in: 0.001...0.02, using: &random) }
    problem.inputs[1] =
      Tensor(
        shape, random.codes(shape.elementCount, as: Int8.self), scales: scales, axis: axis
      ).constant
    try problem.expectSameBytes()
  }
}

extension OptimizedProblem {
  /// A random convolution over lines, and the terms of its sums.
  fileprivate static func series(
    _ code: OperatorCode, _ format: OptimizedFormat, seed: Int, mostGroups: Int = 2
  ) -> (OptimizedProblem, terms: Int) {
    var random = SeededRandom(seed: seed)
    let isDepthwise = code == .depthwiseConv2D
    let groups = isDepthwise ? 1 : min(random.pick([1, 1, 1, 2]), mostGroups)
    let width = random.pick([1, 1, 1, 2, 5])
    let window = random.pick([1, 2, 3, 5, 10, 21])
    let depth = random.pick([1, 2, 3, 8, 16, 33, 40, 64])
    let input: Shape = [
      random.pick([1, 1, 2]), window + random.pick([0, 1, 6, 40]), width, groups * depth,
    ]
    let padding = width == 1 ? random.pick([.same, .valid]) : Padding.valid
    let stride = random.pick([1, 1, 2, 3] as [Int32])
    let dilation =
      width == 1 && stride == 1 && input[1] > 2 * window ? random.pick([1, 1, 2] as [Int32]) : 1
    let activation = random.pick([.none, .relu, .relu6] as [FusedActivation])
    let filters = groups * random.pick(groups == 1 ? [1, 3, 8, 17, 32, 70] : [8, 16, 24])
    let terms = window * width * (isDepthwise ? 1 : depth)
    let operands = OptimizedOperands(
      format, input: input,
      filter: isDepthwise ? [1, window, width, depth] : [filters, window, width, depth],
      channelAxis: isDepthwise ? 3 : 0, terms: terms, &random)
    let problem = OptimizedProblem(
      seed: seed, code: code,
      options: isDepthwise
        ? DepthwiseConv2DOptions(padding, stride, dilation, activation)
        : Conv2DOptions(padding, stride, dilation, activation) as any OptionsTable,
      inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
      rounding: format == .float ? .double : random.pick([.double, .double, .single]))
    return (problem, terms)
  }
}

extension Conv2DOptions {
  fileprivate init(
    _ padding: Padding, _ stride: Int32, _ dilation: Int32, _ activation: FusedActivation
  ) {
    self.init(padding)
    (strideHeight, strideWidth, fusedActivation) = (stride, 1, activation)
    (dilationHeight, dilationWidth) = (dilation, 1)
  }
}

extension DepthwiseConv2DOptions {
  fileprivate init(
    _ padding: Padding, _ stride: Int32, _ dilation: Int32, _ activation: FusedActivation
  ) {
    self.init()
    (self.padding, fusedActivation) = (padding, activation)
    (strideHeight, strideWidth) = (stride, 1)
    (dilationHeight, dilationWidth) = (dilation, 1)
  }
}
