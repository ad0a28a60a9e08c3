// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct SpaceAndBatchTests {
  static let image = Tensor([1, 2, 3, 1], [1, 2, 3, 4, 5, 6] as [Float])
  static let float = TensorType(.float32, [])

  static func block(_ lengths: [Int32]) -> Tensor { Tensor([lengths.count], lengths).constant }

  static func margins(_ counts: [Int32]) -> Tensor {
    Tensor([counts.count / 2, 2], counts).constant
  }

  @Test(arguments: KernelSet.all)
  func `blocks are spread over the batch and gathered again`(kernels: KernelSet) throws {
    let spread = try evaluate(
      .spaceToBatchND, [Self.image, Self.block([1, 2]), Self.margins([0, 0, 1, 0])],
      outputs: [Self.float], kernels: kernels)
    #expect(spread[0].type.shape == [2, 2, 2, 1])
    #expect(spread[0].values() == [0, 2, 0, 5, 1, 3, 4, 6] as [Float])
    let gathered = try evaluate(
      .batchToSpaceND, [spread[0], Self.block([1, 2]), Self.margins([0, 0, 1, 0])],
      outputs: [Self.float], kernels: kernels)
    #expect(gathered[0].type.shape == Self.image.type.shape)
    #expect(gathered[0].values(as: Float.self) == Self.image.values())
  }

  @Test func `padding of codes is the zero point, and width may be missing`() throws {
    let output = TensorType(.int8, [], quantization: Quantization(scale: 1, zeroPoint: -5))
    let spread = try evaluate(
      .spaceToBatchND,
      [
        Tensor([1, 3, 1], [7, 8, 9] as [Int8], scale: 1, zeroPoint: -5), Self.block([2]),
        Self.margins([0, 1]),
      ], outputs: [output])
    #expect(spread[0].type.shape == [2, 2, 1])
    #expect(spread[0].values() == [7, 9, 8, -5] as [Int8])
  }

  @Test(
    arguments: [
      ([0, 1], [0, 0, 0, 0]), ([-1, 1], [0, 0, 0, 0]), ([1, 2], [0, 0, 0, 0]),
      ([1, 1], [0, 0, -1, 0]), ([.max, .max], [.max, .max, .max, .max]),
      ([.min, 1], [0, 0, 0, 0]),
    ] as [([Int32], [Int32])])
  func `blocks and paddings that do not fit are refused`(lengths: [Int32], counts: [Int32]) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .spaceToBatchND, [Self.image, Self.block(lengths), Self.margins(counts)],
        outputs: [Self.float])
    }
  }

  @Test func `crops beyond the image are refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .batchToSpaceND, [Self.image, Self.block([1, 1]), Self.margins([0, 0, 2, 2])],
        outputs: [Self.float])
    }
  }
}
