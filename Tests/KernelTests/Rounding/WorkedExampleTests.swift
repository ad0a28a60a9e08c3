// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// The numbers worked out in `Docs/Numerics.md`.
@Suite struct WorkedExampleTests {
  /// The output quantized values of a node with one row of quantized values per input.
  static func codes<Code: TensorElement>(
    _ code: OperatorCode, options: (any OptionsTable)? = nil, _ inputs: [Tensor],
    scale: Float, zeroPoint: Int64 = 0, _ kernels: KernelSet
  ) throws -> [Code] {
    let output = TensorType(
      Code.elementType, [], quantization: Quantization(scale: scale, zeroPoint: zeroPoint))
    return try evaluate(code, options: options, inputs, outputs: [output], kernels: kernels)[0]
      .values()
  }

  @Test(arguments: [
    (0.5, 3, 2, 2), (0.5, -3, -1, -1), (0.25, 5, 2, 1), (0.00166903409, 1234, 2, 2),
    (0.00166903409, -899, -2, -2), (0.00166903409, 299, 1, 0), (0.00166903409, 2097, 4, 3),
  ])
  func `factors`(factor: Double, value: Int32, double: Int32, single: Int32) {
    #expect(FixedPointMultiplier(factor, rounding: .double).scale(value) == double)
    #expect(FixedPointMultiplier(factor, rounding: .single).scale(value) == single)
  }

  @Test(arguments: Rounding.allCases)
  func `16 bits of a factor`(rounding: Rounding) {
    let factor = FixedPointMultiplier(0.001, rounding: rounding)
    #expect((factor.significand, factor.exponent) == (1_099_511_628, -9))
    #expect(factor.scale(1_234_500 as Int64) == 1234)
  }

  @Test(arguments: KernelSet.all)
  func `a sum`(kernels: KernelSet) throws {
    let inputs = [
      Tensor([1], [3] as [Int8], scale: 0.5, zeroPoint: -1),
      Tensor([1], [7] as [Int8], scale: 0.25, zeroPoint: 2),
    ]
    #expect(try Self.codes(.add, inputs, scale: 0.4, zeroPoint: 5, kernels) == [13 as Int8])
  }

  @Test(arguments: KernelSet.all)
  func `a mean`(kernels: KernelSet) throws {
    let inputs = [
      Tensor([1, 3], [3, 4, 0] as [Int8], scale: 0.5), Tensor([1], [1] as [Int32]).constant,
    ]
    #expect(
      try Self.codes(.mean, options: ReducerOptions(), inputs, scale: 0.4, kernels) == [3 as Int8])
  }

  @Test(arguments: KernelSet.all)
  func `tables`(kernels: KernelSet) throws {
    let byte = Tensor([1], [20] as [Int8], scale: 0.05, zeroPoint: -7)
    #expect(
      try Self.codes(.logistic, [byte], scale: 1 / 256, zeroPoint: -128, kernels) == [75 as Int8])
    let short = Tensor([1], [8200] as [Int16], scale: 1 / 8192)
    #expect(try Self.codes(.exp, [short], scale: 1 / 512, kernels) == [1393 as Int16])
    let sigmoid = Tensor([1], [1000] as [Int16], scale: 1 / 4096)
    #expect(try Self.codes(.logistic, [sigmoid], scale: 1 / 32768, kernels) == [18374 as Int16])
  }

  @Test func `hybrid inputs`() {
    func quantize(_ form: HybridQuantization, _ values: [Float]) -> (codes: [Int8], Affine) {
      var codes = [Int8](repeating: 0, count: values.count)
      var span = codes.mutableSpan
      let affine = form.quantize(values.span, into: &span)
      return (codes, affine)
    }
    let (codes, scale) = quantize(.symmetric, [0.5, -1.27, 0.3])
    #expect(codes == [50, -127, 30])
    #expect(abs(scale.scale - 0.01) < 1e-8)
    let (_, affine) = quantize(.asymmetric, [-0.4, 1.1, 0.2])
    #expect(abs(affine.scale - 1.5 / 255) < 1e-8)
    #expect(affine.zeroPoint == -60)
  }

  @Test(arguments: KernelSet.all)
  func `a softmax`(kernels: KernelSet) throws {
    var options = SoftmaxOptions()
    options.beta = 1
    let scores = Tensor([1, 3], [10, 0, -10] as [Int8], scale: 0.1)
    #expect(
      try Self.codes(
        .softmax, options: options, [scores], scale: 1 / 256, zeroPoint: -128, kernels)
        == [42, -65, -105] as [Int8])
  }
}
