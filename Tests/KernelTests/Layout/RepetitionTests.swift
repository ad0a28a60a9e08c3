// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct RepetitionTests {
  static let int8 = TensorType(.int8, [])
  static let grid = Tensor([2, 2], [1, 2, 3, 4] as [Int8])

  static func numbers(_ values: [Int64]) -> Tensor { Tensor([values.count], values).constant }

  @Test(arguments: KernelSet.all)
  func `tiles lie side by side`(kernels: KernelSet) throws {
    let tiled = try evaluate(
      .tile, [Self.grid, Self.numbers([1, 2])], outputs: [Self.int8], kernels: kernels)
    #expect(tiled[0].type.shape == [2, 4])
    #expect(tiled[0].values() == [1, 2, 1, 2, 3, 4, 3, 4] as [Int8])
    let stacked = try evaluate(
      .tile, [Self.grid, Self.numbers([2, 1])], outputs: [Self.int8], kernels: kernels)
    #expect(stacked[0].values() == [1, 2, 3, 4, 1, 2, 3, 4] as [Int8])
  }

  @Test(arguments: [[1], [1, -1], [Int64.max, .max], [.min, 1]])
  func `repetitions out of range are refused`(counts: [Int64]) {
    #expect(throws: KernelError.self) {
      try evaluate(.tile, [Self.grid, Self.numbers(counts)], outputs: [Self.int8])
    }
  }

  @Test func `no repetition leaves nothing`() throws {
    let tiled = try evaluate(
      .tile, [Self.grid, Self.numbers([0, 5])], outputs: [Self.int8])
    #expect(tiled[0].type.shape.elementCount == 0)
  }

  @Test(arguments: KernelSet.all)
  func `axes of length 1 are broadcast`(kernels: KernelSet) throws {
    let broadcast = try evaluate(
      .broadcastTo, [Tensor([2, 1], [1, 2] as [Int8]), Self.numbers([2, 2, 3])],
      outputs: [Self.int8], kernels: kernels)
    #expect(broadcast[0].type.shape == [2, 2, 3])
    #expect(broadcast[0].values() == [1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2] as [Int8])
  }

  @Test(arguments: [[2], [3, 2], [2, -1], [.min, 2], [.max, 2, 2]] as [[Int64]])
  func `a shape that does not fit is refused`(shape: [Int64]) {
    #expect(throws: KernelError.self) {
      try evaluate(.broadcastTo, [Self.grid, Self.numbers(shape)], outputs: [Self.int8])
    }
  }

  static func broadcastShape(_ left: [Int32], _ right: [Int32]) throws -> [Int32] {
    try evaluate(
      .broadcastArgs, [Tensor([left.count], left), Tensor([right.count], right)],
      outputs: [TensorType(.int32, [])])[0].values()
  }

  @Test func `shapes are broadcast to each other`() throws {
    #expect(try Self.broadcastShape([2, 1, 3], [4, 1]) == [2, 4, 3])
    #expect(try Self.broadcastShape([], [5]) == [5])
    #expect(throws: KernelError.self) { try Self.broadcastShape([2], [3]) }
  }

  static func mirrored(
    _ mode: MirrorPadMode, _ paddings: [Int64], kernels: KernelSet = .reference
  ) throws -> [Int8] {
    var options = MirrorPadOptions()
    options.mode = mode
    return try evaluate(
      .mirrorPad, options: options,
      [Tensor([1, 3], [1, 2, 3] as [Int8]), Tensor([2, 2], paddings).constant],
      outputs: [Self.int8], kernels: kernels)[0].values()
  }

  @Test(arguments: KernelSet.all)
  func `mirrors stand at the border or beyond it`(kernels: KernelSet) throws {
    #expect(
      try Self.mirrored(.reflect, [0, 0, 2, 1], kernels: kernels) == [3, 2, 1, 2, 3, 2])
    #expect(
      try Self.mirrored(.symmetric, [0, 0, 2, 3], kernels: kernels)
        == [2, 1, 1, 2, 3, 3, 2, 1])
    #expect(
      try Self.mirrored(.symmetric, [1, 0, 0, 1], kernels: kernels)
        == [1, 2, 3, 3, 1, 2, 3, 3])
  }

  @Test(
    arguments: [[0, 0, 3, 0], [1, 0, 0, 0], [0, 0, -1, 0], [0, 0, .max, .max]] as [[Int64]])
  func `an image longer than the tensor is refused`(paddings: [Int64]) {
    #expect(throws: KernelError.self) { try Self.mirrored(.reflect, paddings) }
  }
}
