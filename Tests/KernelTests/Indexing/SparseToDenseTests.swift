// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct SparseToDenseTests {
  static func dense(
    _ indices: Tensor, _ shape: [Int32], _ values: Tensor, kernels: KernelSet = .reference
  ) throws -> [Int8] {
    try evaluate(
      .sparseToDense,
      [indices, Tensor([shape.count], shape).constant, values, Tensor([], [9] as [Int8])],
      outputs: [TensorType(.int8, [])], kernels: kernels)[0].values()
  }

  @Test(arguments: KernelSet.all)
  func `values at coordinates, the later one of two`(kernels: KernelSet) throws {
    let locations = Tensor([3, 2], [0, 1, 1, 0, 0, 1] as [Int64])
    let values = Tensor([3], [1, 2, 3] as [Int8])
    #expect(try Self.dense(locations, [2, 2], values, kernels: kernels) == [9, 3, 2, 9])
    let vector = Tensor([2], [2, 0] as [Int32])
    #expect(
      try Self.dense(vector, [3], Tensor([], [5] as [Int8]), kernels: kernels) == [5, 9, 5])
    #expect(
      try Self.dense(
        Tensor([], [1] as [Int32]), [2], Tensor([], [5] as [Int8]), kernels: kernels) == [9, 5])
  }

  @Test(arguments: [-1, 2, .min, .max] as [Int64])
  func `a coordinate outside of the shape is refused`(index: Int64) {
    #expect(throws: KernelError.self) {
      try Self.dense(Tensor([1, 2], [0, index]), [2, 2], Tensor([1], [1] as [Int8]))
    }
  }

  @Test(arguments: [[2], [2, -1], [.max, .max, 2], [1, 1, 1, 1, 1]] as [[Int32]])
  func `a shape that coordinates do not fit is refused`(shape: [Int32]) {
    #expect(throws: KernelError.self) {
      try Self.dense(Tensor([1, 2], [0, 0] as [Int32]), shape, Tensor([1], [1] as [Int8]))
    }
  }

  static func unique(_ values: [Float], kernels: KernelSet) throws -> ([Float], [Int32]) {
    let outputs = try evaluate(
      .unique, options: UniqueOptions(), [Tensor([values.count], values).constant],
      outputs: [TensorType(.float32, []), TensorType(.int32, [])], kernels: kernels)
    return (outputs[0].values(), outputs[1].values())
  }

  @Test(arguments: KernelSet.all)
  func `distinct elements in the order of first sight`(kernels: KernelSet) throws {
    let (elements, indices) = try Self.unique([5, 1, 5, -0.0, 0, 1], kernels: kernels)
    #expect(elements == [5, 1, 0])
    #expect(indices == [0, 1, 0, 2, 2, 1])
    let (none, noIndices) = try Self.unique([], kernels: kernels)
    #expect(none.isEmpty && noIndices.isEmpty)
  }

  @Test func `indices of another type than declared are refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .unique, options: UniqueOptions(), [Tensor([1], [1] as [Int32]).constant],
        outputs: [TensorType(.int32, []), TensorType(.int64, [])])
    }
  }
}
