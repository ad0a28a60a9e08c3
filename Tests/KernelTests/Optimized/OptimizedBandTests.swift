// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Convolutions computed in bands of lines against the same convolutions one after the other, bit for
/// bit.
@Suite struct OptimizedBandTests {
  /// What a chain is made of.
  enum Link { case pointwise, windows, depthwise, function }

  /// Chains that bands are for.
  enum Chain: CaseIterable {
    case expanded, projected, inverted, stem, windows, separable

    var links: [Link] {
      switch self {
      case .expanded: [.pointwise, .depthwise]
      case .projected: [.depthwise, .pointwise]
      case .inverted: [.pointwise, .function, .depthwise, .function, .pointwise, .function]
      case .stem: [.windows, .depthwise, .pointwise]
      case .windows: [.windows, .windows]
      case .separable: [.windows, .pointwise]
      }
    }
  }

  /// A node of a chain that reads `input`.
  private static func problem(
    _ link: Link, _ format: OptimizedFormat, _ input: Tensor, channels: Int? = nil,
    _ random: inout SeededRandom
  ) -> OptimizedProblem {
    let shape = input.type.shape
    // Windows must fit into what is left of the image.
    let padding = random.pick(min(shape[1], shape[2]) > 9 ? [.same, .valid] : [Padding.same])
    let seed = Int.random(in: 0..<1 << 20, using: &random)
    switch link {
    case .function:
      return OptimizedProblem(
        seed: seed, code: .hardSwish, options: nil, inputs: [input],
        output: TensorType(
          input.type.elementType, [], quantization: input.type.quantization), rounding: .double)
    case .pointwise, .windows:
      let size = link == .pointwise ? 1 : random.pick([2, 3])
      var options = Conv2DOptions(padding)
      options.fusedActivation = random.pick([.none, .relu6])
      if link == .windows {
        (options.strideHeight, options.strideWidth) = (random.pick([1, 2]), random.pick([1, 2]))
        options.dilationHeight = random.pick([1, 1, 2])
      }
      let operands = OptimizedOperands(
        format, input: shape,
        filter: [channels ?? random.pick([3, 8, 20, 33]), size, size, shape[3]],
        channelAxis: 0, terms: size * size * shape[3], &random)
      return OptimizedProblem(
        seed: seed, code: .conv2D, options: options,
        inputs: [input, operands.filter, operands.bias], output: operands.output,
        rounding: .double)
    case .depthwise:
      let size = random.pick([1, 2, 3, 3, 5])
      var options = DepthwiseConv2DOptions()
      options.padding = padding
      (options.strideHeight, options.strideWidth) = (
        random.pick([1, 1, 2, 3]), random.pick([1, 2])
      )
      options.dilationHeight = random.pick([1, 1, 2])
      let operands = OptimizedOperands(
        format, input: shape, filter: [1, size, size, shape[3]], channelAxis: 3,
        terms: size * size, &random)
      return OptimizedProblem(
        seed: seed, code: .depthwiseConv2D, options: options,
        inputs: [input, operands.filter, operands.bias], output: operands.output,
        rounding: .double)
    }
  }

  /// One kernel for a chain whose first nodes `first` computes, the last of them `last`, with the
  /// next one behind it.
  private static func joined(
    _ first: any BlockKernel, _ node: PreparedNode, _ last: PreparedNode, _ kernels: KernelSet,
    _ limits: BandLimits
  ) throws -> any BlockKernel {
    let second = try #require(node.kernel.blocks)
    if second.element == nil {
      return try #require(BandedKernel(first, second, limits: limits))
    }
    let soFar = PreparedNode(last, by: KernelSet.OptimizedKernel(first))
    let pair = FusionPair(soFar, node, sources: [.result])
    return try #require(kernels.fusion(of: pair, weights: WeightCache())?.kernel.blocks)
  }

  @Test(arguments: Chain.allCases, 0..<18)
  func `bands of lines give what whole images give`(chain: Chain, seed: Int) throws {
    let format = OptimizedFormat.allCases[seed % 3]
    for set in MicrokernelSet.tested {
      var random = SeededRandom(seed: seed)
      let kernels = KernelSet.optimized(for: set)
      var limits = BandLimits()
      limits.leastShare = 0
      (limits.leastBetween, limits.wanted, limits.most) = (0, random.pick([0, 4000, 40_000]), .max)
      let shape: Shape = [
        random.pick([1, 1, 2]), random.pick([7, 13, 24]), random.pick([9, 12, 31]),
        chain == .inverted ? random.pick([3, 17, 70]) : random.pick([1, 3, 8, 40]),
      ]
      let start = OptimizedOperands(
        format, input: shape, filter: [1, 1, 1, shape[3]], channelAxis: 0, terms: 1, &random)
      var result = start.input
      var soFar: (kernel: any BlockKernel, last: PreparedNode)?
      for link in chain.links {
        let problem = Self.problem(link, format, result, &random)
        let node = try problem.node(kernels)
        result = try problem.result(kernels)
        guard let (kernel, last) = soFar else {
          soFar = (try #require(node.kernel.blocks), node)
          continue
        }
        // Convolutions of many channels, or of narrow images, go about it otherwise.
        guard link == .function || node.kernel.blocks?.stages.isEmpty == false,
          !kernel.stages.isEmpty
        else { return }
        soFar = (try Self.joined(kernel, node, last, kernels, limits), node)
      }
      let banded = try #require(soFar).kernel
      try Self.expect(banded, start.input.bytes, gives: result.bytes, "seed \(seed), \(set)")
    }
  }

  /// Checks what a kernel computes in order and in any other, with several numbers of workers.
  private static func expect(
    _ kernel: any BlockKernel, _ input: TensorBytes, gives expected: TensorBytes,
    _ comment: Comment
  ) throws {
    let wanted: [UInt8] = expected.array()
    for workerCount in 1...4 {
      let output = TensorBytes(zeroed: wanted.count)
      kernel.evaluate(
        TensorFrame(inputs: [input], outputs: [output], scratch: []), workerCount: workerCount,
        seed: workerCount)
      #expect(output.array() == wanted, "\(comment), \(workerCount) workers")
    }
    let output = TensorBytes(zeroed: wanted.count)
    try kernel.evaluate(TensorFrame(inputs: [input], outputs: [output], scratch: []))
    #expect(output.array() == wanted, "\(comment), in order")
  }

  /// With 16 workers each worker's share stays in its cache.
  @Test(arguments: OptimizedFormat.allCases, [(20, 1), (96, 1), (96, 2), (96, 16)])
  func `images that stay in a cache are not cut, others are`(
    format: OptimizedFormat, image: (size: Int, workerCount: Int)
  ) throws {
    let size = image.size
    let kernels = KernelSet.optimized
    var random = SeededRandom(seed: size)
    let start = OptimizedOperands(
      format, input: [1, size, size, 16], filter: [1, 1, 1, 16], channelAxis: 0, terms: 1, &random)
    let first = Self.problem(.pointwise, format, start.input, channels: 33, &random)
    let second = Self.problem(.depthwise, format, try first.result(kernels), &random)
    let pair = FusionPair(
      try first.node(kernels), try second.node(kernels), sources: [.result, .other, .other],
      workerCount: image.workerCount)
    let isCut = kernels.fusion(of: pair, weights: WeightCache())?.kernel.kernel is BandedKernel
    #expect(isCut == (size == 96 && image.workerCount < 16))
  }
}
