// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct FunctionTests {
  /// A function of floats.
  struct FloatRow: CustomTestStringConvertible, Sendable {
    var testDescription: String { "\(code)" }
    let code: OperatorCode
    let input: [Float]
    let expected: [Float]
  }

  static let exact = [
    FloatRow(code: .abs, input: [-1.5, 0, 2], expected: [1.5, 0, 2]),
    FloatRow(code: .neg, input: [-1.5, 2], expected: [1.5, -2]),
    FloatRow(code: .sign, input: [-3, 0, 0.1], expected: [-1, 0, 1]),
    FloatRow(code: .square, input: [-3, 0.5], expected: [9, 0.25]),
    FloatRow(code: .sqrt, input: [9, 0.25], expected: [3, 0.5]),
    FloatRow(code: .rsqrt, input: [4, 0.25], expected: [0.5, 2]),
    FloatRow(code: .floor, input: [-1.5, 1.5, 2], expected: [-2, 1, 2]),
    FloatRow(code: .ceil, input: [-1.5, 1.5, 2], expected: [-1, 2, 2]),
    FloatRow(code: .round, input: [-2.5, -0.5, 0.5, 1.5, 2.4], expected: [-2, 0, 0, 2, 2]),
    FloatRow(code: .exp, input: [0, -.infinity], expected: [1, 0]),
    FloatRow(code: .log, input: [1, 0], expected: [0, -.infinity]),
    FloatRow(code: .sin, input: [0], expected: [0]),
    FloatRow(code: .cos, input: [0], expected: [1]),
  ]

  /// Values rounded to seven digits by an arbitrary-precision calculator.
  static let rounded = [
    FloatRow(code: .exp, input: [1, -2], expected: [2.718282, 0.1353353]),
    FloatRow(code: .log, input: [10, 0.5], expected: [2.302585, -0.6931472]),
    FloatRow(code: .sin, input: [1, -2], expected: [0.8414710, -0.9092974]),
    FloatRow(code: .cos, input: [1, -2], expected: [0.5403023, -0.4161468]),
  ]

  @Test(arguments: KernelSet.all, exact)
  func `exact results`(kernels: KernelSet, row: FloatRow) throws {
    let result = try evaluate(
      row.code, [Tensor([row.input.count], row.input)], outputs: [TensorType(.float32, [])],
      kernels: kernels)
    #expect(result[0].values() == row.expected)
  }

  @Test(arguments: KernelSet.all, rounded)
  func `rounded results`(kernels: KernelSet, row: FloatRow) throws {
    let result = try evaluate(
      row.code, [Tensor([row.input.count], row.input)], outputs: [TensorType(.float32, [])],
      kernels: kernels)
    for (value, expected) in zip(result[0].values(as: Float.self), row.expected) {
      #expect(abs(value - expected) <= 1e-6 * abs(expected))
    }
  }

  @Test(arguments: KernelSet.all)
  func `half precision rounds once`(kernels: KernelSet) throws {
    let sines = try evaluate(
      .sin, [Tensor([1], [Float16(1)])], outputs: [TensorType(.float16, [])], kernels: kernels)
    #expect(sines[0].values() == [Float16(0.8413)])
    let floors = try evaluate(
      .floor, [Tensor([1], [BFloat16(-1.5)])], outputs: [TensorType(.bfloat16, [])],
      kernels: kernels)
    #expect(floors[0].values() == [BFloat16(-2)])
  }

  @Test(arguments: KernelSet.all)
  func `plain integers wrap`(kernels: KernelSet) throws {
    let magnitudes = try evaluate(
      .abs, [Tensor([2], [Int32.min, -7])], outputs: [TensorType(.int32, [])], kernels: kernels)
    #expect(magnitudes[0].values() == [Int32.min, 7])
    let opposites = try evaluate(
      .neg, [Tensor([2], [Int64.min, 7])], outputs: [TensorType(.int64, [])], kernels: kernels)
    #expect(opposites[0].values() == [Int64.min, -7])
  }

  /// A function of int8 quantized values.
  struct QuantizedRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: OperatorCode
    let input: Affine
    let output: Affine
    let codes: [Int8]
    let expected: [Int8]
  }

  static let codes = [
    QuantizedRow(
      testDescription: "ABS between scales", code: .abs, input: Affine(scale: 0.5, zeroPoint: 2),
      output: Affine(scale: 0.25, zeroPoint: -1), codes: [0, 2, 5], expected: [3, -1, 5]),
    QuantizedRow(
      testDescription: "NEG takes codes as they are", code: .neg,
      input: Affine(scale: 0.5, zeroPoint: 2), output: Affine(scale: 0.5, zeroPoint: 2),
      codes: [-128, 3], expected: [-128, -3]),
    QuantizedRow(
      testDescription: "SQRT truncates", code: .sqrt, input: Affine(scale: 1, zeroPoint: 0),
      output: Affine(scale: 0.5, zeroPoint: -10), codes: [0, 1, 3, 4, 8, 100],
      expected: [-10, -8, -7, -6, -5, 10]),
    QuantizedRow(  // 1, 1/2, 1/4, 1/10, 1/√200 in eighths
      testDescription: "RSQRT of zero is the largest code", code: .rsqrt,
      input: Affine(scale: 1, zeroPoint: -100), output: Affine(scale: 0.125, zeroPoint: 0),
      codes: [-100, -99, -96, -84, 0, 100], expected: [127, 8, 4, 2, 1, 1]),
    QuantizedRow(  // ln 2 = 0.693, ln 20 = 3.00, in twentieths
      testDescription: "LOG of what is not positive is the lowest code", code: .log,
      input: Affine(scale: 1, zeroPoint: 0), output: Affine(scale: 0.05, zeroPoint: 0),
      codes: [-5, 0, 1, 2, 20], expected: [-128, -128, 0, 14, 60]),
    QuantizedRow(  // e^-2.5 = 0.08, e^0.5 = 1.65, e^1.5 = 4.48, e^5 = 148
      testDescription: "EXP saturates", code: .exp, input: Affine(scale: 0.5, zeroPoint: 0),
      output: Affine(scale: 1, zeroPoint: 0), codes: [-5, 0, 1, 3, 10],
      expected: [0, 1, 2, 4, 127]),
  ]

  @Test(arguments: KernelSet.all, codes)
  func `operators of int8 codes`(kernels: KernelSet, row: QuantizedRow) throws {
    let output = Quantization(
      scale: row.output.scale, zeroPoint: Int64(row.output.zeroPoint))
    let input = Tensor(
      [row.codes.count], row.codes, scale: row.input.scale,
      zeroPoint: Int64(row.input.zeroPoint))
    let result = try evaluate(
      row.code, [input], outputs: [TensorType(.int8, [], quantization: output)],
      kernels: kernels)
    #expect(result[0].values() == row.expected)
  }

  /// e^(q / 10000) in thousandths; the straight pieces are 0.0128 wide.
  @Test(arguments: KernelSet.all)
  func `int16 codes interpolate a table`(kernels: KernelSet) throws {
    let result = try evaluate(
      .exp, [Tensor([4], [-32768, 0, 100, 32767] as [Int16], scale: 0.0001)],
      outputs: [TensorType(.int16, [], quantization: Quantization(scale: 0.001))],
      kernels: kernels)
    #expect(result[0].values() == [38, 1000, 1010, 26486] as [Int16])
  }

  @Test(arguments: [OperatorCode.sqrt, .rsqrt])
  func `codes of negative numbers have no root`(code: OperatorCode) throws {
    #expect(throws: KernelError.self) {
      try evaluate(
        code, [Tensor([2], [5, -1] as [Int8], scale: 1)],
        outputs: [TensorType(.int8, [], quantization: Quantization(scale: 1))])
    }
  }

  @Test func `the output has the input's type`() throws {
    #expect(throws: KernelError.self) {
      try evaluate(.abs, [Tensor([1], [1] as [Float])], outputs: [TensorType(.int32, [])])
    }
  }
}
