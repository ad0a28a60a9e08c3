// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct IntegerBitsTests {
  @Test(arguments: KernelSet.all)
  func `a shift is limited to the bits there are`(kernels: KernelSet) throws {
    let signed = try evaluate(
      .rightShift,
      [
        Tensor([5], [-128, -128, 100, -1, 64] as [Int8]),
        Tensor([5], [1, 127, -3, 8, 6] as [Int8]),
      ],
      outputs: [TensorType(.int8, [])], kernels: kernels)
    #expect(signed[0].values() == [-64, -1, 100, -1, 1] as [Int8])
    let unsigned = try evaluate(
      .rightShift, [Tensor([2], [UInt32.max, 8]), Tensor([2], [UInt32.max, 2])],
      outputs: [TensorType(.uint32, [])], kernels: kernels)
    #expect(unsigned[0].values() == [1, 2] as [UInt32])
  }

  @Test(arguments: KernelSet.all)
  func `bits that differ, with a row repeated`(kernels: KernelSet) throws {
    let bits = try evaluate(
      .bitwiseXor,
      [Tensor([2, 2], [0b1100, -1, 0, 7] as [Int16]), Tensor([2], [0b1010, 7] as [Int16])],
      outputs: [TensorType(.int16, [])], kernels: kernels)
    #expect(bits[0].values() == [0b0110, -8, 0b1010, 0] as [Int16])
  }

  @Test func `types without a kernel are refused`() {
    for code in [OperatorCode.bitwiseXor, .rightShift] {
      #expect(throws: KernelError.self) {
        try evaluate(
          code, [Tensor([1], [1] as [Int64]), Tensor([1], [1] as [Int64])],
          outputs: [TensorType(.int64, [])])
      }
    }
  }

  /// 3e38 + 3e38 is infinite, so it is limited to the greatest float before −3e38 is added.
  @Test(arguments: KernelSet.all)
  func `sums of several tensors stay finite or wrap`(kernels: KernelSet) throws {
    let finite = try evaluate(
      .addN,
      [
        Tensor([2], [3e38, 1] as [Float]), Tensor([2], [3e38, 2] as [Float]),
        Tensor([2], [0, 3] as [Float]),
      ], outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(finite[0].values() == [.greatestFiniteMagnitude, 6] as [Float])
    let wrapped = try evaluate(
      .addN, [Tensor([1], [Int32.max]), Tensor([1], [2] as [Int32])],
      outputs: [TensorType(.int32, [])], kernels: kernels)
    #expect(wrapped[0].values() == [Int32.min + 1])
    #expect(throws: KernelError.self) {
      try evaluate(
        .addN, [Tensor([1], [1] as [Float]), Tensor([1, 1], [1] as [Float])],
        outputs: [TensorType(.float32, [])])
    }
  }

  @Test(arguments: KernelSet.all)
  func `angles in all four quadrants`(kernels: KernelSet) throws {
    let angles = try evaluate(
      .atan2,
      [Tensor([4], [0, 1, -0.0, -1] as [Double]), Tensor([4], [-1, 0, -1, 0] as [Double])],
      outputs: [TensorType(.float64, [])], kernels: kernels)
    #expect(angles[0].values() == [.pi, .pi / 2, -.pi, -.pi / 2] as [Double])
    #expect(throws: KernelError.self) {
      try evaluate(
        .atan2, [Tensor([2], [0, 1] as [Float]), Tensor([1], [1] as [Float])],
        outputs: [TensorType(.float32, [])])
    }
  }

  @Test(arguments: KernelSet.all)
  func `parts and magnitudes of complex numbers`(kernels: KernelSet) throws {
    let numbers = Tensor([2], [Complex<Float>(3, -4), Complex(-5, 12)])
    let float = [TensorType(.float32, [])]
    #expect(try evaluate(.real, [numbers], outputs: float)[0].values() == [3, -5] as [Float])
    #expect(try evaluate(.imag, [numbers], outputs: float)[0].values() == [-4, 12] as [Float])
    #expect(try evaluate(.complexAbs, [numbers], outputs: float)[0].values() == [5, 13] as [Float])
    #expect(throws: KernelError.self) {
      try evaluate(.real, [numbers], outputs: [TensorType(.float64, [])])
    }
  }

  static func buckets<Element: TensorElement>(
    _ values: [Element], _ boundaries: [Float], kernels: KernelSet = .reference
  ) throws -> [Int32] {
    var options = BucketizeOptions()
    options.boundaries = boundaries
    return try evaluate(
      .bucketize, options: options, [Tensor([values.count], values)],
      outputs: [TensorType(.int32, [])], kernels: kernels)[0].values()
  }

  @Test(arguments: KernelSet.all)
  func `a value on a boundary lies behind it`(kernels: KernelSet) throws {
    #expect(
      try Self.buckets([-1, 0, 2.5, 3, .nan] as [Float], [0, 0, 3], kernels: kernels)
        == [0, 2, 2, 3, 3])
    // 16777217 has no float32: it is compared as 16777216.
    #expect(try Self.buckets([16_777_217] as [Int64], [16_777_218], kernels: kernels) == [0])
    #expect(try Self.buckets([16_777_219] as [Int32], [16_777_220], kernels: kernels) == [1])
    #expect(throws: KernelError.self) { try Self.buckets([1] as [Float], [1, 0]) }
  }
}
