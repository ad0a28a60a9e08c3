// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

@Suite struct Conv3DTests {
  static let float = [TensorType(.float32, [])]

  static func options(_ padding: Padding, stride: Int32 = 1, dilation: Int32 = 1) -> Conv3DOptions {
    var options = Conv3DOptions()
    options.padding = padding
    (options.strideDepth, options.strideHeight, options.strideWidth) = (stride, stride, stride)
    (options.dilationDepth, options.dilationHeight, options.dilationWidth) =
      (dilation, dilation, dilation)
    return options
  }

  static let volume = Tensor([1, 2, 2, 2, 1], [1, 2, 3, 4, 5, 6, 7, 8] as [Float])

  /// The box of ones sums all eight elements; the second output channel doubles the first.
  @Test(arguments: KernelSet.all)
  func `a box slides over a volume`(kernels: KernelSet) throws {
    let filter = Tensor(
      [2, 2, 2, 1, 2], [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2] as [Float])
    let valid = try evaluate(
      .conv3D, options: Self.options(.valid),
      [Self.volume, filter, Tensor([2], [0.5, -100] as [Float])], outputs: Self.float,
      kernels: kernels)
    #expect(valid[0].type.shape == [1, 1, 1, 1, 2])
    #expect(valid[0].values() == [36.5, -28] as [Float])
    let same = try evaluate(
      .conv3D, options: Self.options(.same, dilation: 1),
      [Self.volume, Tensor([1, 1, 2, 1, 1], [1, 10] as [Float])], outputs: Self.float,
      kernels: kernels)
    #expect(same[0].values() == [21, 2, 43, 4, 65, 6, 87, 8] as [Float])
  }

  /// Constant filters, which optimized kernels pack.
  @Test(arguments: 0..<30)
  func `boxes as products`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (input, output) = (random.pick([1, 3, 8, 70]), random.pick([1, 8, 17]))
    let options = Self.options(
      random.pick([.same, .valid]), stride: random.pick([1, 1, 2]),
      dilation: random.pick([1, 1, 2]))
    let volume: Shape = [random.pick([1, 2]), 4, random.pick([5, 6]), 7, input]
    let filter: Shape = [random.pick([1, 2]), random.pick([1, 2, 3]), 3, input, output]
    let bias = Tensor([output], random.floats(output)).constant
    try OptimizedProblem(
      seed: seed, code: .conv3D, options: options,
      inputs: [
        Tensor(volume, random.floats(volume.elementCount)),
        Tensor(filter, random.floats(filter.elementCount)).constant,
        Bool.random(using: &random) ? bias : nil,
      ], output: Self.float[0], rounding: .double
    ).expectCloseFloats(terms: filter.elementCount / output)
  }

  /// Each activation writes itself and, one column further, its tenfold.
  @Test(arguments: KernelSet.all)
  func `activations spread over the output`(kernels: KernelSet) throws {
    let inputs = [
      Tensor([5], [1, 1, 1, 3, 1] as [Int32]).constant,
      Tensor([1, 1, 2, 1, 1], [1, 10] as [Float]),
      Tensor([1, 1, 1, 2, 1], [1, 2] as [Float]),
    ]
    let spread = try evaluate(
      .conv3DTranspose, options: Self.options(.valid), inputs, outputs: Self.float,
      kernels: kernels)
    #expect(spread[0].values() == [1, 12, 20] as [Float])
    let dilated = [Tensor([5], [1, 1, 1, 4, 1] as [Int32]).constant] + inputs.dropFirst()
    let apart = try evaluate(
      .conv3DTranspose, options: Self.options(.valid, dilation: 2), dilated,
      outputs: Self.float, kernels: kernels)
    #expect(apart[0].values() == [1, 2, 10, 20] as [Float])
  }

  @Test(arguments: [(0, 1), (1, 0), (-1, 1), (.min, .max)] as [(Int32, Int32)])
  func `strides and dilations below one are refused`(stride: Int32, dilation: Int32) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .conv3D, options: Self.options(.same, stride: stride, dilation: dilation),
        [Self.volume, Tensor([1, 1, 1, 1, 1], [1] as [Float])], outputs: Self.float)
    }
  }

  @Test(
    arguments: [[1, 2, 2, 2], [1, 2, 2, 3, 1], [1, -2, 2, 2, 1], [2, 2, 2, 2, 1]] as [[Int32]])
  func `an output that the activations do not come from is refused`(shape: [Int32]) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .conv3DTranspose, options: Self.options(.same),
        [
          Tensor([shape.count], shape).constant, Tensor([1, 1, 1, 1, 1], [1] as [Float]),
          Self.volume,
        ], outputs: Self.float)
    }
  }

  static func dilated(_ distances: [Int32], kernels: KernelSet = .reference) throws -> Tensor {
    try evaluate(
      .dilate,
      [
        Tensor([2, 2], [1, 2, 3, 4] as [Int8]), Tensor([distances.count], distances).constant,
        Tensor([], [9] as [Int8]),
      ], outputs: [TensorType(.int8, [])], kernels: kernels)[0]
  }

  @Test(arguments: KernelSet.all)
  func `padding lies between neighbors`(kernels: KernelSet) throws {
    let apart = try Self.dilated([2, 3], kernels: kernels)
    #expect(apart.type.shape == [3, 4])
    #expect(apart.values() == [1, 9, 9, 2, 9, 9, 9, 9, 3, 9, 9, 4] as [Int8])
  }

  @Test(arguments: [[1], [0, 1], [1, .min], [.max, .max]] as [[Int32]])
  func `distances below one or too large are refused`(distances: [Int32]) {
    #expect(throws: KernelError.self) { try Self.dilated(distances) }
  }
}
