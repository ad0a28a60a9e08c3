// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

@Suite struct ArithmeticTests {
  static func mul(_ activation: FusedActivation) -> MulOptions {
    var options = MulOptions()
    options.fusedActivation = activation
    return options
  }

  /// Two operands of equal length, and what they make.
  struct Row<Element: TensorElement>: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: OperatorCode
    var options: (any OptionsTable)?
    let left: [Element]
    let right: [Element]
    let expected: [Element]

    func check(_ kernels: KernelSet) throws {
      let result = try evaluate(
        code, options: options, [Tensor([left.count], left), Tensor([right.count], right)],
        outputs: [TensorType(Element.elementType, [])], kernels: kernels)
      #expect(result[0].values() == expected)
    }
  }

  static let floats: [Row<Float>] = [
    Row(
      testDescription: "MUL with RELU6", code: .mul, options: mul(.relu6), left: [1, -2, 4],
      right: [3, 5, 4], expected: [3, 0, 6]),
    Row(
      testDescription: "DIV by zero ends at the largest number", code: .div, left: [1, -1],
      right: [0, 0], expected: [.greatestFiniteMagnitude, -.greatestFiniteMagnitude]),
    Row(
      testDescription: "MAXIMUM takes the second of what cannot be ordered", code: .maximum,
      left: [.nan, 3, 1], right: [2, 2, 5], expected: [2, 3, 5]),
    Row(
      testDescription: "MINIMUM takes the second of what cannot be ordered", code: .minimum,
      left: [.nan, 3, 1], right: [2, 2, 5], expected: [2, 2, 1]),
    Row(
      testDescription: "SQUARED_DIFFERENCE", code: .squaredDifference, left: [1, 5],
      right: [4, 3], expected: [9, 4]),
    Row(
      testDescription: "FLOOR_DIV rounds down", code: .floorDiv, left: [7, -7, 7],
      right: [2, 2, -2], expected: [3, -4, -4]),
    Row(
      testDescription: "FLOOR_MOD has the sign of the divisor", code: .floorMod,
      left: [7, -7, 7, -7], right: [3, 3, -3, -3], expected: [1, 2, -2, -1]),
    Row(
      testDescription: "POW", code: .pow, left: [2, 9, 2], right: [10, 0.5, -1],
      expected: [1024, 3, 0.5]),
  ]

  static let integers: [Row<Int32>] = [
    Row(
      testDescription: "MUL wraps", code: .mul, left: [.max, 3], right: [2, -4],
      expected: [-2, -12]),
    Row(
      testDescription: "DIV truncates, and the least integer wraps", code: .div,
      left: [7, -7, .min], right: [2, 2, -1], expected: [3, -3, .min]),
    Row(
      testDescription: "MAXIMUM", code: .maximum, left: [1, .min], right: [-1, 5],
      expected: [1, 5]),
    Row(
      testDescription: "SQUARED_DIFFERENCE wraps", code: .squaredDifference, left: [.max, 1],
      right: [.min, 4], expected: [1, 9]),
    Row(
      testDescription: "FLOOR_DIV rounds down", code: .floorDiv, left: [7, -7, .min],
      right: [2, 2, -1], expected: [3, -4, .min]),
    Row(
      testDescription: "FLOOR_MOD", code: .floorMod, left: [7, -7, 7, .min],
      right: [3, 3, -3, -1], expected: [1, 2, -2, 0]),
    Row(
      testDescription: "POW ends at the least integer", code: .pow, left: [-2, 3, 10],
      right: [3, 0, 10], expected: [-8, 1, .min]),
  ]

  @Test(arguments: KernelSet.all, floats)
  func `operators of floats`(kernels: KernelSet, row: Row<Float>) throws { try row.check(kernels) }

  @Test(arguments: KernelSet.all, integers)
  func `operators of integers`(kernels: KernelSet, row: Row<Int32>) throws {
    try row.check(kernels)
  }

  /// (1 + 2i)(3 − 4i) = 11 + 2i; ∞ (1 + 2i) goes to both infinities although ∞ · 0 is NaN.
  @Test(arguments: KernelSet.all)
  func `complex numbers multiply`(kernels: KernelSet) throws {
    let product = try evaluate(
      .mul,
      [
        Tensor([2], [Complex<Float>(1, 2), Complex(.infinity, .nan)]),
        Tensor([2], [Complex<Float>(3, -4), Complex(1, 2)]),
      ],
      outputs: [TensorType(.complex64, [])], kernels: kernels)
    #expect(
      product[0].values() == [Complex<Float>(11, 2), Complex(.infinity, .infinity)])
  }

  /// 10¹⁰ is 1,410,065,408 modulo 2³².
  @Test(arguments: KernelSet.all)
  func `one integer exponent for all multiplies, which wraps`(kernels: KernelSet) throws {
    let powers = try evaluate(
      .pow, [Tensor([3], [10, -3, 2] as [Int32]), Tensor([], [10] as [Int32])],
      outputs: [TensorType(.int32, [])], kernels: kernels)
    #expect(powers[0].values() == [1_410_065_408, 59049, 1024] as [Int32])
  }

  /// A node of quantized operands.
  struct QuantizedRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: OperatorCode
    let scales: (left: Affine, right: Affine, output: Affine)
    let left: [Int8]
    let right: [Int8]
    let expected: [Int8]
  }

  static let codes = [
    QuantizedRow(  // real (1.5 · -1, 2 · 2) / 0.25 - 3
      testDescription: "MUL", code: .mul,
      scales: (
        Affine(scale: 0.5, zeroPoint: 1), Affine(scale: 1, zeroPoint: -2),
        Affine(scale: 0.25, zeroPoint: -3)
      ),
      left: [4, 5], right: [-3, 0], expected: [-9, 13]),
    QuantizedRow(  // real 6 / 2, -6 / 2, 5 / -4, 100 / 0.5
      testDescription: "DIV rounds half away from zero and saturates", code: .div,
      scales: (
        Affine(scale: 1, zeroPoint: 0), Affine(scale: 0.5, zeroPoint: 0),
        Affine(scale: 0.25, zeroPoint: 0)
      ),
      left: [6, -6, 5, 100], right: [4, 4, -8, 1], expected: [12, -12, -5, 127]),
    QuantizedRow(  // real (2 - 1)², (4 + 1)², saturated
      testDescription: "SQUARED_DIFFERENCE", code: .squaredDifference,
      scales: (
        Affine(scale: 0.5, zeroPoint: 1), Affine(scale: 0.25, zeroPoint: -2),
        Affine(scale: 1, zeroPoint: -3)
      ),
      left: [5, 9, 100], right: [2, -6, -100], expected: [-2, 22, 127]),
  ]

  @Test(arguments: KernelSet.all, codes)
  func `operators of int8 codes`(kernels: KernelSet, row: QuantizedRow) throws {
    func tensor(_ codes: [Int8], _ affine: Affine) -> Tensor {
      Tensor(
        [codes.count], codes, scale: affine.scale, zeroPoint: Int64(affine.zeroPoint))
    }
    let (left, right, output) = row.scales
    let quantization = Quantization(scale: output.scale, zeroPoint: Int64(output.zeroPoint))
    let result = try evaluate(
      row.code, [tensor(row.left, left), tensor(row.right, right)],
      outputs: [TensorType(.int8, [], quantization: quantization)], kernels: kernels)
    #expect(result[0].values() == row.expected)
  }

  /// Fractions of 2¹⁵: ½ · ½ = ¼ is 32 / 128; −1 · −1 saturates.
  @Test(arguments: KernelSet.all)
  func `int16 operands make an 8-bit product of fractions`(kernels: KernelSet) throws {
    let result = try evaluate(
      .mul,
      [
        Tensor([3], [16384, -32768, 200] as [Int16], scale: 1),
        Tensor([3], [16384, -32768, 200] as [Int16], scale: 1),
      ],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 1, zeroPoint: 5))],
      kernels: kernels)
    #expect(result[0].values() == [37, 127, 5] as [Int8])
  }

  @Test func `remainders are those of the standard library`() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<200_000 {
      let x = Float(bitPattern: .random(in: 0...UInt32.max, using: &random))
      // Half of the divisors are not far from the dividend.
      let scale = Float(Int.random(in: -40...40, using: &random))
      let y: Float =
        Bool.random(using: &random)
        ? Float(bitPattern: .random(in: 0...UInt32.max, using: &random)) : x / scale
      let expected = x.truncatingRemainder(dividingBy: y)
      let result = FloatMath.remainder(x, y)
      #expect(
        result.bitPattern == expected.bitPattern || result.isNaN && expected.isNaN, "\(x), \(y)")
    }
  }

  @Test(arguments: [OperatorCode.div, .floorDiv, .floorMod])
  func `integers cannot be divided by zero`(code: OperatorCode) throws {
    #expect(throws: KernelError.self) {
      try evaluate(
        code, [Tensor([2], [1, 2] as [Int32]), Tensor([2], [1, 0] as [Int32])],
        outputs: [TensorType(.int32, [])])
    }
  }

  @Test func `codes cannot be divided by the code of zero`() throws {
    #expect(throws: KernelError.self) {
      try evaluate(
        .div,
        [
          Tensor([1], [1] as [Int8], scale: 1),
          Tensor([1], [3] as [Int8], scale: 1, zeroPoint: 3),
        ],
        outputs: [TensorType(.int8, [], quantization: Quantization(scale: 1))])
    }
  }

  @Test func `negative integer exponents are refused`() throws {
    #expect(throws: KernelError.self) {
      try evaluate(
        .pow, [Tensor([1], [2] as [Int32]), Tensor([1], [-1] as [Int32])],
        outputs: [TensorType(.int32, [])])
    }
  }
}
