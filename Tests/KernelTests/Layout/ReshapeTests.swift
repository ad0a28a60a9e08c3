// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct ReshapeTests {
  static let int8 = TensorType(.int8, [])

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let input: Shape
    var wanted: [Int32]
    let expected: Shape?
  }

  static let rows = [
    Row(testDescription: "given", input: [2, 3], wanted: [3, 2], expected: [3, 2]),
    Row(testDescription: "stretched", input: [2, 6], wanted: [3, -1], expected: [3, 4]),
    Row(testDescription: "to a scalar", input: [1, 1], wanted: [], expected: []),
    Row(testDescription: "nothing", input: [0, 5], wanted: [5, -1], expected: [5, 0]),
    Row(testDescription: "zero kept", input: [0, 2, 3], wanted: [0, -1], expected: [0, 6]),
    Row(testDescription: "two open", input: [4], wanted: [-1, -1], expected: nil),
    Row(testDescription: "not divisible", input: [5], wanted: [2, -1], expected: nil),
    Row(testDescription: "other count", input: [4], wanted: [5], expected: nil),
    Row(testDescription: "negative", input: [4], wanted: [-4], expected: nil),
    Row(testDescription: "least integer", input: [4], wanted: [.min, -1], expected: nil),
    Row(testDescription: "overflow", input: [4], wanted: [.max, .max, .max], expected: nil),
  ]

  @Test(arguments: KernelSet.all, rows)
  func `the shape comes from input 1`(kernels: KernelSet, row: Row) throws {
    let values = (0..<row.input.elementCount).map { Int8($0) }
    let shape = Tensor([row.wanted.count], row.wanted).constant
    func reshaped() throws -> Tensor {
      try evaluate(
        .reshape, [Tensor(row.input, values), shape], outputs: [Self.int8], kernels: kernels)[0]
    }
    guard let expected = row.expected else {
      #expect(throws: KernelError.self) { try reshaped() }
      return
    }
    #expect(try reshaped().type.shape == expected)
    #expect(try reshaped().values() == values)
  }

  @Test func `without input 1 the options' shape holds`() throws {
    var options = ReshapeOptions()
    options.newShape = [2, -1]
    let reshaped = try evaluate(
      .reshape, options: options, [Tensor([6], [0, 1, 2, 3, 4, 5] as [Int8])],
      outputs: [Self.int8])
    #expect(reshaped[0].type.shape == [2, 3])
  }

  @Test func `a shape of [0] in the options means a scalar`() throws {
    var options = ReshapeOptions()
    options.newShape = [0]
    let reshaped = try evaluate(
      .reshape, options: options, [Tensor([1], [7] as [Int8])], outputs: [Self.int8])
    #expect(reshaped[0].type.shape == [])
  }

  @Test func `a shape that is computed later is waited for`() throws {
    #expect {
      try evaluate(
        .reshape, [Tensor([2], [1, 2] as [Int8]), Tensor([1], [2] as [Int32])],
        outputs: [Self.int8])
    } throws: {
      ($0 as? KernelError)?.kind == .valueNeeded(1)
    }
  }

  @Test func `squeezing removes all axes of length 1, or those named`() throws {
    let input = Tensor([1, 2, 1, 3, 1], [0, 1, 2, 3, 4, 5] as [Int8])
    #expect(
      try evaluate(.squeeze, [input], outputs: [Self.int8])[0].type.shape == [2, 3])
    var options = SqueezeOptions()
    options.axes = [0, -1, 0]
    #expect(
      try evaluate(.squeeze, options: options, [input], outputs: [Self.int8])[0].type.shape
        == [2, 1, 3])
    for axis in [1, 5, -6, Int32.min] {
      options.axes = [axis]
      #expect(throws: KernelError.self) {
        try evaluate(.squeeze, options: options, [input], outputs: [Self.int8])
      }
    }
  }

  @Test(
    arguments: [(0, [1, 2, 3]), (1, [2, 1, 3]), (-1, [2, 3, 1]), (2, [2, 3, 1])]
      as [(Int32, [Int])])
  func `an axis of length 1 is inserted`(axis: Int32, expected: [Int]) throws {
    let expanded = try evaluate(
      .expandDims,
      [Tensor([2, 3], [0, 1, 2, 3, 4, 5] as [Int8]), Tensor([], [axis]).constant],
      outputs: [Self.int8])
    #expect(expanded[0].type.shape.dimensions == expected)
    #expect(expanded[0].values() == [0, 1, 2, 3, 4, 5] as [Int8])
  }

  @Test(arguments: [3, -4, Int64.min, .max])
  func `an axis out of range is refused`(axis: Int64) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .expandDims, [Tensor([2, 1], [0, 1] as [Int8]), Tensor([], [axis]).constant],
        outputs: [Self.int8])
    }
  }

  @Test func `shape and rank follow from types alone`() throws {
    var options = ShapeOptions()
    options.outputType = .int64
    let input = Tensor([2, 0, 3], [] as [Float])
    let shape = try evaluate(
      .shape, options: options, [input], outputs: [TensorType(.int64, [])])
    #expect(shape[0].values() == [2, 0, 3] as [Int64])
    let rank = try evaluate(.rank, [input], outputs: [TensorType(.int32, [])])
    #expect(rank[0].type.shape == [])
    #expect(rank[0].values() == [3] as [Int32])
  }
}
