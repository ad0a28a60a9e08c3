// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Convolutions of quantized values by minimal filtering, bit for bit.
@Suite struct OptimizedByteWinogradTests {
  /// The levels that multiply 16-bit words.
  private static let levels = MicrokernelSet.tested.filter(\.byte.layout.isWide)

  private static func expectSame(_ problem: OptimizedProblem) throws {
    let expected: [UInt8] = try problem.result(.reference).bytes.array()
    for set in levels {
      for workerCount in 1...4 {
        let codes = try problem.shared(.minimalByteFiltering(for: set), workerCount: workerCount)
          .bytes.array()
        #expect(codes == expected, "seed \(problem.seed), \(set), \(workerCount) workers")
      }
    }
  }

  private static func options(_ random: inout SeededRandom) -> Conv2DOptions {
    var options = Conv2DOptions(random.pick([.same, .valid]))
    (options.strideHeight, options.strideWidth) = (1, 1)
    options.fusedActivation = random.pick([.none, .none, .relu, .relu6, .reluN1To1])
    return options
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<60)
  func `any image and channels`(format: OptimizedFormat, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let depth = Int.random(in: 16...70, using: &random)
    // Few output channels may be joined with those of a neighboring pixel.
    let filters = Int.random(in: 9...70, using: &random)
    let sides = [1, 2, 3, 5, 6, 8, 9, 37]
    let shape: Shape = [
      random.pick([1, 1, 2, 3]), random.pick(sides), random.pick(sides), depth,
    ]
    let operands = OptimizedOperands(
      format, input: shape, filter: [filters, 3, 3, depth], channelAxis: 0, terms: 9 * depth,
      &random)
    var options = Self.options(&random)
    // Windows that span the width are no images of this kernel.
    if shape[2] == 3 { options.padding = .same }
    try Self.expectSame(
      OptimizedProblem(
        seed: seed, code: .conv2D, options: options,
        inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
        rounding: random.pick([.double, .single])))
  }

  /// A convolution of activations and weights that are the same everywhere, or alternate.
  private static func extremes(
    depth: Int, weights: [UInt8], activations: [UInt8], seed: Int
  ) -> OptimizedProblem {
    var random = SeededRandom(seed: seed)
    let (input, filter): (Shape, Shape) = ([1, 5, 6, depth], [17, 3, 3, depth])
    func codes(_ shape: Shape, _ values: [UInt8]) -> [UInt8] {
      (0..<shape.elementCount).map { _ in random.pick(values) }
    }
    return OptimizedProblem(
      seed: seed, code: .conv2D, options: Self.options(&random),
      inputs: [
        Tensor(
          input, codes(input, activations), scale: 0.01, zeroPoint: random.pick([0, 128, 255])),
        Tensor(
          filter, codes(filter, weights), scale: 0.02, zeroPoint: random.pick([0, 255])
        ).constant,
        Tensor([17], [Int32](repeating: -3, count: 17)).constant,
      ],
      output: TensorType(
        .uint8, [], quantization: Quantization(scale: Float(depth) / 2, zeroPoint: 128)),
      rounding: random.pick([.double, .single]))
  }

  @Test(arguments: [[0], [255], [0, 255]] as [[UInt8]], 0..<8)
  func `extreme weights and activations`(weights: [UInt8], seed: Int) throws {
    for activations in [[0], [255], [0, 255]] as [[UInt8]] {
      try Self.expectSame(
        Self.extremes(depth: 33, weights: weights, activations: activations, seed: seed))
    }
  }

  @Test func `sums that may not fit are left to other kernels`() throws {
    // With 9 · depth terms of up to 255² a result of four times the sum has 31 bits up to depth 917.
    for (depth, isPossible) in [(900, true), (1000, false)] {
      let problem = Self.extremes(depth: depth, weights: [0, 255], activations: [0, 255], seed: 1)
      for set in Self.levels {
        let node = try problem.node(.minimalByteFiltering(for: set))
        #expect((node.kernel.blocks != nil) == isPossible, "\(set), depth \(depth)")
      }
      if isPossible { try Self.expectSame(problem) }
      try problem.expectSameBytes(on: Self.levels)
    }
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8])
  func `many tiles and channels are cut into blocks`(format: OptimizedFormat) throws {
    var random = SeededRandom(seed: 7)
    let operands = OptimizedOperands(
      format, input: [1, 41, 38, 64], filter: [72, 3, 3, 64], channelAxis: 0, terms: 9 * 64,
      &random)
    try Self.expectSame(
      OptimizedProblem(
        seed: 7, code: .conv2D, options: Self.options(&random),
        inputs: [operands.input, operands.filter, operands.bias], output: operands.output,
        rounding: .double))
  }
}
