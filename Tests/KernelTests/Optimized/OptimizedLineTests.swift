// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for convolutions of few channels, whose windows are read where they overlap,
/// against the reference kernels.
@Suite struct OptimizedLineTests {
  @Test(arguments: OptimizedFormat.allCases, 0..<60)
  func `windows over images of few channels`(format: OptimizedFormat, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    var options = random.options()
    options.dilationHeight = random.pick([1, 1, 2])
    options.dilationWidth = random.pick([1, 1, 1, 2])
    try expectAgreement(
      format, random.pick([.conv2D, .conv2D, .depthwiseConv2D]), options,
      image: (random.pick([1, 6, 9]), random.pick([5, 12, 13, 25, 40, 110])),
      window: (random.pick([1, 2, 3, 3, 5]), random.pick([1, 2, 3, 3, 5, 7])),
      depth: random.pick([1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 16, 33]), &random, seed)
  }

  @Test(arguments: OptimizedFormat.allCases, 0..<60)
  func `groups of few channels`(format: OptimizedFormat, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let groups = random.pick([2, 3, 4, 5, 8, 12, 32])
    try expectAgreement(
      format, .conv2D, random.options(),
      image: (random.pick([1, 6, 9]), random.pick([1, 3, 7, 14, 25, 56])),
      window: (random.pick([1, 2, 3, 3, 5]), random.pick([1, 2, 3, 3, 5])),
      depth: random.pick([1, 2, 4, 4, 8, 16, 20, 64, 80]), groups: groups,
      channels: groups * random.pick([1, 2, 4, 4, 8, 16, 20, 33]), &random, seed)
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<80)
  func `few output channels`(format: OptimizedFormat, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    try expectAgreement(
      format, .conv2D, random.options(),
      image: (random.pick([1, 4, 9]), random.pick([8, 12, 24, 36, 60, 112])),
      window: (random.pick([1, 1, 2, 3]), random.pick([1, 1, 2, 3, 5])),
      depth: random.pick([1, 2, 3, 4, 8, 16, 40, 70]),
      channels: random.pick([1, 2, 3, 4, 5, 8, 12, 16]), &random, seed)
  }

  @Test(arguments: OptimizedFormat.allCases, 0..<30)
  func `windows as wide as the image`(format: OptimizedFormat, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    var options = random.options()
    let width = random.pick([1, 1, 2, 3, 5])
    if width > 1 { options.padding = .valid }
    let height = random.pick([3, 4, 8, 64, 512])
    try expectAgreement(
      format, random.pick([.conv2D, .depthwiseConv2D]), options,
      image: (random.pick([24, 61, 200]) + (options.padding == .valid ? height : 0), width),
      window: (height, width), depth: height > 8 ? 1 : random.pick([1, 3, 8]), &random, seed)
  }

  @Test(arguments: OptimizedFormat.allCases, 0..<40)
  func `windows larger than the image`(format: OptimizedFormat, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    var options = random.options()
    options.padding = .same
    (options.dilationHeight, options.dilationWidth) = (
      random.pick([1, 1, 3]), random.pick([1, 2])
    )
    try expectAgreement(
      format, random.pick([.conv2D, .depthwiseConv2D]), options,
      image: (random.pick([1, 1, 2, 3]), random.pick([1, 1, 2, 14, 30])),
      window: (random.pick([3, 5, 7]), random.pick([1, 3, 5, 9, 40])),
      depth: random.pick([1, 2, 5, 16, 32]), &random, seed)
  }

  /// Trained networks have channels with tiny weights and a large bias.
  @Test(arguments: [OperatorCode.conv2D, .depthwiseConv2D], 0..<40)
  func `channels whose sums all give the same value`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let depth = code == .conv2D ? random.pick([1, 3, 16, 70]) : random.pick([1, 24])
    let channels = code == .conv2D ? random.pick([3, 16, 40]) : 24
    let window = random.pick([1, 3])
    let shape: Shape = [1, random.pick([3, 7]), random.pick([5, 20]), depth]
    let filterShape: Shape =
      code == .conv2D ? [channels, window, window, depth] : [1, window, window, channels]
    let share = random.pick([0.1, 0.5, 1])
    var (scales, sums): ([Float], [Int32]) = ([], [])
    for _ in 0..<channels {
      let isDead = Double.random(in: 0..<1, using: &random) < share
      scales.append(isDead ? random.pick([1e-10, 3e-9, 1e-7, 1e-6]) : 0.02)
      let bound: Int32 = isDead ? random.pick([1 << 30, 1 << 24, .max - 1 << 25]) : 20_000
      sums.append(Int32.random(in: -bound...bound, using: &random))
    }
    let codes = random.codes(filterShape.elementCount, as: Int8.self)
    let zeroPoint = random.pick([0, -128, 11]) as Int64
    let input = Tensor(
      shape, random.codes(shape.elementCount, as: Int8.self), scale: 0.01, zeroPoint: zeroPoint)
    var conv2D = random.options()
    conv2D.fusedActivation = random.pick([.none, .relu6])
    let quantization = Quantization(
      scale: random.pick([0.05, 1, 1e-4]), zeroPoint: random.pick([0, -128, 40]))
    try OptimizedProblem(
      seed: seed, code: code, options: code == .conv2D ? conv2D : conv2D.depthwise,
      inputs: [
        input,
        Tensor(filterShape, codes, scales: scales, axis: code == .conv2D ? 0 : 3).constant,
        Tensor([channels], sums).constant,
      ],
      output: TensorType(.int8, [], quantization: quantization),
      rounding: random.pick([.double, .double, .single])
    ).expectSameBytes()
  }

  /// One with a block more than the others would have them wait.
  @Test(arguments: [[40, 40, 16, 96], [80, 80, 8, 32], [160, 160, 4, 8]], [2, 3, 4])
  func `every worker gets as many blocks`(sizes: [Int], workerCount: Int) throws {
    var random = SeededRandom(seed: sizes[0])
    let operands = OptimizedOperands(
      .int8, input: [1, sizes[0], sizes[1], sizes[2]], filter: [sizes[3], 1, 1, sizes[2]],
      channelAxis: 0, terms: sizes[2], &random)
    let problem = OptimizedProblem(
      seed: sizes[0], code: .conv2D, options: Conv2DOptions(.same),
      inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
      rounding: .double)
    for set in MicrokernelSet.tested {
      let kernel = try #require(problem.node(.optimized(for: set)).kernel.blocks)
      let count = kernel.blockCount(workerCount: workerCount)
      #expect(count > 1 && count.isMultiple(of: workerCount), "\(set): \(count) blocks")
    }
  }

  private func expectAgreement(
    _ format: OptimizedFormat, _ code: OperatorCode, _ options: Conv2DOptions,
    image: (Int, Int), window: (Int, Int), depth: Int, groups: Int = 1, channels: Int? = nil,
    _ random: inout SeededRandom, _ seed: Int
  ) throws {
    let isDepthwise = code == .depthwiseConv2D
    let channels = channels ?? random.pick([2, 4, 7, 8, 9, 16, 17, 24, 31, 32, 33, 48])
    let inputDepth = isDepthwise ? 1 : groups * depth
    let terms = window.0 * window.1 * (isDepthwise ? 1 : depth)
    let operands = OptimizedOperands(
      format, input: [random.pick([1, 1, 2]), image.0, image.1, inputDepth],
      filter: isDepthwise
        ? [1, window.0, window.1, channels] : [channels, window.0, window.1, depth],
      channelAxis: isDepthwise ? 3 : 0, terms: terms, &random)
    let problem = OptimizedProblem(
      seed: seed, code: code, options: isDepthwise ? options.depthwise : options,
      inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
      rounding: random.pick([.double, .double, .single]))
    if format == .float {
      try problem.expectCloseFloats(terms: terms)
    } else {
      try problem.expectSameBytes(workerCounts: [1, 2, 5])
    }
  }
}

extension SeededRandom {
  fileprivate mutating func options() -> Conv2DOptions {
    var options = Conv2DOptions(pick([.same, .valid]))
    (options.strideHeight, options.strideWidth) = (pick([1, 1, 2, 3, 4]), pick([1, 1, 2, 3]))
    options.fusedActivation = pick([.none, .none, .relu, .relu6])
    return options
  }
}

extension Conv2DOptions {
  /// The same options of a depthwise convolution.
  var depthwise: DepthwiseConv2DOptions {
    var options = DepthwiseConv2DOptions()
    options.padding = padding
    (options.strideHeight, options.strideWidth) = (strideHeight, strideWidth)
    (options.dilationHeight, options.dilationWidth) = (dilationHeight, dilationWidth)
    options.fusedActivation = fusedActivation
    return options
  }
}
