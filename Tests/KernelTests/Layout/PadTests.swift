// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct PadTests {
  static let paddings = Tensor([2, 2], [1, 0, 0, 2] as [Int32]).constant

  @Test(arguments: KernelSet.all)
  func `zeros surround the elements`(kernels: KernelSet) throws {
    let padded = try evaluate(
      .pad, [Tensor([1, 2], [1.5, 2.5] as [Float]), Self.paddings],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(padded[0].type.shape == [2, 4])
    #expect(padded[0].values() == [0, 0, 0, 0, 1.5, 2.5, 0, 0] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `quantized zeros are the zero point`(kernels: KernelSet) throws {
    let output = TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: -3))
    let padded = try evaluate(
      .pad, [Tensor([1, 2], [7, 8] as [Int8], scale: 0.5, zeroPoint: -3), Self.paddings],
      outputs: [output], kernels: kernels)
    #expect(padded[0].values() == [-3, -3, -3, -3, 7, 8, -3, -3] as [Int8])
  }

  @Test func `a value to pad with may be given`() throws {
    let padded = try evaluate(
      .padV2,
      [
        Tensor([1, 2], [1, 2] as [Int64]), Tensor([2, 2], [0, 1, 1, 0] as [Int64]).constant,
        Tensor([], [9] as [Int64]),
      ], outputs: [TensorType(.int64, [])])
    #expect(padded[0].values() == [9, 1, 2, 9, 9, 9] as [Int64])
  }

  @Test func `padding beside an empty axis adds only padding`() throws {
    let padded = try evaluate(
      .pad, [Tensor([0, 1], [] as [Int32]), Self.paddings], outputs: [TensorType(.int32, [])])
    #expect(padded[0].type.shape == [1, 3])
    #expect(padded[0].values() == [0, 0, 0] as [Int32])
  }

  @Test(arguments: [[-1, 0, 0, 0], [Int64.max, 1, 0, 0], [0, 0, 1 << 31, 0]])
  func `paddings out of range are refused`(counts: [Int64]) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .pad, [Tensor([1, 1], [0] as [Float]), Tensor([2, 2], counts).constant],
        outputs: [TensorType(.float32, [])])
    }
  }

  @Test func `a pad value of another scale is refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .padV2,
        [
          Tensor([1, 1], [0] as [UInt8], scale: 1), Self.paddings,
          Tensor([], [3] as [UInt8], scale: 2),
        ],
        outputs: [TensorType(.uint8, [], quantization: Quantization(scale: 1))])
    }
  }
}
