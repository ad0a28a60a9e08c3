// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors
import Testing

/// Ragged tensors; expectations from `ragged_tensor_to_tensor_tflite_test.cc` and
/// `ragged_range_tflite_test.cc` of TensorFlow Lite Support.
@Suite struct RaggedTests {
  /// A number of rows, the row of each element, and the beginnings of rows.
  enum Partition {
    case first(Int32)
    case rows([Int32])
    case splits([Int32])
  }

  private static func dense<Element: TensorElement>(
    _ shape: [Int32]?, _ values: [Element], _ fallback: Element, _ partitions: [Partition],
    valueShape: Shape? = nil
  ) throws -> TextTensor {
    let names = partitions.map {
      switch $0 {
      case .first: "FIRST_DIM_SIZE"
      case .rows: "VALUE_ROWIDS"
      case .splits: "ROW_SPLITS"
      }
    }
    let tensors = partitions.map {
      switch $0 {
      case .first(let count): TextTensor([1], [count])
      case .rows(let numbers), .splits(let numbers): TextTensor([numbers.count], numbers)
      }
    }
    let first = shape.map { TextTensor([$0.count], $0) } ?? TextTensor([], [-1 as Int32])
    return try text(
      "RaggedTensorToTensor", options: textOptions(["row_partition_types": .keys(names)]),
      [first, TextTensor(valueShape ?? [values.count], values), TextTensor([], [fallback])]
        + tensors, outputs: [Element.elementType])[0]
  }

  private static let values: [Float] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
  private static let rows: [Partition] = [.first(4), .rows([0, 0, 0, 2, 2, 2, 2, 3, 3])]
  private static let splits: [Partition] = [.splits([0, 3, 3, 7, 9])]

  @Test(arguments: [[4, 4], nil, [-1, -1], [-1, 4]] as [[Int32]?])
  func `rows are filled up`(shape: [Int32]?) throws {
    let x: Float = 1.5
    for partitions in [Self.rows, Self.splits] {
      let output = try Self.dense(shape, Self.values, x, partitions)
      #expect(output.shape == [4, 4])
      #expect(
        output.values() == [0.1, 0.2, 0.3, x, x, x, x, x, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, x, x])
    }
  }

  @Test func `what is beyond the shape is left out`() throws {
    let x: Float = 1.5
    let flat = try Self.dense([3, 5], Self.values, x, Self.rows)
    #expect(flat.values() == [0.1, 0.2, 0.3, x, x, x, x, x, x, x, 0.4, 0.5, 0.6, 0.7, x])
    let narrow = try Self.dense([4, 2], Self.values, x, Self.splits)
    #expect(narrow.values() == [0.1, 0.2, x, x, 0.4, 0.5, 0.8, 0.9])
    let pairs = try Self.dense(
      [3, 5, -7], Self.values.flatMap { [$0, $0 + 1] }, x, Self.rows, valueShape: [9, 2])
    #expect(pairs.shape == [3, 5, 2])
    #expect(pairs.values() == flat.values().flatMap { $0 == x ? [x, x] : [$0, $0 + 1] })
    #expect(try Self.dense([0, 5], Self.values, x, Self.splits).shape == [0, 5])
  }

  @Test func `rows of rows`() throws {
    let x: Float = 1.5
    let expected: [Float] = [
      x, x, x, x, x, x, 0.1, 0.2, x, 0.3, x, x, x, x, x, x, x, x, 0.4, 0.5, x, 0.6, 0.7, 0.8,
      0.9, x, x, x, x, x,
    ]
    for partitions in [
      [.first(5), .rows([0, 1, 1, 3, 3, 4]), .rows([1, 1, 2, 3, 3, 4, 4, 4, 5])],
      [.splits([0, 1, 3, 3, 5, 6]), .splits([0, 0, 2, 3, 5, 8, 9])],
      [.splits([0, 1, 3, 3, 5, 6]), .rows([1, 1, 2, 3, 3, 4, 4, 4, 5])],
    ] as [[Partition]] {
      for shape in [[5, 2, 3], nil] as [[Int32]?] {
        let output = try Self.dense(shape, Self.values, x, partitions)
        #expect(output.shape == [5, 2, 3])
        #expect(output.values() == expected)
      }
    }
    let integers = try Self.dense(
      [3, 2, 3], [0, 1, 2, 3] as [Int32], 5, [.splits([0, 2, 2, 3]), .splits([0, 3, 3, 4])])
    #expect(
      integers.values() == [0, 1, 2, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 5, 5, 5, 5, 5] as [Int32])
  }

  @Test(
    arguments: [
      ([4, 4], [.first(-1), .rows([0])]), ([4, 4], [.first(4), .rows([4])]),
      ([4, 4], [.first(4), .rows([-1])]), ([4, 4], [.first(4), .rows([.max])]),
      ([4, 4], [.rows([0])]), ([4], [.splits([0, 1])]), ([4, 4, 4], [.splits([0, 1])]),
      ([4, 4], [.splits([0, .max])]), ([4, 4], [.splits([3, 1])]), ([4, 4], [.splits([])]),
      ([.max, .max, .max], [.splits([0, 1]), .splits([0, 1])]),
      ([4, 4], [.splits([0, 1]), .first(4)]), ([4, 4], []),
      ([1, 1], [.first(2), .rows([0, 1, 0, 0])]),
      ([4, 1], [.first(4), .rows([3, 2])]),
    ] as [([Int32], [Partition])])
  func `partitions that do not fit are refused`(shape: [Int32], partitions: [Partition]) {
    #expect(throws: KernelError.self) {
      try Self.dense(shape, [1, 2, 3, 4] as [Int64], 9, partitions)
    }
  }

  @Test func `more elements of rows than the next partition has are left out`() throws {
    let output = try Self.dense(
      [2, 2, 2], [1, 2, 3, 4] as [Int64], 9, [.splits([0, .max]), .splits([0, 1, 2, 3])])
    #expect(output.values() == [1, 9, 2, 9, 9, 9, 9, 9] as [Int64])
  }

  @Test func `rows that nothing refers to take no memory`() throws {
    let output = try Self.dense(
      [2, 2], [1, 2, 3] as [Int32], 9, [.first(.max), .rows([0, 0, 1])])
    #expect(output.values() == [1, 2, 3, 9] as [Int32])
  }

  private static func range<Element: TensorElement>(
    _ starts: [Element], _ limits: [Element], _ steps: [Element]
  ) throws -> (splits: [Int32], values: [Element]) {
    let output = try text(
      "RaggedRange", [starts, limits, steps].map { TextTensor([$0.count], $0) },
      outputs: [.int32, Element.elementType])
    return (output[0].values(), output[1].values())
  }

  @Test func `ranges of integers`() throws {
    let rows = try Self.range([0, 5, 8, 5] as [Int32], [8, 7, 8, 1], [2, 1, 1, -1])
    #expect(rows == ([0, 4, 6, 6, 10], [0, 2, 4, 6, 5, 6, 5, 4, 3, 2]))
    let oneStep = try Self.range([0, 5, 8] as [Int64], [8, 7, 8], [1])
    #expect(oneStep == ([0, 8, 10, 10], [0, 1, 2, 3, 4, 5, 6, 7, 5, 6]))
    let steps = try Self.range([0] as [Int32], [10], [2, 1])
    #expect(steps == ([0, 5, 15], [0, 2, 4, 6, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
    let empty = try Self.range([0, 7] as [Int32], [8, 5], [1, 1])
    #expect(empty == ([0, 8, 8], [0, 1, 2, 3, 4, 5, 6, 7]))
    let far = try Self.range([.min] as [Int64], [.max], [.max])
    #expect(far == ([0, 3], [.min, -1, .max - 1]))
  }

  @Test func `ranges of floats`() throws {
    let rows = try Self.range([0, 5, 8, 5] as [Float], [8, 7, 8, 1], [2, 1, 1, -1])
    #expect(rows == ([0, 4, 6, 6, 10], [0, 2, 4, 6, 5, 6, 5, 4, 3, 2]))
    let half = try Self.range([0] as [Double], [1.25], [0.5])
    #expect(half == ([0, 3], [0, 0.5, 1]))
  }

  @Test(
    arguments: [
      ([0], [1], [0]), ([0], [.nan], [1]), ([.nan], [1], [1]), ([0], [1], [.nan]),
      ([0], [.infinity], [1]), ([0], [1e30], [1e-30]), ([0, 1], [1, 2, 3], [1]), ([0], [1e12], [1]),
    ] as [([Float], [Float], [Float])])
  func `ranges without end are refused`(starts: [Float], limits: [Float], steps: [Float]) {
    #expect(throws: KernelError.self) { try Self.range(starts, limits, steps) }
  }
}
