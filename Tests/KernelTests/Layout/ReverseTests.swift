// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct ReverseTests {
  static let grid = Tensor([2, 3], [1, 2, 3, 4, 5, 6] as [Int16])
  static let int16 = TensorType(.int16, [])

  static func reversed(
    _ axes: [Int32], kernels: KernelSet = .reference
  ) throws -> [Int16] {
    try evaluate(
      .reverseV2, [grid, Tensor([axes.count], axes).constant], outputs: [int16],
      kernels: kernels)[0].values()
  }

  @Test(arguments: KernelSet.all)
  func `axes are turned round`(kernels: KernelSet) throws {
    #expect(try Self.reversed([1], kernels: kernels) == [3, 2, 1, 6, 5, 4])
    #expect(try Self.reversed([-2], kernels: kernels) == [4, 5, 6, 1, 2, 3])
    #expect(try Self.reversed([0, 1], kernels: kernels) == [6, 5, 4, 3, 2, 1])
    #expect(try Self.reversed([], kernels: kernels) == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: [[2], [-3], [1, 1], [1, -1], [.min], [.max]] as [[Int32]])
  func `axes out of range or repeated are refused`(axes: [Int32]) {
    #expect(throws: KernelError.self) { try Self.reversed(axes) }
  }

  static func sequences(
    _ lengths: [Int64], time: Int32, batch: Int32, kernels: KernelSet = .reference
  ) throws -> [Int16] {
    var options = ReverseSequenceOptions()
    options.sequenceAxis = time
    options.batchAxis = batch
    return try evaluate(
      .reverseSequence, options: options, [grid, Tensor([lengths.count], lengths)],
      outputs: [int16], kernels: kernels)[0].values()
  }

  @Test(arguments: KernelSet.all)
  func `each sequence is turned round up to its length`(kernels: KernelSet) throws {
    #expect(
      try Self.sequences([3, 2], time: 1, batch: 0, kernels: kernels) == [3, 2, 1, 5, 4, 6])
    #expect(
      try Self.sequences([2, 1, 0], time: 0, batch: 1, kernels: kernels)
        == [4, 2, 3, 1, 5, 6])
  }

  @Test func `a sequence longer than its axis is refused`() {
    #expect(throws: KernelError.self) { try Self.sequences([4, 0], time: 1, batch: 0) }
    #expect(throws: KernelError.self) { try Self.sequences([.max, 0], time: 1, batch: 0) }
    #expect(throws: KernelError.self) { try Self.sequences([1], time: 1, batch: 0) }
    #expect(throws: KernelError.self) { try Self.sequences([1, 1], time: 0, batch: 0) }
    #expect(throws: KernelError.self) { try Self.sequences([1, 1], time: -1, batch: 0) }
  }
}
