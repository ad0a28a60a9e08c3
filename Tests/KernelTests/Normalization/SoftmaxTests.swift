// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct SoftmaxTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let scores: [Float]
    var beta: Float = 1
    let expected: [Float]
  }

  /// From NumPy in double precision.
  static let rows = [
    Row(testDescription: "two equal", scores: [3, 3], expected: [0.5, 0.5]),
    Row(
      testDescription: "three", scores: [1, 2, 3],
      expected: [0.090_030_57, 0.244_728_47, 0.665_240_96]),
    Row(testDescription: "large scores do not overflow", scores: [1e4, 0], expected: [1, 0]),
    Row(
      testDescription: "beta sharpens", scores: [1, 0], beta: 2,
      expected: [0.880_797_08, 0.119_202_92]),
  ]

  static func options(beta: Float) -> SoftmaxOptions {
    var options = SoftmaxOptions()
    options.beta = beta
    return options
  }

  @Test(arguments: KernelSet.all, rows)
  func probabilities(kernels: KernelSet, row: Row) throws {
    let probabilities = try evaluate(
      .softmax, options: Self.options(beta: row.beta), [Tensor([1, row.scores.count], row.scores)],
      outputs: [TensorType(.float32, [])], kernels: kernels)[0].values(as: Float.self)
    for (got, wanted) in zip(probabilities, row.expected) {
      #expect((got - wanted).magnitude <= 1e-7)
    }
  }

  static let unit = Quantization(scale: 1.0 / 256, zeroPoint: -128)

  /// Differences of ln 2: probabilities 4/7, 2/7 and 1/7 of 256, less 128.
  @Test(arguments: KernelSet.all)
  func `codes span probabilities from 0 to 1`(kernels: KernelSet) throws {
    let scores = Tensor([1, 3], [20, 10, 0] as [Int8], scale: 0.069_314_72, zeroPoint: 5)
    let probabilities = try evaluate(
      .softmax, options: Self.options(beta: 1), [scores],
      outputs: [TensorType(.int8, [], quantization: Self.unit)], kernels: kernels)
    #expect(probabilities[0].values() == [18, -55, -91] as [Int8])
  }

  @Test(arguments: KernelSet.all)
  func `int16 codes span 0 to 32767`(kernels: KernelSet) throws {
    let scores = Tensor([1, 2], [10_000, 10_000] as [Int16], scale: 0.001)
    let probabilities = try evaluate(
      .softmax, options: Self.options(beta: 1), [scores],
      outputs: [TensorType(.int16, [], quantization: Quantization(scale: 1.0 / 32768))],
      kernels: kernels)
    #expect(probabilities[0].values() == [16384, 16384] as [Int16])
  }

  /// 1/1001 of 256 rounds to 0, where TFLite aborts.
  @Test(arguments: KernelSet.all)
  func `a flat row of many classes gives zeros`(kernels: KernelSet) throws {
    let scores = Tensor([1, 1001], [Int8](repeating: 3, count: 1001), scale: 0.1)
    let probabilities = try evaluate(
      .softmax, options: Self.options(beta: 1), [scores],
      outputs: [TensorType(.int8, [], quantization: Self.unit)], kernels: kernels)
    #expect(probabilities[0].values(as: Int8.self).allSatisfy { $0 == -128 })
  }

  @Test func `another output quantization is refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .softmax, options: Self.options(beta: 1), [Tensor([1], [0] as [Int8], scale: 0.1)],
        outputs: [TensorType(.int8, [], quantization: Quantization(scale: 0.1))])
    }
  }

  /// The values of TFLite's default kernel, which takes factors that its reference kernel does not.
  @Test(arguments: KernelSet.all, [0, 0x1p-30, 0x1p-20] as [Float])
  func `tiny factors give all codes one probability`(kernels: KernelSet, beta: Float) throws {
    let scores = Tensor([1, 4], [-128, 127, 0, 5] as [Int8], scale: 0x1p-6)
    let probabilities = try evaluate(
      .softmax, options: Self.options(beta: beta), [scores],
      outputs: [TensorType(.int8, [], quantization: Self.unit)], kernels: kernels)
    #expect(probabilities[0].values() == [-64, -64, -64, -64] as [Int8])
  }

  @Test(arguments: [-1, .nan] as [Float])
  func `beta must not be negative for codes`(beta: Float) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .softmax, options: Self.options(beta: beta), [Tensor([1], [0] as [Int8], scale: 0.1)],
        outputs: [TensorType(.int8, [], quantization: Self.unit)])
    }
  }

  @Test func `NaN and infinite scores do no harm`() throws {
    let scores = Tensor([2, 2], [.nan, 1, .infinity, 1] as [Float])
    let probabilities = try evaluate(
      .softmax, options: Self.options(beta: 1), [scores], outputs: [TensorType(.float32, [])])
    #expect(probabilities[0].type.shape == [2, 2])
  }

  /// −ln 2 for two equal scores; in steps of 1/16 below 127, −11.
  @Test(arguments: KernelSet.all)
  func `logarithms of probabilities`(kernels: KernelSet) throws {
    let real = try evaluate(
      .logSoftmax, [Tensor([1, 2], [5, 5] as [Float])], outputs: [TensorType(.float32, [])],
      kernels: kernels)
    for value in real[0].values(as: Float.self) {
      #expect((value + 0.693_147_2).magnitude <= 1e-6)
    }
    let output = TensorType(.int8, [], quantization: Quantization(scale: 0.0625, zeroPoint: 127))
    let codes = try evaluate(
      .logSoftmax, [Tensor([1, 2], [7, 7] as [Int8], scale: 0.1)], outputs: [output],
      kernels: kernels)
    #expect(codes[0].values() == [116, 116] as [Int8])
  }
}
