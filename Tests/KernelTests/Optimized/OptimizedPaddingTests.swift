// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// `PAD` in front of convolutions and maxima, which take it as padding of their own.
@Suite struct OptimizedPaddingTests {
  private typealias Fusion = OptimizedFusionTests

  /// PAD in front of convolutions, whose own padding comes on top.
  @Test(arguments: [OptimizedFusionTests.Producer.conv2D, .depthwise], 0..<30)
  func `padding in front of a convolution`(producer: OptimizedFusionTests.Producer, seed: Int)
    throws
  {
    let format = OptimizedFormat.allCases[seed % 3]
    let convolution = Fusion.problem(producer, format, seed: seed)
    let padded = try #require(convolution.inputs[0]).type
    var random = SeededRandom(seed: seed)
    let image = padded.shape
    let above = min(Int.random(in: 0...2, using: &random), image[1] - 1)
    let left = min(random.pick([0, 1, 1, 3]), image[2] - 1)
    let (below, right) = (image[1] - above > 1 ? 1 : 0, image[2] - left > 2 ? 2 : 0)
    let shape: Shape = [
      image[0], image[1] - above - below, image[2] - left - right, image[3],
    ]
    let input = Self.image(shape, like: padded, &random)
    let counts: [Int32] = [0, 0, above, below, left, right, 0, 0].map(Int32.init)
    let pad = OptimizedProblem(
      seed: seed, code: .pad, options: nil,
      inputs: [input, Tensor([4, 2], counts).constant],
      output: TensorType(padded.elementType, [], quantization: padded.quantization),
      rounding: .double)
    for set in MicrokernelSet.tested {
      let sources = [FusionPair.Source.result] + convolution.inputs.dropFirst().map { _ in .other }
      try Fusion.expectSameBytes(pad, sources: sources, on: set) { result in
        OptimizedProblem(
          seed: seed, code: convolution.code, options: convolution.options,
          inputs: [result] + convolution.inputs.dropFirst(), output: convolution.output,
          rounding: convolution.rounding, productsRoundUp: convolution.productsRoundUp)
      }
    }
  }

  static func image(
    _ shape: Shape, like padded: TensorType, _ random: inout SeededRandom
  ) -> Tensor {
    let affine = padded.quantization?.perTensor
    let (scale, zeroPoint) = (affine?.scale ?? 1, Int64(affine?.zeroPoint ?? 0))
    switch padded.elementType {
    case .int8:
      return Tensor(
        shape, random.codes(shape.elementCount, as: Int8.self), scale: scale,
        zeroPoint: zeroPoint)
    case .uint8:
      return Tensor(
        shape, random.codes(shape.elementCount, as: UInt8.self), scale: scale,
        zeroPoint: zeroPoint)
    default: return Tensor(shape, random.floats(shape.elementCount))
    }
  }

  /// PAD with the lowest quantized value in front of maxima, whose own padding comes on top.
  @Test(arguments: 0..<12)
  func `padding in front of a maximum`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let type = TensorType(
      seed % 2 == 0 ? .int8 : .uint8, [],
      quantization: Quantization(scale: 0.5, zeroPoint: seed % 2 == 0 ? -128 : 0))
    let shape: Shape = [
      Int.random(in: 1...2, using: &random), Int.random(in: 1...9, using: &random),
      Int.random(in: 1...9, using: &random), Int.random(in: 1...70, using: &random),
    ]
    let counts = [0, 0, 1, random.pick([0, 1, 2]), random.pick([0, 1, 3]), 1, 0, 0]
    let pad = OptimizedProblem(
      seed: seed, code: .pad, options: nil,
      inputs: [
        Self.image(shape, like: type, &random), Tensor([4, 2], counts.map(Int32.init)).constant,
      ],
      output: type, rounding: .double)
    var options = Pool2DOptions()
    options.padding = random.pick([.same, .valid])
    (options.filterWidth, options.filterHeight) = (random.pick([1, 2, 3]), 2)
    (options.strideWidth, options.strideHeight) = (random.pick([1, 2]), random.pick([1, 2, 3]))
    options.fusedActivation = random.pick([.none, .relu6])
    for set in MicrokernelSet.tested {
      try Fusion.expectSameBytes(pad, sources: [.result], on: set) { result in
        OptimizedProblem(
          seed: seed, code: .maxPool2D, options: options, inputs: [result], output: type,
          rounding: .double)
      }
    }
  }

  @Test func `padding that could be a maximum is left alone`() throws {
    var random = SeededRandom(seed: 5)
    let type = TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: -127))
    let counts: [Int32] = [0, 0, 1, 1, 1, 1, 0, 0]
    let pad = OptimizedProblem(
      seed: 0, code: .pad, options: nil,
      inputs: [
        Self.image([1, 4, 4, 3], like: type, &random), Tensor([4, 2], counts).constant,
      ],
      output: type, rounding: .double)
    var options = Pool2DOptions()
    (options.filterWidth, options.filterHeight) = (2, 2)
    (options.strideWidth, options.strideHeight) = (2, 2)
    let kernels = KernelSet.optimized
    let second = OptimizedProblem(
      seed: 0, code: .maxPool2D, options: options, inputs: [try pad.result(kernels)],
      output: type, rounding: .double)
    let pair = FusionPair(
      try pad.node(kernels), try second.node(kernels), sources: [.result])
    #expect(kernels.fusion(of: pair, weights: WeightCache()) == nil)
  }

  @Test func `padding with another number is left alone`() throws {
    let (convolution, _) = OptimizedProblem.conv2D(.float, seed: 3)
    let input = try #require(convolution.inputs[0])
    let pad = OptimizedProblem(
      seed: 0, code: .padV2, options: nil,
      inputs: [
        input, Tensor([4, 2], [0, 0, 1, 0, 0, 1, 0, 0] as [Int32]).constant,
        Tensor([], [1] as [Float]).constant,
      ],
      output: TensorType(.float32, []), rounding: .double)
    let kernels = KernelSet.optimized
    let second = OptimizedProblem(
      seed: 0, code: .conv2D, options: convolution.options,
      inputs: [try pad.result(kernels)] + convolution.inputs.dropFirst(),
      output: convolution.output, rounding: .double)
    let pair = FusionPair(
      try pad.node(kernels), try second.node(kernels), sources: [.result, .other, .other])
    #expect(kernels.fusion(of: pair, weights: WeightCache()) == nil)
  }
}
