// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct ArgMinMaxTests {
  static func largest(
    _ input: Tensor, axis: Int64, kernels: KernelSet = .reference
  ) throws -> Tensor {
    var options = ArgMaxOptions()
    options.outputType = .int32
    return try evaluate(
      .argMax, options: options, [input, Tensor([], [axis]).constant],
      outputs: [TensorType(.int32, [])], kernels: kernels)[0]
  }

  @Test(arguments: KernelSet.all)
  func `the first of equal elements wins`(kernels: KernelSet) throws {
    let input = Tensor([2, 4], [1, 3, 3, 1, 5, 5, 5, 5] as [Int8])
    #expect(
      try Self.largest(input, axis: -1, kernels: kernels).values() == [1, 0] as [Int32])
    #expect(
      try Self.largest(input, axis: 0, kernels: kernels).values() == [1, 1, 1, 1] as [Int32])
  }

  @Test(arguments: KernelSet.all)
  func `NaN loses to every number`(kernels: KernelSet) throws {
    let input = Tensor([3, 3], [.nan, 1, 2, -1, .nan, -2, .nan, .nan, .nan] as [Float])
    #expect(
      try Self.largest(input, axis: 1, kernels: kernels).values() == [2, 0, 0] as [Int32])
  }

  @Test func `the smallest is found with 64-bit indices`() throws {
    var options = ArgMinOptions()
    options.outputType = .int64
    let index = try evaluate(
      .argMin, options: options,
      [Tensor([3], [4, -2, -2] as [Int32]), Tensor([1], [0] as [Int32]).constant],
      outputs: [TensorType(.int64, [])])
    #expect(index[0].values() == [1] as [Int64])
  }

  @Test(arguments: [1, -2, Int64.min, .max])
  func `an axis out of range is refused`(axis: Int64) {
    #expect(throws: KernelError.self) {
      try Self.largest(Tensor([2], [1, 2] as [Float]), axis: axis)
    }
  }

  @Test func `an empty axis has no largest element`() {
    #expect(throws: KernelError.self) { try Self.largest(Tensor([0], [] as [Float]), axis: 0) }
  }

  @Test func `an output type of the options' default is refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .argMax, [Tensor([2], [1, 2] as [Float]), Tensor([], [0] as [Int32]).constant],
        outputs: [TensorType(.int32, [])])
    }
  }
}
