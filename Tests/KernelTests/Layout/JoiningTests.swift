// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct JoiningTests {
  static let int32 = TensorType(.int32, [])

  static func along(_ axis: Int32) -> ConcatenationOptions {
    var options = ConcatenationOptions()
    options.axis = axis
    return options
  }

  static let left = Tensor([2, 2], [1, 2, 3, 4] as [Int32])
  static let right = Tensor([2, 1], [10, 20] as [Int32])

  @Test(arguments: KernelSet.all)
  func `rows of all inputs alternate`(kernels: KernelSet) throws {
    let joined = try evaluate(
      .concatenation, options: Self.along(-1), [Self.left, Self.right], outputs: [Self.int32],
      kernels: kernels)
    #expect(joined[0].type.shape == [2, 3])
    #expect(joined[0].values() == [1, 2, 10, 3, 4, 20] as [Int32])
  }

  @Test func `shapes must agree in the other axes`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .concatenation, options: Self.along(0), [Self.left, Self.right], outputs: [Self.int32])
    }
  }

  @Test(arguments: [2, -3, Int32.min, .max])
  func `the axis must exist`(axis: Int32) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .concatenation, options: Self.along(axis), [Self.left], outputs: [Self.int32])
    }
  }

  @Test func `scalars are joined to a vector`() throws {
    let joined = try evaluate(
      .concatenation, [Tensor([], [5] as [Int32]), Tensor([], [6] as [Int32])],
      outputs: [Self.int32])
    #expect(joined[0].values() == [5, 6] as [Int32])
  }

  /// 0.5·(q − 10) in steps of 0.25 around 20: 2(q − 10) + 20 = 2q, clamped at 255.
  @Test(arguments: KernelSet.all)
  func `uint8 codes are rescaled to the output's`(kernels: KernelSet) throws {
    let output = TensorType(.uint8, [], quantization: Quantization(scale: 0.25, zeroPoint: 20))
    let joined = try evaluate(
      .concatenation,
      [
        Tensor([3], [0, 13, 200] as [UInt8], scale: 0.5, zeroPoint: 10),
        Tensor([2], [0, 255] as [UInt8], scale: 0.25, zeroPoint: 20),
      ], outputs: [output], kernels: kernels)
    #expect(joined[0].values() == [0, 26, 255, 0, 255] as [UInt8])
  }

  @Test func `int8 codes must already be the output's`() {
    let output = TensorType(.int8, [], quantization: Quantization(scale: 0.25))
    #expect(throws: KernelError.self) {
      try evaluate(
        .concatenation, [Tensor([1], [1] as [Int8], scale: 0.5)], outputs: [output])
    }
  }

  /// Five and three nibbles per row, lowest first.
  @Test func `four-bit elements are joined across bytes`() throws {
    let type = TensorType(.int4, [1, 3])
    let first = Tensor(type, TensorBytes(copying: [0x21, 0x03] as [UInt8]), isConstant: false)
    let second = Tensor(type, TensorBytes(copying: [0x54, 0x06] as [UInt8]), isConstant: false)
    let joined = try evaluate(
      .concatenation, options: Self.along(1), [first, second], outputs: [type])
    #expect(joined[0].type.shape == [1, 6])
    #expect(joined[0].bytes.byteCount == 3)
    #expect(joined[0].values(as: UInt8.self) == [0x21, 0x43, 0x65])
  }

  @Test(
    arguments: [(0, [1, 2, 10, 20]), (1, [1, 10, 2, 20]), (-1, [1, 10, 2, 20])]
      as [(Int32, [Int32])])
  func `packing makes an axis of its own`(axis: Int32, expected: [Int32]) throws {
    var options = PackOptions()
    options.valuesCount = 2
    options.axis = axis
    let packed = try evaluate(
      .pack, options: options,
      [Tensor([2], [1, 2] as [Int32]), Tensor([2], [10, 20] as [Int32])],
      outputs: [Self.int32])
    #expect(packed[0].type.shape == [2, 2])
    #expect(packed[0].values() == expected)
  }

  @Test func `splitting cuts into equal parts`() throws {
    var options = SplitOptions()
    options.splitCount = 2
    let parts = try evaluate(
      .split, options: options,
      [Tensor([], [-1] as [Int32]).constant, Tensor([2, 4], (0..<8).map { Int32($0) })],
      outputs: [Self.int32, Self.int32])
    #expect(parts[0].values() == [0, 1, 4, 5] as [Int32])
    #expect(parts[1].values() == [2, 3, 6, 7] as [Int32])
  }

  @Test(arguments: [0, 3, -2, Int32.min])
  func `a number of parts that does not divide is refused`(count: Int32) {
    var options = SplitOptions()
    options.splitCount = count
    #expect(throws: KernelError.self) {
      try evaluate(
        .split, options: options,
        [Tensor([], [0] as [Int32]).constant, Tensor([4], [0, 1, 2, 3] as [Int32])],
        outputs: Array(repeating: Self.int32, count: max(0, Int(count))))
    }
  }

  struct Sizes: CustomTestStringConvertible {
    let testDescription: String
    let sizes: [Int64]
    let expected: [Int]?
  }

  static let sizes = [
    Sizes(testDescription: "given", sizes: [1, 0, 3], expected: [1, 0, 3]),
    Sizes(testDescription: "one open", sizes: [1, -1, 1], expected: [1, 2, 1]),
    Sizes(testDescription: "two open", sizes: [-1, -1, 1], expected: nil),
    Sizes(testDescription: "too few", sizes: [1, 1, 1], expected: nil),
    Sizes(testDescription: "negative", sizes: [5, -2, 1], expected: nil),
    Sizes(testDescription: "overflow", sizes: [.max, .max, 6], expected: nil),
  ]

  @Test(arguments: sizes)
  func `parts may have lengths of their own`(row: Sizes) throws {
    var options = SplitVOptions()
    options.splitCount = 3
    func parts() throws -> [Tensor] {
      try evaluate(
        .splitV, options: options,
        [
          Tensor([4], [0, 1, 2, 3] as [Int32]), Tensor([3], row.sizes).constant,
          Tensor([], [0] as [Int32]).constant,
        ], outputs: Array(repeating: Self.int32, count: 3))
    }
    guard let expected = row.expected else {
      #expect(throws: KernelError.self) { try parts() }
      return
    }
    #expect(try parts().map(\.type.shape.elementCount) == expected)
    #expect(try parts().flatMap { $0.values(as: Int32.self) } == [0, 1, 2, 3])
  }

  @Test func `unpacking removes the axis`() throws {
    var options = UnpackOptions()
    options.count = 3
    options.axis = -1
    let slices = try evaluate(
      .unpack, options: options, [Tensor([2, 3], [0, 1, 2, 3, 4, 5] as [Int32])],
      outputs: Array(repeating: Self.int32, count: 3))
    #expect(slices.map(\.type.shape) == [[2], [2], [2]])
    #expect(slices[1].values() == [1, 4] as [Int32])
  }
}
