// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct TransposeTests {
  static func permutation(_ axes: [Int32]) -> Tensor { Tensor([axes.count], axes).constant }

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let input: Shape
    let permutation: [Int32]
    let shape: Shape
    let expected: [UInt8]
  }

  static let rows = [
    Row(
      testDescription: "matrix", input: [2, 3], permutation: [1, 0], shape: [3, 2],
      expected: [0, 3, 1, 4, 2, 5]),
    Row(
      testDescription: "nothing moves", input: [2, 3], permutation: [0, -1], shape: [2, 3],
      expected: [0, 1, 2, 3, 4, 5]),
    Row(
      testDescription: "channels first", input: [1, 2, 2, 2], permutation: [0, 3, 1, 2],
      shape: [1, 2, 2, 2], expected: [0, 2, 4, 6, 1, 3, 5, 7]),
    Row(
      testDescription: "outer axes", input: [2, 2, 3], permutation: [1, 0, 2],
      shape: [2, 2, 3], expected: [0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11]),
    Row(
      testDescription: "empty", input: [2, 0], permutation: [1, 0], shape: [0, 2], expected: []),
    Row(testDescription: "scalar", input: [], permutation: [], shape: [], expected: [0]),
  ]

  @Test(arguments: KernelSet.all, rows)
  func `axes change places`(kernels: KernelSet, row: Row) throws {
    let transposed = try evaluate(
      .transpose,
      [
        Tensor(row.input, (0..<row.input.elementCount).map { UInt8($0) }),
        Self.permutation(row.permutation),
      ], outputs: [TensorType(.uint8, [])], kernels: kernels)
    #expect(transposed[0].type.shape == row.shape)
    #expect(transposed[0].values() == row.expected)
  }

  @Test(arguments: [[0, 0], [0, 2], [0, -3], [1], [.min, .max]] as [[Int32]])
  func `what is no permutation is refused`(axes: [Int32]) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .transpose, [Tensor([2, 2], [0, 1, 2, 3] as [UInt8]), Self.permutation(axes)],
        outputs: [TensorType(.uint8, [])])
    }
  }

  @Test func `elements of 16 bytes move whole`() throws {
    let numbers = [Complex(1.0, 2.0), Complex(3.0, 4.0)]
    let transposed = try evaluate(
      .transpose, [Tensor([1, 2], numbers), Self.permutation([1, 0])],
      outputs: [TensorType(.complex128, [])])
    #expect(transposed[0].values() == numbers)
  }

  @Test(arguments: KernelSet.all)
  func `channels become blocks of pixels and back`(kernels: KernelSet) throws {
    var options = DepthToSpaceOptions()
    options.blockSize = 2
    let input = Tensor([1, 1, 2, 4], (0..<8).map { Int32($0) })
    let spread = try evaluate(
      .depthToSpace, options: options, [input], outputs: [TensorType(.int32, [])],
      kernels: kernels)
    #expect(spread[0].type.shape == [1, 2, 4, 1])
    #expect(spread[0].values() == [0, 1, 4, 5, 2, 3, 6, 7] as [Int32])

    var inverse = SpaceToDepthOptions()
    inverse.blockSize = 2
    let gathered = try evaluate(
      .spaceToDepth, options: inverse, spread, outputs: [TensorType(.int32, [])],
      kernels: kernels)
    #expect(gathered[0].type.shape == input.type.shape)
    #expect(gathered[0].values(as: Int32.self) == input.values())
  }

  @Test(arguments: [0, -2, 3, Int32.min, .max])
  func `a block size that does not divide is refused`(size: Int32) {
    var options = DepthToSpaceOptions()
    options.blockSize = size
    var inverse = SpaceToDepthOptions()
    inverse.blockSize = size
    let input = Tensor([1, 2, 2, 4], (0..<16).map { Int32($0) })
    #expect(throws: KernelError.self) {
      try evaluate(.depthToSpace, options: options, [input], outputs: [TensorType(.int32, [])])
    }
    #expect(throws: KernelError.self) {
      try evaluate(.spaceToDepth, options: inverse, [input], outputs: [TensorType(.int32, [])])
    }
  }

  @Test func `one element fills a tensor`() throws {
    let filled = try evaluate(
      .fill, [Tensor([2], [2, 3] as [Int64]).constant, Tensor([], [2.5] as [Float])],
      outputs: [TensorType(.float32, [])])
    #expect(filled[0].type.shape == [2, 3])
    #expect(filled[0].values() == Array(repeating: 2.5, count: 6) as [Float])
    #expect(throws: KernelError.self) {
      try evaluate(
        .fill, [Tensor([1], [-1] as [Int64]).constant, Tensor([], [2.5] as [Float])],
        outputs: [TensorType(.float32, [])])
    }
  }
}
