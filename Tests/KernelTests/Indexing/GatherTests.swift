// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct GatherTests {
  static let grid = Tensor([2, 3], [0, 1, 2, 10, 11, 12] as [Float])
  static let float = TensorType(.float32, [])

  static func options(axis: Int32, batch: Int32 = 0) -> GatherOptions {
    var options = GatherOptions()
    options.axis = axis
    options.batchDimensions = batch
    return options
  }

  @Test(arguments: KernelSet.all)
  func `rows are chosen by index`(kernels: KernelSet) throws {
    let gathered = try evaluate(
      .gather, options: Self.options(axis: 0), [Self.grid, Tensor([3], [1, 0, 1] as [Int16])],
      outputs: [Self.float], kernels: kernels)
    #expect(gathered[0].type.shape == [3, 3])
    #expect(gathered[0].values() == [10, 11, 12, 0, 1, 2, 10, 11, 12] as [Float])
  }

  @Test func `indices of rank 0 and 2 replace the axis by theirs`() throws {
    let one = try evaluate(
      .gather, options: Self.options(axis: -1), [Self.grid, Tensor([], [2] as [Int64])],
      outputs: [Self.float])
    #expect(one[0].type.shape == [2])
    #expect(one[0].values() == [2, 12] as [Float])
    let four = try evaluate(
      .gather, options: Self.options(axis: 1),
      [Self.grid, Tensor([1, 2], [2, 0] as [Int32])], outputs: [Self.float])
    #expect(four[0].type.shape == [2, 1, 2])
    #expect(four[0].values() == [2, 0, 12, 10] as [Float])
  }

  @Test func `batches have indices of their own`() throws {
    let gathered = try evaluate(
      .gather, options: Self.options(axis: 1, batch: 1),
      [Self.grid, Tensor([2, 1], [2, 0] as [Int32])], outputs: [Self.float])
    #expect(gathered[0].type.shape == [2, 1])
    #expect(gathered[0].values() == [2, 10] as [Float])
  }

  @Test(arguments: [-1, 3, Int64.min, .max])
  func `an index outside of the axis is refused`(index: Int64) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .gather, options: Self.options(axis: 1), [Self.grid, Tensor([1], [index])],
        outputs: [Self.float])
    }
    #expect(throws: KernelError.self) {
      try evaluate(.gatherND, [Self.grid, Tensor([1, 2], [0, index])], outputs: [Self.float])
    }
  }

  @Test func `indices beyond int16 are compared in full`() throws {
    let long = Tensor([40_000], (0..<40_000).map { Int32($0) })
    let gathered = try evaluate(
      .gather, [long, Tensor([1], [Int16.max])], outputs: [TensorType(.int32, [])])
    #expect(gathered[0].values() == [32_767] as [Int32])
  }

  @Test(arguments: [(2, 0), (-3, 0), (0, 1), (1, 2), (.min, .min)] as [(Int32, Int32)])
  func `axes out of range are refused`(axis: Int32, batch: Int32) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .gather, options: Self.options(axis: axis, batch: batch),
        [Self.grid, Tensor([2, 1], [0, 0] as [Int32])], outputs: [Self.float])
    }
  }

  @Test(arguments: KernelSet.all)
  func `vectors of indices choose slices`(kernels: KernelSet) throws {
    let elements = try evaluate(
      .gatherND, [Self.grid, Tensor([2, 2], [1, 2, 0, 1] as [Int32])], outputs: [Self.float],
      kernels: kernels)
    #expect(elements[0].values() == [12, 1] as [Float])
    let rows = try evaluate(
      .gatherND, [Self.grid, Tensor([1, 1], [1] as [Int64])], outputs: [Self.float],
      kernels: kernels)
    #expect(rows[0].type.shape == [1, 3])
    #expect(rows[0].values() == [10, 11, 12] as [Float])
    let whole = try evaluate(
      .gatherND, [Self.grid, Tensor([2, 0], [] as [Int32])], outputs: [Self.float],
      kernels: kernels)
    #expect(whole[0].type.shape == [2, 2, 3])
  }

  @Test func `a vector longer than the rank is refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .gatherND, [Self.grid, Tensor([1, 3], [0, 0, 0] as [Int32])], outputs: [Self.float])
    }
  }
}
