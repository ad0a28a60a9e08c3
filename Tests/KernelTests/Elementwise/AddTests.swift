// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct AddTests {
  static let float = TensorType(.float32, [])

  @Test(arguments: KernelSet.all)
  func `a row is repeated over the outer axis`(kernels: KernelSet) throws {
    let sum = try evaluate(
      .add,
      [Tensor([2, 3], [1, 2, 3, 4, 5, 6] as [Float]), Tensor([3], [10, 20, 30] as [Float])],
      outputs: [Self.float], kernels: kernels)
    #expect(sum[0].type.shape == [2, 3])
    #expect(sum[0].values() == [11, 22, 33, 14, 25, 36] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `both operands are repeated where the other is longer`(kernels: KernelSet) throws {
    let difference = try evaluate(
      .sub, [Tensor([2, 1], [10, 20] as [Int32]), Tensor([1, 3], [1, 2, 3] as [Int32])],
      outputs: [TensorType(.int32, [])], kernels: kernels)
    #expect(difference[0].values() == [9, 8, 7, 19, 18, 17] as [Int32])
  }

  @Test(arguments: KernelSet.all)
  func `plain integers wrap`(kernels: KernelSet) throws {
    let sum = try evaluate(
      .add, [Tensor([1], [Int32.max]), Tensor([1], [1] as [Int32])],
      outputs: [TensorType(.int32, [])], kernels: kernels)
    #expect(sum[0].values() == [Int32.min])
  }

  /// Real operands 0.5·(3 + 1) = 2 and 0.25·(6 − 2) = 1; 3 / 0.5 + 5 = 11.
  @Test(arguments: KernelSet.all)
  func `quantized operands meet at a common scale`(kernels: KernelSet) throws {
    let sum = try evaluate(
      .add,
      [
        Tensor([2], [3, 127] as [Int8], scale: 0.5, zeroPoint: -1),
        Tensor([2], [6, 127] as [Int8], scale: 0.25, zeroPoint: 2),
      ],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: 5))],
      kernels: kernels)
    #expect(sum[0].values() == [11, 127] as [Int8])
  }

  @Test func `shapes that do not match are refused`() throws {
    #expect(throws: KernelError.self) {
      try evaluate(
        .add, [Tensor([2], [1, 2] as [Float]), Tensor([3], [1, 2, 3] as [Float])],
        outputs: [Self.float])
    }
  }
}
