// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct SegmentTests {
  static let rows = Tensor([4, 2], [1, 2, 3, 4, 5, 6, 7, 8] as [Int32])

  static func sum(_ ids: [Int32], kernels: KernelSet = .reference) throws -> Tensor {
    try evaluate(
      .segmentSum, [rows, Tensor([ids.count], ids).constant], outputs: [TensorType(.int32, [])],
      kernels: kernels)[0]
  }

  @Test(arguments: KernelSet.all)
  func `neighboring rows of a segment are added`(kernels: KernelSet) throws {
    let sums = try Self.sum([0, 1, 1, 2], kernels: kernels)
    #expect(sums.type.shape == [3, 2])
    #expect(sums.values() == [1, 2, 8, 10, 7, 8] as [Int32])
  }

  @Test(
    arguments: [[1, 1, 1, 1], [0, 2, 2, 2], [0, 1, 0, 1], [-1, 0, 0, 0], [0, 0, 0]] as [[Int32]])
  func `segments that are not in steps of one from zero are refused`(ids: [Int32]) {
    #expect(throws: KernelError.self) { try Self.sum(ids) }
  }

  static func unsorted(
    _ code: OperatorCode, _ data: Tensor, _ ids: Tensor, _ count: Int32,
    kernels: KernelSet = .reference
  ) throws -> Tensor {
    try evaluate(
      code, [data, ids, Tensor([], [count]).constant], outputs: [data.type], kernels: kernels)[0]
  }

  static let ids = Tensor([4], [2, -1, 0, 2] as [Int32])

  /// Row 1 belongs nowhere, and nothing belongs to segment 1.
  @Test(
    arguments: KernelSet.all,
    [
      (.unsortedSegmentSum, [5, 6, 0, 0, 8, 10]), (.unsortedSegmentProd, [5, 6, 1, 1, 7, 16]),
      (.unsortedSegmentMax, [5, 6, .min, .min, 7, 8]),
      (.unsortedSegmentMin, [5, 6, .max, .max, 1, 2]),
    ] as [(OperatorCode, [Int32])])
  func `rows are combined in any order`(
    kernels: KernelSet, row: (code: OperatorCode, expected: [Int32])
  ) throws {
    let combined = try Self.unsorted(row.code, Self.rows, Self.ids, 3, kernels: kernels)
    #expect(combined.type.shape == [3, 2])
    #expect(combined.values() == row.expected)
  }

  @Test(arguments: KernelSet.all)
  func `segments of single elements, and NaN as no extreme`(kernels: KernelSet) throws {
    let ids = Tensor([2, 2], [1, 0, 1, 1] as [Int32])
    let greatest = try Self.unsorted(
      .unsortedSegmentMax, Tensor([2, 2], [1, .nan, .nan, 3] as [Float]), ids, 2, kernels: kernels)
    #expect(greatest.values() == [-.greatestFiniteMagnitude, 3] as [Float])
  }

  @Test func `segments out of range are refused`() {
    for (ids, count) in [([0, 0, 0, 3], 3), ([0, 0, 0, .max], 3), ([0, 0, 0, 0], -1)]
      as [([Int32], Int32)]
    {
      #expect(throws: KernelError.self) {
        try Self.unsorted(.unsortedSegmentSum, Self.rows, Tensor([4], ids), count)
      }
    }
    #expect(throws: KernelError.self) {
      try Self.unsorted(.unsortedSegmentSum, Self.rows, Tensor([3], [0, 0, 0] as [Int32]), 1)
    }
  }

  static func window(
    _ function: ReduceWindowFunction, _ data: Tensor, start: Tensor, _ window: [Int64],
    _ steps: [Int64], _ distances: [Int64], kernels: KernelSet = .reference
  ) throws -> Tensor {
    var options = ReduceWindowOptions()
    options.function = function
    let numbers = [window, steps, distances].map { Tensor([$0.count], $0).constant }
    return try evaluate(
      .reduceWindow, options: options, [data, start] + numbers, outputs: [data.type],
      kernels: kernels)[0]
  }

  @Test(arguments: KernelSet.all)
  func `elements in a window are combined`(kernels: KernelSet) throws {
    let grid = Tensor([2, 4], [1, 2, 3, 4, 5, 6, 7, 8] as [Int32])
    let ten = Tensor([], [10] as [Int32])
    let sums = try Self.window(.add, grid, start: ten, [2, 2], [1, 1], [1, 2], kernels: kernels)
    #expect(sums.type.shape == [1, 2])
    #expect(sums.values() == [26, 30] as [Int32])
    let all = try Self.window(.all, grid, start: ten, [1, 2], [1, 2], [1, 1], kernels: kernels)
    #expect(all.values() == [1, 1, 1, 1] as [Int32])
    let none = try Self.window(.add, grid, start: ten, [3, 1], [1, 1], [1, 1], kernels: kernels)
    #expect(none.type.shape == [0, 4])
  }

  @Test func `windows of hostile sizes are refused or empty`() throws {
    let (data, zero) = (Tensor([3], [1, 2, 3] as [Float]), Tensor([], [0] as [Float]))
    for numbers in [([0], [1], [1]), ([1], [0], [1]), ([1], [1], [-1]), ([1, 1], [1], [1])]
      as [([Int64], [Int64], [Int64])]
    {
      #expect(throws: KernelError.self) {
        try Self.window(.add, data, start: zero, numbers.0, numbers.1, numbers.2)
      }
    }
    let huge = try Self.window(.add, data, start: zero, [.max], [.max], [.max])
    #expect(huge.type.shape == [0])
    let single = try Self.window(.add, data, start: zero, [1], [.max], [.max])
    #expect(single.values() == [1] as [Float])
    #expect(throws: KernelError.self) {
      try Self.window(.unsupported, data, start: zero, [1], [1], [1])
    }
  }
}
