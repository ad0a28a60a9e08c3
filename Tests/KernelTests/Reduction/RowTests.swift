// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct RowTests {
  static func top(
    _ input: Tensor, _ count: Int32, indices: ElementType = .int32, kernels: KernelSet = .reference
  ) throws -> [Tensor] {
    try evaluate(
      .topKV2, [input, Tensor([], [count]).constant],
      outputs: [input.type, TensorType(indices, [])], kernels: kernels)
  }

  @Test(arguments: KernelSet.all)
  func `the largest come first, equal ones in order, NaN last`(kernels: KernelSet) throws {
    let input = Tensor([2, 4], [1, 3, 3, 2, .nan, -1, .infinity, .nan] as [Float])
    let largest = try Self.top(input, 3, kernels: kernels)
    #expect(largest[0].type.shape == [2, 3])
    #expect(largest[1].values() == [1, 2, 3, 2, 1, 0] as [Int32])
    #expect(largest[0].values(as: Float.self).prefix(5) == [3, 3, 2, .infinity, -1])
    #expect(largest[0].values(as: Float.self)[5].isNaN)
  }

  @Test func `none and negatively many are none`() throws {
    let input = Tensor([1, 2], [1, 2] as [Int8])
    #expect(try Self.top(input, 0)[0].type.shape == [1, 0])
    #expect(try Self.top(input, .min)[1].type.shape == [1, 0])
    #expect(throws: KernelError.self) { try Self.top(input, 3) }
    #expect(throws: KernelError.self) { try Self.top(input, .max) }
  }

  @Test func `indices may be int16`() throws {
    let largest = try Self.top(Tensor([3], [7, 9, 8] as [UInt8]), 2, indices: .int16)
    #expect(largest[1].values() == [1, 2] as [Int16])
    let long = Tensor([40_000], [UInt8](repeating: 0, count: 40_000))
    #expect(throws: KernelError.self) { try Self.top(long, 1, indices: .int16) }
  }

  struct Sums: CustomTestStringConvertible {
    let testDescription: String
    let axis: Int32
    var isExclusive = false
    var isReverse = false
    let expected: [Int32]
  }

  static let sums = [
    Sums(testDescription: "along rows", axis: 1, expected: [1, 3, 6, 4, 9, 15]),
    Sums(testDescription: "along columns", axis: -2, expected: [1, 2, 3, 5, 7, 9]),
    Sums(
      testDescription: "exclusive", axis: 1, isExclusive: true, expected: [0, 1, 3, 0, 4, 9]),
    Sums(testDescription: "reverse", axis: 1, isReverse: true, expected: [6, 5, 3, 15, 11, 6]),
    Sums(
      testDescription: "both", axis: 1, isExclusive: true, isReverse: true,
      expected: [5, 3, 0, 11, 6, 0]),
  ]

  @Test(arguments: KernelSet.all, sums)
  func `sums run along an axis`(kernels: KernelSet, row: Sums) throws {
    var options = CumsumOptions()
    options.exclusive = row.isExclusive
    options.reverse = row.isReverse
    let sums = try evaluate(
      .cumsum, options: options,
      [Tensor([2, 3], [1, 2, 3, 4, 5, 6] as [Int32]), Tensor([], [row.axis]).constant],
      outputs: [TensorType(.int32, [])], kernels: kernels)
    #expect(sums[0].values() == row.expected)
  }

  @Test func `running sums wrap, and their axis must exist`() throws {
    let input = Tensor([2], [Int64.max, 1])
    let output = TensorType(.int64, [])
    #expect(
      try evaluate(.cumsum, [input, Tensor([], [0] as [Int32]).constant], outputs: [output])[0]
        .values() == [Int64.max, .min])
    #expect(throws: KernelError.self) {
      try evaluate(.cumsum, [input, Tensor([], [1] as [Int32]).constant], outputs: [output])
    }
  }
}
