// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct GenerationTests {
  static func range<Element: TensorElement>(
    _ start: Element, _ limit: Element, _ step: Element
  ) throws -> [Element] {
    try evaluate(
      .range, [start, limit, step].map { Tensor([], [$0]).constant },
      outputs: [TensorType(Element.elementType, [])])[0].values()
  }

  @Test func `numbers run up to the limit, but not to it`() throws {
    #expect(try Self.range(0, 6, 2) == [0, 2, 4] as [Int32])
    #expect(try Self.range(5, -2, -3) == [5, 2, -1] as [Int64])
    #expect(try Self.range(1, 2, 0.25) == [1, 1.25, 1.5, 1.75] as [Float])
    #expect(try Self.range(Int64.min, .max, .max) == [.min, -1, .max - 1] as [Int64])
  }

  @Test func `a direction that never arrives is refused`() {
    #expect(throws: KernelError.self) { try Self.range(0, 6, 0 as Int32) }
    #expect(throws: KernelError.self) { try Self.range(0, 6, -1 as Int32) }
    #expect(throws: KernelError.self) { try Self.range(Int64.min, .max, 1) }
    #expect(throws: KernelError.self) { try Self.range(0, .infinity, 1 as Float) }
    #expect(throws: KernelError.self) { try Self.range(0, .nan, 1 as Float) }
    #expect(throws: KernelError.self) { try Self.range(0, 1, .nan as Float) }
    #expect(throws: KernelError.self) { try Self.range(0, 1e30, 1e-30 as Float) }
  }

  @Test(arguments: KernelSet.all)
  func `rows become diagonals`(kernels: KernelSet) throws {
    let diagonal = try evaluate(
      .matrixDiag, [Tensor([2, 2], [1, 2, 3, 4] as [Int32])], outputs: [TensorType(.int32, [])],
      kernels: kernels)
    #expect(diagonal[0].type.shape == [2, 2, 2])
    #expect(diagonal[0].values() == [1, 0, 0, 2, 3, 0, 0, 4] as [Int32])
  }

  @Test(arguments: KernelSet.all)
  func `diagonals are replaced`(kernels: KernelSet) throws {
    let replaced = try evaluate(
      .matrixSetDiag,
      [Tensor([3, 2], [1, 2, 3, 4, 5, 6] as [Int8]), Tensor([2], [9, 8] as [Int8])],
      outputs: [TensorType(.int8, [])], kernels: kernels)
    #expect(replaced[0].values() == [9, 2, 3, 8, 5, 6] as [Int8])
    #expect(throws: KernelError.self) {
      try evaluate(
        .matrixSetDiag, [Tensor([2, 2], [1, 2, 3, 4] as [Int8]), Tensor([1], [9] as [Int8])],
        outputs: [TensorType(.int8, [])])
    }
  }

  @Test func `bytes are read as another type`() throws {
    let bits = try evaluate(
      .bitcast, [Tensor([2], [1, -2] as [Float])], outputs: [TensorType(.int32, [])])
    #expect(bits[0].values() == [0x3F80_0000, -0x4000_0000] as [Int32])
    let bytes = try evaluate(
      .bitcast, [Tensor([1], [0x0102_0304] as [Int32])], outputs: [TensorType(.uint8, [])])
    #expect(bytes[0].type.shape == [1, 4])
    #expect(bytes[0].values() == [4, 3, 2, 1] as [UInt8])
    let number = try evaluate(.bitcast, bytes, outputs: [TensorType(.int32, [])])
    #expect(number[0].type.shape == [1])
    #expect(number[0].values() == [0x0102_0304] as [Int32])
    #expect(throws: KernelError.self) {
      try evaluate(
        .bitcast, [Tensor([3], [1, 2, 3] as [UInt8])], outputs: [TensorType(.int32, [])])
    }
  }

  @Test func `zeros have the input's shape`() throws {
    let zeros = try evaluate(
      .zerosLike, [Tensor([2], [5, 6] as [Int64])], outputs: [TensorType(.int64, [])])
    #expect(zeros[0].values() == [0, 0] as [Int64])
  }
}
