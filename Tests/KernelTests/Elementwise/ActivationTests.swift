// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct ActivationTests {
  /// An activation of floats.
  struct FloatRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: OperatorCode
    var options: (any OptionsTable)?
    let input: [Float]
    let expected: [Float]
  }

  static let floats = [
    FloatRow(
      testDescription: "RELU keeps infinity and cuts negative numbers", code: .relu,
      input: [-2, 0, 3, .infinity], expected: [0, 0, 3, .infinity]),
    FloatRow(
      testDescription: "RELU6 ends at 6", code: .relu6, input: [-1, 5, 7], expected: [0, 5, 6]),
    FloatRow(
      testDescription: "RELU_N1_TO_1 begins at -1", code: .reluN1To1, input: [-3, -0.5, 2],
      expected: [-1, -0.5, 1]),
    FloatRow(
      testDescription: "RELU_0_TO_1 ends at 1", code: .relu0To1, input: [-3, 0.5, 2],
      expected: [0, 0.5, 1]),
    FloatRow(
      testDescription: "LEAKY_RELU with a negative slope", code: .leakyRelu,
      options: leaky(-0.5), input: [-4, 0, 4], expected: [2, 0, 4]),
    FloatRow(
      testDescription: "HARD_SWISH is 0 up to -3 and x from 3 on", code: .hardSwish,
      input: [-4, -3, 0, 3, 5], expected: [0, 0, 0, 3, 5]),
    FloatRow(
      testDescription: "HARD_SWISH between", code: .hardSwish, input: [1.5, -1.5],
      expected: [1.125, -0.375]),
    FloatRow(
      testDescription: "LOGISTIC is exactly 1 from 16.62 on", code: .logistic,
      input: [0, 16.7, 100], expected: [0.5, 1, 1]),
  ]

  /// Values rounded to seven digits by an arbitrary-precision calculator.
  static let rounded = [
    FloatRow(
      testDescription: "LOGISTIC", code: .logistic, input: [1, -1, -10],
      expected: [0.7310586, 0.2689414, 0.0000453999]),
    FloatRow(
      testDescription: "TANH", code: .tanh, input: [1, -0.5], expected: [0.7615942, -0.4621172]),
    FloatRow(
      testDescription: "ELU", code: .elu, input: [-1, 2], expected: [-0.6321206, 2]),
    FloatRow(
      testDescription: "GELU", code: .gelu, input: [1, -1], expected: [0.8413447, -0.1586553]),
    FloatRow(
      testDescription: "GELU approximated", code: .gelu, options: approximateGelu,
      input: [1, -1], expected: [0.8411920, -0.1588080]),
  ]

  static func leaky(_ alpha: Float) -> LeakyReluOptions {
    var options = LeakyReluOptions()
    options.alpha = alpha
    return options
  }

  static let approximateGelu: GeluOptions = {
    var options = GeluOptions()
    options.approximate = true
    return options
  }()

  @Test(arguments: KernelSet.all, floats)
  func `operators of floats`(kernels: KernelSet, row: FloatRow) throws {
    let result = try evaluate(
      row.code, options: row.options, [Tensor([row.input.count], row.input)],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].values() == row.expected)
  }

  @Test(arguments: KernelSet.all, rounded)
  func `floats by way of elementary functions`(kernels: KernelSet, row: FloatRow) throws {
    let result = try evaluate(
      row.code, options: row.options, [Tensor([row.input.count], row.input)],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    for (value, expected) in zip(result[0].values(as: Float.self), row.expected) {
      #expect(abs(value - expected) <= 1e-6 * abs(expected))
    }
  }

  @Test(arguments: KernelSet.all, [OperatorCode.relu, .relu6, .reluN1To1, .relu0To1])
  func `rectifiers leave NaN as it is`(kernels: KernelSet, code: OperatorCode) throws {
    let result = try evaluate(
      code, [Tensor([1], [Float.nan])], outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].values(as: Float.self)[0].isNaN)
  }

  /// An activation of int8 quantized values.
  struct QuantizedRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: OperatorCode
    var options: (any OptionsTable)?
    let input: Affine
    let output: Affine
    let codes: [Int8]
    let expected: [Int8]
  }

  static let codes = [
    QuantizedRow(  // real -1.5, 2, 10 become 0, 2, 6
      testDescription: "RELU6 requantizes and ends at the code of 6", code: .relu6,
      input: Affine(scale: 0.5, zeroPoint: 0), output: Affine(scale: 0.25, zeroPoint: -10),
      codes: [-3, 4, 20], expected: [-10, -2, 14]),
    QuantizedRow(  // real -4, 0, 4 become -2, 0, 4
      testDescription: "LEAKY_RELU has a factor for each sign", code: .leakyRelu,
      options: leaky(0.5), input: Affine(scale: 1, zeroPoint: 10),
      output: Affine(scale: 0.5, zeroPoint: 20), codes: [6, 10, 14], expected: [16, 20, 28]),
    QuantizedRow(  // -1/2 and -3/2 steps are rounded up to 0 and -1
      testDescription: "LEAKY_RELU rounds before it changes the sign", code: .leakyRelu,
      options: leaky(-0.25), input: Affine(scale: 1, zeroPoint: 0),
      output: Affine(scale: 0.5, zeroPoint: 0), codes: [-1, -3], expected: [0, 1]),
    QuantizedRow(
      testDescription: "LOGISTIC", code: .logistic, input: Affine(scale: 0.25, zeroPoint: 0),
      output: Affine(scale: 1 / 256, zeroPoint: -128), codes: [-128, 0, 4, 127],
      expected: [-128, 0, 59, 127]),
    QuantizedRow(
      testDescription: "TANH", code: .tanh, input: Affine(scale: 0.25, zeroPoint: 0),
      output: Affine(scale: 1 / 128, zeroPoint: 0), codes: [-128, -4, 0, 4, 127],
      expected: [-128, -97, 0, 97, 127]),
    QuantizedRow(  // real -1, 2; -0.632 / 0.25 = -2.53
      testDescription: "ELU", code: .elu, input: Affine(scale: 0.5, zeroPoint: 0),
      output: Affine(scale: 0.25, zeroPoint: 1), codes: [-2, 4], expected: [-2, 9]),
    QuantizedRow(  // recorded from LiteRT; 5 is 0.6667 / 0.125
      testDescription: "HARD_SWISH", code: .hardSwish, input: Affine(scale: 0.125, zeroPoint: 0),
      output: Affine(scale: 0.125, zeroPoint: 0), codes: [-32, -8, 0, 8, 24, 40],
      expected: [0, -3, 0, 5, 24, 40]),
  ]

  @Test(arguments: KernelSet.all, codes)
  func `operators of int8 codes`(kernels: KernelSet, row: QuantizedRow) throws {
    let output = Quantization(
      scale: row.output.scale, zeroPoint: Int64(row.output.zeroPoint))
    let input = Tensor(
      [row.codes.count], row.codes, scale: row.input.scale,
      zeroPoint: Int64(row.input.zeroPoint))
    let result = try evaluate(
      row.code, options: row.options, [input],
      outputs: [TensorType(.int8, [], quantization: output)], kernels: kernels)
    #expect(result[0].values() == row.expected)
  }

  /// Recorded from LiteRT; 24956 is tanh(1) · 2¹⁵ rounded up.
  @Test(arguments: KernelSet.all, [Float(0x1p-12), 0.00025])
  func `int16 TANH interpolates its table`(kernels: KernelSet, scale: Float) throws {
    let one = Int16((1 / scale).rounded())
    let result = try evaluate(
      .tanh, [Tensor([4], [-one, 0, one, 32767], scale: scale)],
      outputs: [TensorType(.int16, [], quantization: Quantization(scale: 0x1p-15))],
      kernels: kernels)
    #expect(result[0].values() == [-24956, 0, 24956, 32767] as [Int16])
  }

  @Test(arguments: KernelSet.all)
  func `int16 LOGISTIC interpolates its table`(kernels: KernelSet) throws {
    let result = try evaluate(
      .logistic, [Tensor([5], [-32768, -4096, 0, 4096, 32767] as [Int16], scale: 0x1p-12)],
      outputs: [TensorType(.int16, [], quantization: Quantization(scale: 0x1p-15))],
      kernels: kernels)
    #expect(result[0].values() == [11, 8812, 16384, 23956, 32757] as [Int16])
  }

  @Test(arguments: KernelSet.all)
  func `PRELU has a slope per channel`(kernels: KernelSet) throws {
    let result = try evaluate(
      .prelu,
      [
        Tensor([2, 2], [-3, -3, 5, -1] as [Float]), Tensor([2], [0.5, 2] as [Float]).constant,
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].values() == [-1.5, -6, 5, -2] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `PRELU of codes`(kernels: KernelSet) throws {
    let result = try evaluate(
      .prelu,
      [
        Tensor([2, 2], [-3, -3, 5, -1] as [Int8], scale: 1),
        Tensor([2], [3, 6] as [Int8], scale: 0.5, zeroPoint: 2).constant,
      ],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: 1))],
      kernels: kernels)
    #expect(result[0].values() == [-2, -11, 11, -3] as [Int8])
  }

  @Test func `slopes may not widen the input`() throws {
    #expect(throws: KernelError.self) {
      try evaluate(
        .prelu, [Tensor([1], [1] as [Float]), Tensor([2], [1, 2] as [Float])],
        outputs: [TensorType(.float32, [])])
    }
  }

  @Test func `LOGISTIC wants its output scale`() throws {
    let wrong = TensorType(.int8, [], quantization: Quantization(scale: 1 / 128))
    #expect(throws: KernelError.self) {
      try evaluate(.logistic, [Tensor([1], [1] as [Int8], scale: 1)], outputs: [wrong])
    }
  }

  @Test(arguments: [Float(0), -1, .nan, .infinity, .leastNonzeroMagnitude])
  func `damaged scales are refused or computed, never trapped`(scale: Float) {
    let type = TensorType(.int8, [], quantization: Quantization(scale: scale, zeroPoint: 1 << 31))
    for code: OperatorCode in [
      .relu, .relu6, .leakyRelu, .tanh, .elu, .gelu, .hardSwish, .exp, .log, .sqrt, .rsqrt, .abs,
    ] {
      for other: Float in [1, scale] {
        let input = Tensor([2], [-128, 127] as [Int8], scale: other, zeroPoint: -7)
        _ = try? evaluate(code, [input], outputs: [type])
        let plain = TensorType(.int8, [], quantization: Quantization(scale: 1))
        _ = try? evaluate(
          code, [Tensor([2], [-128, 127] as [Int8], scale: scale, zeroPoint: 1 << 30)],
          outputs: [plain])
      }
    }
  }
}
