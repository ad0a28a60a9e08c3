// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct ReduceTests {
  static func axes(_ axes: [Int32]) -> Tensor { Tensor([axes.count], axes).constant }

  static func reduce(
    _ code: OperatorCode, _ input: Tensor, _ axes: [Int32], keep: Bool = false,
    output: TensorType? = nil, kernels: KernelSet = .reference
  ) throws -> Tensor {
    var options = ReducerOptions()
    options.keepsDimensions = keep
    return try evaluate(
      code, options: options, [input, Self.axes(axes)], outputs: [output ?? input.type],
      kernels: kernels)[0]
  }

  static let cube = Tensor([2, 2, 3], (0..<12).map { Int32($0) })

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let axes: [Int32]
    var keep = false
    let shape: Shape
    let sums: [Int32]
  }

  static let rows = [
    Row(testDescription: "innermost", axes: [2], shape: [2, 2], sums: [3, 12, 21, 30]),
    Row(testDescription: "outermost", axes: [0], shape: [2, 3], sums: [6, 8, 10, 12, 14, 16]),
    Row(
      testDescription: "middle, kept", axes: [-2], keep: true, shape: [2, 1, 3],
      sums: [3, 5, 7, 15, 17, 19]),
    Row(testDescription: "both ends", axes: [0, 2], shape: [2], sums: [24, 42]),
    Row(testDescription: "repeated", axes: [1, -2, 2, 1], shape: [2], sums: [15, 51]),
    Row(testDescription: "all", axes: [2, 0, 1], shape: [], sums: [66]),
    Row(
      testDescription: "none", axes: [], shape: [2, 2, 3],
      sums: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
  ]

  @Test(arguments: KernelSet.all, rows)
  func `axes are summed over`(kernels: KernelSet, row: Row) throws {
    let sum = try Self.reduce(.sum, Self.cube, row.axes, keep: row.keep, kernels: kernels)
    #expect(sum.type.shape == row.shape)
    #expect(sum.values() == row.sums)
  }

  @Test(arguments: [3, -4, Int32.min, .max])
  func `an axis out of range is refused`(axis: Int32) {
    #expect(throws: KernelError.self) { try Self.reduce(.sum, Self.cube, [axis]) }
  }

  @Test func `integers wrap`() throws {
    let input = Tensor([2], [Int32.max, 2])
    #expect(try Self.reduce(.sum, input, [0]).values() == [Int32.min + 1])
    #expect(try Self.reduce(.reduceProd, input, [0]).values() == [-2] as [Int32])
  }

  @Test(
    arguments: [
      (.sum, 0), (.reduceProd, 1), (.reduceMax, -.greatestFiniteMagnitude),
      (.reduceMin, .greatestFiniteMagnitude),
    ] as [(OperatorCode, Float)])
  func `nothing has a result too`(code: OperatorCode, expected: Float) throws {
    let empty = Tensor([0, 2], [] as [Float])
    #expect(try Self.reduce(code, empty, [0]).values() == [expected, expected])
  }

  @Test func `the mean of nothing is no number`() throws {
    let mean = try Self.reduce(.mean, Tensor([0, 1], [] as [Float]), [0])
    #expect(mean.values(as: Float.self).allSatisfy { $0.isNaN })
    #expect(
      try Self.reduce(.mean, Tensor([0, 1], [] as [Int32]), [0]).values() == [0] as [Int32])
  }

  @Test func `extremes pass over NaN unless all axes go and it comes first`() throws {
    let row = Tensor([1, 3], [.nan, 2, -1] as [Float])
    #expect(try Self.reduce(.reduceMax, row, [1]).values() == [2] as [Float])
    #expect(try Self.reduce(.reduceMin, row, [1]).values() == [-1] as [Float])
    let vector = Tensor([3], [.nan, 2, -1] as [Float])
    #expect(try Self.reduce(.reduceMax, vector, [0]).values(as: Float.self)[0].isNaN)
  }

  @Test func `any and all are the extremes of truth`() throws {
    let values = Tensor([2, 2], [true, false, true, true].map(BoolByte.init))
    for code in [OperatorCode.reduceAll, .reduceMin] {
      #expect(
        try Self.reduce(code, values, [1]).values(as: BoolByte.self).map(\.value)
          == [false, true])
    }
    for code in [OperatorCode.reduceAny, .reduceMax] {
      #expect(
        try Self.reduce(code, values, [0]).values(as: BoolByte.self).map(\.value)
          == [true, true])
    }
  }

  @Test func `extremes of codes need equal quantization`() {
    let output = TensorType(.int8, [], quantization: Quantization(scale: 1))
    #expect(throws: KernelError.self) {
      try Self.reduce(
        .reduceMax, Tensor([2], [1, 2] as [Int8], scale: 0.5), [0], output: output)
    }
  }

  @Test(arguments: KernelSet.all)
  func `means of integers are truncated towards zero`(kernels: KernelSet) throws {
    let input = Tensor([2, 2], [-7, 0, 7, 0] as [Int64])
    #expect(
      try Self.reduce(.mean, input, [1], kernels: kernels).values() == [-3, 3] as [Int64])
  }

  /// Means of q − 1: 1.5 and −1.5 in units of the equal scales, halves towards +∞, plus 3.
  @Test(arguments: KernelSet.all)
  func `means of codes round halves up`(kernels: KernelSet) throws {
    let output = TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: 3))
    let input = Tensor([2, 2], [2, 3, 0, -1] as [Int8], scale: 0.5, zeroPoint: 1)
    #expect(
      try Self.reduce(.mean, input, [1], output: output, kernels: kernels).values()
        == [5, 2] as [Int8])
  }

  /// (127 − 7) + (47 − 7) = 160 in units of 0.5 is 80 in units of 1.
  @Test func `sums of codes are rescaled and clamped`() throws {
    let output = TensorType(.uint8, [], quantization: Quantization(scale: 1, zeroPoint: 10))
    let input = Tensor([2], [127, 47] as [UInt8], scale: 0.5, zeroPoint: 7)
    #expect(try Self.reduce(.sum, input, [0], output: output).values() == [90] as [UInt8])
    let narrow = TensorType(.int8, [], quantization: Quantization(scale: 1, zeroPoint: 10))
    let signed = Tensor([2], [127, 127] as [Int8], scale: 0.5, zeroPoint: -128)
    #expect(try Self.reduce(.sum, signed, [0], output: narrow).values() == [127] as [Int8])
  }

  /// Real factors 2, 3 and −1 make −6, in steps of 0.5.
  @Test func `products of codes are rescaled at every step`() throws {
    let output = TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: 1))
    let input = Tensor([3], [21, 31, -9] as [Int8], scale: 0.1, zeroPoint: 1)
    #expect(try Self.reduce(.reduceProd, input, [0], output: output).values() == [-11] as [Int8])
  }
}
