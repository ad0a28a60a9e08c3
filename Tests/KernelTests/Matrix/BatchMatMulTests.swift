// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct BatchMatMulTests {
  static let float = TensorType(.float32, [])

  static func options(_ left: Bool, _ right: Bool) -> BatchMatMulOptions {
    var options = BatchMatMulOptions()
    options.transposesLeft = left
    options.transposesRight = right
    return options
  }

  @Test(
    arguments: KernelSet.all,
    [
      (options(false, false), [19, 22, 43, 50]), (options(true, false), [26, 30, 38, 44]),
      (options(false, true), [17, 23, 39, 53]), (options(true, true), [23, 31, 34, 46]),
    ] as [(BatchMatMulOptions, [Float])])
  func `either side may be transposed`(
    kernels: KernelSet, row: (options: BatchMatMulOptions, expected: [Float])
  ) throws {
    let result = try evaluate(
      .batchMatMul, options: row.options,
      [
        Tensor([2, 2], [1, 2, 3, 4] as [Float]), Tensor([2, 2], [5, 6, 7, 8] as [Float]),
      ],
      outputs: [Self.float], kernels: kernels)
    #expect(result[0].values() == row.expected)
  }

  @Test(arguments: KernelSet.all)
  func `leading axes are broadcast`(kernels: KernelSet) throws {
    let result = try evaluate(
      .batchMatMul,
      [
        Tensor([2, 1, 1, 2], [1, 2, 3, 4] as [Float]),
        Tensor([3, 2, 1], [1, 0, 0, 1, 1, 1] as [Float]),
      ],
      outputs: [Self.float], kernels: kernels)
    #expect(result[0].type.shape == [2, 3, 1, 1])
    #expect(result[0].values() == [1, 2, 3, 3, 4, 7] as [Float])
  }

  /// (3 + 1)·(2 − 1) + (5 + 1)·(4 − 1) = 22, times 0.5 · 0.5 / 0.5.
  @Test(arguments: KernelSet.all)
  func `int8 operands have zero points`(kernels: KernelSet) throws {
    let result = try evaluate(
      .batchMatMul,
      [
        Tensor([1, 2], [3, 5] as [Int8], scale: 0.5, zeroPoint: -1),
        Tensor([2, 1], [2, 4] as [Int8], scale: 0.5, zeroPoint: 1),
      ],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: 7))],
      kernels: kernels)
    #expect(result[0].values() == [18] as [Int8])
  }

  @Test(arguments: KernelSet.all)
  func `int32 results are sums of bare codes`(kernels: KernelSet) throws {
    let result = try evaluate(
      .batchMatMul,
      [
        Tensor([1, 2], [3, 5] as [Int8], scale: 0.5, zeroPoint: -1),
        Tensor([2, 1], [2, 4] as [Int8], scale: 0.5, zeroPoint: 1),
      ],
      outputs: [TensorType(.int32, [])], kernels: kernels)
    #expect(result[0].values() == [26] as [Int32])
  }

  @Test(arguments: KernelSet.all)
  func `scales per column make every quantized result zero`(kernels: KernelSet) throws {
    let result = try evaluate(
      .batchMatMul,
      [
        Tensor([1, 2], [3, 5] as [Int16], scale: 0.5),
        Tensor([2, 2], [2, 4, 6, 8] as [Int8], scales: [0.5, 0.25], axis: 1).constant,
      ],
      outputs: [TensorType(.int16, [], quantization: Quantization(scale: 0.5))],
      kernels: kernels)
    #expect(result[0].values() == [0, 0] as [Int16])
  }

  @Test(arguments: KernelSet.all)
  func `float rows meet an int8 matrix`(kernels: KernelSet) throws {
    let result = try evaluate(
      .batchMatMul, options: Self.options(true, false),
      [
        Tensor([2, 2], [1, 0, 1, 1000] as [Float]),
        Tensor([2, 2], [2, -4, 4, 0] as [Int8], scales: [0.5, 0.25], axis: 1).constant,
      ],
      outputs: [Self.float], kernels: kernels)
    let values = result[0].values(as: Float.self)
    for (value, expected) in zip(values, [3, -1, 2000, 0] as [Float]) {
      #expect(abs(value - expected) <= 1e-5 * abs(expected))
    }
  }

  @Test(
    arguments: [([2, 2], [3, 2]), ([2], [2, 2]), ([2, 2, 2], [3, 2, 2])] as [(Shape, Shape)])
  func `matrices that do not match are refused`(left: Shape, right: Shape) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .batchMatMul,
        [
          Tensor(left, [Float](repeating: 1, count: left.elementCount)),
          Tensor(right, [Float](repeating: 1, count: right.elementCount)),
        ],
        outputs: [Self.float])
    }
  }
}
