// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct TransposeConvTests {
  static func options(_ padding: Padding, strideWidth: Int32 = 1) -> TransposeConvOptions {
    var options = TransposeConvOptions()
    options.padding = padding
    (options.strideWidth, options.strideHeight) = (strideWidth, 1)
    return options
  }

  static func shape(_ dimensions: [Int32]) -> Tensor { Tensor([4], dimensions).constant }

  @Test(arguments: KernelSet.all)
  func `windows of neighboring activations overlap`(kernels: KernelSet) throws {
    let result = try evaluate(
      .transposeConv, options: Self.options(.valid, strideWidth: 2),
      [
        Self.shape([1, 1, 5, 1]), Tensor([1, 1, 3, 1], [1, 10, 100] as [Float]).constant,
        Tensor([1, 1, 2, 1], [1, 2] as [Float]),
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].type.shape == [1, 1, 5, 1])
    #expect(result[0].values() == [1, 10, 102, 20, 200] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `SAME cuts the windows at the borders`(kernels: KernelSet) throws {
    let result = try evaluate(
      .transposeConv, options: Self.options(.same),
      [
        Self.shape([1, 1, 2, 1]), Tensor([1, 1, 3, 1], [1, 10, 100] as [Float]).constant,
        Tensor([1, 1, 2, 1], [1, 2] as [Float]), Tensor([1], [0.5] as [Float]).constant,
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].values() == [12.5, 120.5] as [Float])
  }

  /// Channels of the activations are summed, those of the output are not.
  @Test(arguments: KernelSet.all)
  func `a sum runs over the input's channels`(kernels: KernelSet) throws {
    let result = try evaluate(
      .transposeConv, options: Self.options(.valid),
      [
        Self.shape([1, 1, 1, 2]), Tensor([2, 1, 1, 2], [1, 2, 3, 4] as [Float]).constant,
        Tensor([1, 1, 1, 2], [10, 20] as [Float]),
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].values() == [50, 110] as [Float])
  }

  /// (3 + 1)·2 + 4 = 12, times 0.5 · 0.5 / 0.5; (3 + 1)·(−1) + 2 = −2, times half as much.
  @Test(arguments: KernelSet.all)
  func `int8 channels have scales of their own`(kernels: KernelSet) throws {
    let result = try evaluate(
      .transposeConv, options: Self.options(.valid),
      [
        Self.shape([1, 1, 1, 2]),
        Tensor([2, 1, 1, 1], [2, -1] as [Int8], scales: [0.5, 0.25]).constant,
        Tensor([1, 1, 1, 1], [3] as [Int8], scale: 0.5, zeroPoint: -1),
        Tensor([2], [4, -2] as [Int32]).constant,
      ],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: 1))],
      kernels: kernels)
    #expect(result[0].values() == [7, -1] as [Int8])
  }

  @Test func `a shape that is not known yet is asked for`() throws {
    let error = try #require(throws: KernelError.self) {
      try evaluate(
        .transposeConv, options: Self.options(.valid),
        [
          Tensor([4], [1, 1, 1, 1] as [Int32]), Tensor([1, 1, 1, 1], [1] as [Float]),
          Tensor([1, 1, 1, 1], [1] as [Float]),
        ],
        outputs: [TensorType(.float32, [])])
    }
    #expect(error.kind == .valueNeeded(0))
  }

  @Test(
    arguments: [
      [1, 1, 3, 1], [2, 1, 1, 1], [1, 1, 1, 2], [1, 0, 1, 1], [1, -1, 1, 1],
      [1, .max, .max, .max],
    ] as [[Int32]])
  func `a shape that no convolution maps to the input is refused`(dimensions: [Int32]) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .transposeConv, options: Self.options(.valid),
        [
          Self.shape(dimensions), Tensor([1, 1, 1, 1], [1] as [Float]),
          Tensor([1, 1, 1, 1], [1] as [Float]),
        ],
        outputs: [TensorType(.float32, [])])
    }
  }
}
