// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct VectorNormalizationTests {
  @Test(arguments: KernelSet.all)
  func `rows get length 1, but zeros stay`(kernels: KernelSet) throws {
    let rows = try evaluate(
      .l2Normalization, [Tensor([2, 2], [3, -4, 0, 0] as [Float])],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(rows[0].values() == [0.6, -0.8, 0, 0] as [Float])
  }

  /// 128 · 0.6 = 76.8 and 128 · −0.8 = −102.4; uint8 around 128.
  @Test(arguments: KernelSet.all)
  func `codes are 128ths`(kernels: KernelSet) throws {
    let signed = try evaluate(
      .l2Normalization, [Tensor([1, 2], [31, -39] as [Int8], scale: 3, zeroPoint: 1)],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 1.0 / 128))],
      kernels: kernels)
    #expect(signed[0].values() == [77, -102] as [Int8])
    let output = Quantization(scale: 1.0 / 128, zeroPoint: 128)
    let unsigned = try evaluate(
      .l2Normalization, [Tensor([1, 2], [130, 60] as [UInt8], scale: 3, zeroPoint: 100)],
      outputs: [TensorType(.uint8, [], quantization: output)], kernels: kernels)
    #expect(unsigned[0].values() == [205, 26] as [UInt8])
  }

  @Test func `another output quantization is refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .l2Normalization, [Tensor([1], [1] as [Int8], scale: 1)],
        outputs: [TensorType(.int8, [], quantization: Quantization(scale: 1))])
    }
  }

  static func response(
    radius: Int32, beta: Float, kernels: KernelSet
  ) throws -> [Float] {
    var options = LocalResponseNormalizationOptions()
    options.radius = radius
    options.bias = 1
    options.alpha = 2
    options.beta = beta
    return try evaluate(
      .localResponseNormalization, options: options,
      [Tensor([1, 1, 1, 3], [1, 2, 3] as [Float])], outputs: [TensorType(.float32, [])],
      kernels: kernels)[0].values()
  }

  /// Windows of squares: 1 + 4, 1 + 4 + 9 and 4 + 9; twice that, plus 1.
  @Test(arguments: KernelSet.all)
  func `neighbors on both sides damp`(kernels: KernelSet) throws {
    let damped = try Self.response(radius: 1, beta: 1, kernels: kernels)
    #expect(damped == [1 * (1 / 11), 2 * (1 / 29), 3 * (1 / 27)] as [Float])
  }

  @Test func `a window wider than the tensor holds everything`() throws {
    let damped = try Self.response(radius: .max, beta: 0.5, kernels: .reference)
    let root = (29 as Float).squareRoot()
    #expect(damped == [1 * (1 / root), 2 * (1 / root), 3 * (1 / root)])
  }

  @Test func `a negative radius is refused`() {
    #expect(throws: KernelError.self) {
      try Self.response(radius: -1, beta: 1, kernels: .reference)
    }
  }
}
