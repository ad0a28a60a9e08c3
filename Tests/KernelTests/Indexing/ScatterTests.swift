// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct ScatterTests {
  static let int8 = TensorType(.int8, [])

  static func scatter(
    _ indices: Tensor, _ updates: Tensor, _ shape: [Int32], kernels: KernelSet = .reference
  ) throws -> Tensor {
    try evaluate(
      .scatterND, [indices, updates, Tensor([shape.count], shape).constant],
      outputs: [updates.type], kernels: kernels)[0]
  }

  @Test(arguments: KernelSet.all)
  func `slices that meet are added`(kernels: KernelSet) throws {
    let elements = try Self.scatter(
      Tensor([3, 1], [1, 3, 1] as [Int32]), Tensor([3], [100, 2, 100] as [Int8]), [4],
      kernels: kernels)
    #expect(elements.values() == [0, -56, 0, 2] as [Int8])
    let rows = try Self.scatter(
      Tensor([1, 1], [1] as [Int32]), Tensor([1, 2], [5, 6] as [Int8]), [2, 2], kernels: kernels)
    #expect(rows.values() == [0, 0, 5, 6] as [Int8])
    let truths = try Self.scatter(
      Tensor([2, 1], [0, 0] as [Int32]), Tensor([2], [true, false].map(BoolByte.init)), [2],
      kernels: kernels)
    #expect(truths.values(as: BoolByte.self).map(\.value) == [true, false])
  }

  @Test(arguments: [-1, 4, Int32.min, .max])
  func `an index outside of the shape is refused`(index: Int32) {
    #expect(throws: KernelError.self) {
      try Self.scatter(Tensor([1, 1], [index]), Tensor([1], [1] as [Int8]), [4])
    }
  }

  @Test(arguments: [[2, 2], [-1], [.max, .max], []] as [[Int32]])
  func `a shape that the updates do not fit is refused`(shape: [Int32]) {
    #expect(throws: KernelError.self) {
      try Self.scatter(Tensor([1, 1], [0] as [Int32]), Tensor([1], [1] as [Int8]), shape)
    }
  }

  static func hot(
    _ indices: [Int64], depth: Int32, axis: Int32, kernels: KernelSet = .reference
  ) throws -> Tensor {
    var options = OneHotOptions()
    options.axis = axis
    return try evaluate(
      .oneHot, options: options,
      [
        Tensor([indices.count], indices), Tensor([], [depth]).constant,
        Tensor([], [5] as [Int8]), Tensor([], [1] as [Int8]),
      ], outputs: [Self.int8], kernels: kernels)[0]
  }

  @Test(arguments: KernelSet.all)
  func `one location of each vector is hot, or none`(kernels: KernelSet) throws {
    let rows = try Self.hot([1, -1, 3], depth: 2, axis: -1, kernels: kernels)
    #expect(rows.type.shape == [3, 2])
    #expect(rows.values() == [1, 5, 1, 1, 1, 1] as [Int8])
    let columns = try Self.hot([1, 0], depth: 2, axis: 0, kernels: kernels)
    #expect(columns.values() == [1, 5, 5, 1] as [Int8])
  }

  @Test(arguments: [(-1, 0), (2, 2), (2, -2), (.max, .max)] as [(Int32, Int32)])
  func `a depth or axis out of range is refused`(depth: Int32, axis: Int32) {
    #expect(throws: KernelError.self) { try Self.hot([0], depth: depth, axis: axis) }
  }

  @Test func `coordinates of what is not zero`() throws {
    let locations = try evaluate(
      .where, [Tensor([2, 3], [0, 1, -0.0, .nan, 0, 2] as [Float]).constant],
      outputs: [TensorType(.int64, [])])
    #expect(locations[0].type.shape == [3, 2])
    #expect(locations[0].values() == [0, 1, 1, 0, 1, 2] as [Int64])
    #expect(throws: KernelError.self) {
      try evaluate(
        .where, [Tensor([], [1] as [Float]).constant], outputs: [TensorType(.int64, [])])
    }
  }

  static func updated(_ starts: [Int64], kernels: KernelSet = .reference) throws -> [Int8] {
    try evaluate(
      .dynamicUpdateSlice,
      [
        Tensor([2, 3], [1, 2, 3, 4, 5, 6] as [Int8]), Tensor([1, 2], [8, 9] as [Int8]),
        Tensor([starts.count], starts),
      ], outputs: [Self.int8], kernels: kernels)[0].values()
  }

  @Test(arguments: KernelSet.all)
  func `a box is replaced, moved into the tensor`(kernels: KernelSet) throws {
    #expect(try Self.updated([1, 0], kernels: kernels) == [1, 2, 3, 8, 9, 6])
    #expect(try Self.updated([.min, .max], kernels: kernels) == [1, 8, 9, 4, 5, 6])
    #expect(throws: KernelError.self) { try Self.updated([0]) }
  }
}
