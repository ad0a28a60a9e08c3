// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct SelectTests {
  static let output = TensorType(.int16, [2])

  static func condition(_ shape: Shape, _ values: [Bool]) -> Tensor {
    Tensor(shape, values.map(BoolByte.init))
  }

  static let first = Tensor([2, 2], [1, 2, 3, 4] as [Int16])
  static let second = Tensor([2, 2], [10, 20, 30, 40] as [Int16])

  /// A condition and what it picks.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: OperatorCode
    let shape: Shape
    let condition: [Bool]
    let expected: [Int16]
  }

  static let rows = [
    Row(
      testDescription: "an element each", code: .select, shape: [2, 2],
      condition: [true, false, false, true], expected: [1, 20, 30, 4]),
    Row(
      testDescription: "SELECT with one value per outer slice", code: .select, shape: [2],
      condition: [true, false], expected: [1, 2, 30, 40]),
    Row(
      testDescription: "SELECT with one value for all", code: .select, shape: [],
      condition: [false], expected: [10, 20, 30, 40]),
    Row(
      testDescription: "SELECT_V2 with one value per column", code: .selectV2, shape: [2],
      condition: [true, false], expected: [1, 20, 3, 40]),
  ]

  @Test(arguments: KernelSet.all, rows)
  func `conditions choose`(kernels: KernelSet, row: Row) throws {
    let result = try evaluate(
      row.code, [Self.condition(row.shape, row.condition), Self.first, Self.second],
      outputs: [Self.output], kernels: kernels)
    #expect(result[0].type.shape == [2, 2])
    #expect(result[0].values() == row.expected)
  }

  @Test(arguments: KernelSet.all)
  func `SELECT_V2 repeats what it chooses from`(kernels: KernelSet) throws {
    let result = try evaluate(
      .selectV2,
      [
        Self.condition([2, 1], [true, false]), Tensor([3], [1, 2, 3] as [Float]),
        Tensor([], [9] as [Float]),
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].type.shape == [2, 3])
    #expect(result[0].values() == [1, 2, 3, 9, 9, 9] as [Float])
  }

  @Test func `a single element keeps the declared shape`() throws {
    let result = try evaluate(
      .select,
      [
        Self.condition([1], [true]), Tensor([], [5] as [Int16]), Tensor([1, 1], [6] as [Int16]),
      ],
      outputs: [TensorType(.int16, [1, 1, 1])])
    #expect(result[0].type.shape == [1, 1, 1])
    #expect(result[0].values() == [5] as [Int16])
  }

  @Test func `SELECT does not broadcast`() throws {
    #expect(throws: KernelError.self) {
      try evaluate(
        .select, [Self.condition([1, 2], [true, false]), Self.first, Self.second],
        outputs: [Self.output])
    }
  }
}
