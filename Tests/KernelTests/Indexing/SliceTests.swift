// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct SliceTests {
  static let grid = Tensor([3, 4], (0..<12).map { Int16($0) })
  static let int16 = TensorType(.int16, [])

  static func numbers(_ values: [Int32]) -> Tensor { Tensor([values.count], values).constant }

  @Test(arguments: KernelSet.all)
  func `a box is cut out`(kernels: KernelSet) throws {
    let slice = try evaluate(
      .slice, [Self.grid, Self.numbers([1, 1]), Self.numbers([-1, 2])], outputs: [Self.int16],
      kernels: kernels)
    #expect(slice[0].type.shape == [2, 2])
    #expect(slice[0].values() == [5, 6, 9, 10] as [Int16])
  }

  @Test(
    arguments: [
      ([4, 0], [-1, 1]), ([0, 0], [4, 1]), ([-1, 0], [1, 1]), ([0, 0], [-2, 1]),
      ([.max, 0], [.max, 1]), ([.min, 0], [-1, 1]),
    ] as [([Int32], [Int32])])
  func `a box beyond the tensor is refused`(begin: [Int32], size: [Int32]) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .slice, [Self.grid, Self.numbers(begin), Self.numbers(size)], outputs: [Self.int16])
    }
  }

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    var begin: [Int32]
    var end: [Int32]
    var strides: [Int32] = [1, 1]
    var edit: @Sendable (inout StridedSliceOptions) -> Void = { _ in }
    let shape: Shape
    let expected: [Int16]
  }

  /// What NumPy gives for `numpy.arange(12).reshape(3, 4)[…]`.
  static let rows = [
    Row(
      testDescription: "x[1:3, 0:2]", begin: [1, 0], end: [3, 2], shape: [2, 2],
      expected: [4, 5, 8, 9]),
    Row(
      testDescription: "x[0:3:2, 3:0:-2]", begin: [0, 3], end: [3, 0], strides: [2, -2],
      shape: [2, 2], expected: [3, 1, 11, 9]),
    Row(
      testDescription: "x[-2:-1, -9:9]", begin: [-2, -9], end: [-1, 9], shape: [1, 4],
      expected: [4, 5, 6, 7]),
    Row(
      testDescription: "x[::-1, :1]", begin: [0, 0], end: [0, 1], strides: [-1, 1],
      edit: {
        $0.beginMask = 1
        $0.endMask = 1
      }, shape: [3, 1], expected: [8, 4, 0]),
    Row(
      testDescription: "x[2:1, :]", begin: [2, 0], end: [1, 4], shape: [0, 4], expected: []),
    Row(
      testDescription: "x[1, 1:3]", begin: [1, 1], end: [0, 3], edit: { $0.shrinkAxisMask = 1 },
      shape: [2], expected: [5, 6]),
    Row(
      testDescription: "x[-1, -1]", begin: [-1, -1], end: [0, 0],
      edit: { $0.shrinkAxisMask = 3 }, shape: [], expected: [11]),
    Row(
      testDescription: "x[..., 0:1]", begin: [0, 0], end: [0, 1],
      edit: { $0.ellipsisMask = 1 }, shape: [3, 1], expected: [0, 4, 8]),
    Row(
      testDescription: "x[newaxis, 2:3]", begin: [0, 2], end: [0, 3],
      edit: { $0.newAxisMask = 1 }, shape: [1, 1, 4], expected: [8, 9, 10, 11]),
    Row(
      testDescription: "x[1:1+2, 1:1+3], ends as offsets", begin: [1, 1], end: [2, 3],
      edit: { $0.isOffset = true }, shape: [2, 3], expected: [5, 6, 7, 9, 10, 11]),
    Row(
      testDescription: "x[1:2]", begin: [1], end: [2], strides: [1], shape: [1, 4],
      expected: [4, 5, 6, 7]),
  ]

  @Test(arguments: KernelSet.all, rows)
  func `indices read as in NumPy`(kernels: KernelSet, row: Row) throws {
    var options = StridedSliceOptions()
    row.edit(&options)
    let slice = try evaluate(
      .stridedSlice, options: options,
      [Self.grid, Self.numbers(row.begin), Self.numbers(row.end), Self.numbers(row.strides)],
      outputs: [Self.int16], kernels: kernels)
    #expect(slice[0].type.shape == row.shape)
    #expect(slice[0].values() == row.expected)
  }

  @Test func `an ellipsis between entries covers the axes left over`() throws {
    var options = StridedSliceOptions()
    options.ellipsisMask = 2
    options.shrinkAxisMask = 4
    let slice = try evaluate(
      .stridedSlice, options: options,
      [
        Tensor([2, 2, 2], (0..<8).map { Int16($0) }), Self.numbers([1, 0, 1]),
        Self.numbers([2, 0, 0]), Self.numbers([1, 1, 1]),
      ], outputs: [Self.int16])
    #expect(slice[0].type.shape == [1, 2])
    #expect(slice[0].values() == [5, 7] as [Int16])
  }

  @Test(arguments: [0, Int32.min])
  func `a stride without direction is refused`(stride: Int32) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .stridedSlice,
        [Self.grid, Self.numbers([0]), Self.numbers([1]), Self.numbers([stride])],
        outputs: [Self.int16])
    }
  }

  @Test func `the widest numbers do not overflow`() throws {
    let slice = try evaluate(
      .stridedSlice,
      [
        Self.grid, Self.numbers([.min, .max]), Self.numbers([.max, .min]),
        Self.numbers([.max, .min + 1]),
      ], outputs: [Self.int16])
    #expect(slice[0].type.shape == [1, 1])
    #expect(slice[0].values() == [3] as [Int16])
  }

  @Test func `picking an index outside of an axis is refused`() {
    var options = StridedSliceOptions()
    options.shrinkAxisMask = 1
    #expect(throws: KernelError.self) {
      try evaluate(
        .stridedSlice, options: options,
        [Self.grid, Self.numbers([3]), Self.numbers([4]), Self.numbers([1])],
        outputs: [Self.int16])
    }
  }
}
