// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let sqrt = CatalogEntry(
    .sqrt, chapter: .elementwise, formula: "y = √x", versions: .upTo(2),
    variants: "f32 i8_q i16_q", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { _ in Sqrt() }

  static let rsqrt = CatalogEntry(
    .rsqrt, chapter: .elementwise, formula: "y = 1 / √x", versions: .upTo(3),
    variants: "f32 i8_q i16_q", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { _ in
    Rsqrt()
  }

  static let square = CatalogEntry(
    .square, chapter: .elementwise, formula: "y = x²", versions: .upTo(1),
    variants: "f32", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { _ in
    RealFunctionOperator(Square(), types: [.float32])
  }
}

/// `SQRT`: the square root of each element.
///
/// Quantized results are truncated, not rounded; a negative operand is an error there, and NaN
/// among floats. TFLite: `elementwise.cc`.
struct Sqrt: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    switch unary.input.elementType {
    case .float32:
      return unary.prepared(RealArithmetic<SquareRoot, Float>(function: SquareRoot()))
    case .int8:
      let (input, output) = try unary.affine()
      return unary.prepared(QuantizedSquareRoot<Int8>(input: input, output: output))
    case .int16:
      let (input, output) = try unary.symmetric()
      return unary.prepared(QuantizedSquareRoot<Int16>(input: input, output: output))
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// `RSQRT`: the reciprocal of the square root of each element.
///
/// int16 interpolates a table, where operands up to 0 give the largest result; int8 has integer
/// arithmetic of its own, see `QuantizedReciprocalSquareRoot`. Quantized values of negative numbers
/// are an error. TFLite: `elementwise.cc`.
struct Rsqrt: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    switch unary.input.elementType {
    case .float32:
      return unary.prepared(
        RealArithmetic<ReciprocalSquareRoot, Float>(function: ReciprocalSquareRoot()))
    case .int8:
      let (input, output) = try unary.affine()
      return unary.prepared(QuantizedReciprocalSquareRoot(input, output, rounding: node.rounding))
    case .int16:
      let (input, output) = try unary.symmetric()
      let function = ReciprocalSquareRoot(highest: 32767 * output.scale)
      return unary.prepared(
        NonNegativeTable(table: InterpolatedTable(function.ofTable, input: input, output: output)))
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// `SQUARE`: the square of each element.
///
/// TFLite: `elementwise.cc`.
package struct Square: RealFunction {
  package static var name: LoopFamily.Function? { .square }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { x * x }
}

/// `√x`.
package struct SquareRoot: RealFunction {
  package static var name: LoopFamily.Function? { .squareRoot }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { x.squareRoot() }
}

/// `1 / √x`.
package struct ReciprocalSquareRoot: RealFunction {
  package static var name: LoopFamily.Function? { .reciprocalSquareRoot }

  /// What numbers that are not positive give in a table; nil for the quotient itself.
  package var highest: Float?

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float {
    if x <= 0, let highest { return highest }
    return 1 / x.squareRoot()
  }
}

/// Refuses quantized values below the one of zero.
private func expectNonNegative<Element: TensorElement & FixedWidthInteger>(
  _ quantizedValues: Span<Element>, zeroPoint: Int32
) throws(KernelError) {
  for index in quantizedValues.indices where Int32(quantizedValues[index]) < zeroPoint {
    throw .invalid("square root of a negative number at element \(index)", .input(0))
  }
}

/// The root of quantized values, by way of float32.
///
///     y = clamp(z_y + trunc(√(s_x (x − z_x)) / s_y))
package struct QuantizedSquareRoot<Element: TensorElement & FixedWidthInteger>: UnaryArithmetic {
  package let input: Affine
  package let output: Affine

  package func check(_ quantizedValues: Span<Element>) throws(KernelError) {
    try expectNonNegative(quantizedValues, zeroPoint: input.zeroPoint)
  }

  @inline(__always)
  package func apply(_ value: Element, _ steps: inout some Steps) -> Element {
    let distance = steps.difference(Int32(value), input.zeroPoint, "distance")
    let root = steps.squareRoot(steps.product(input.scale, Float(distance), "real value"))
    let quotient = steps.quotient(root, output.scale)
    let truncated = steps.note(
      "truncation", "\(quotient) without its fraction", Int32(truncatingOrLeast: quotient))
    return steps.store(truncated, zeroPoint: output.zeroPoint)
  }
}

/// A table of a function that is defined for numbers from 0 on.
package struct NonNegativeTable: UnaryArithmetic {
  package let table: InterpolatedTable

  package func check(_ quantizedValues: Span<Int16>) throws(KernelError) {
    try expectNonNegative(quantizedValues, zeroPoint: 0)
  }

  @inline(__always)
  package func apply(_ value: Int16, _ steps: inout some Steps) -> Int16 {
    table.apply(value, &steps)
  }
}

/// The reciprocal root of int8 quantized values in integers.
///
///     y = clamp(z_y + m · 1 / √(x − z_x)),   m = 1 / (√s_x s_y)
///
/// The reciprocal root has 20 fraction bits on the way. The quantized value of zero gives 127.
package struct QuantizedReciprocalSquareRoot: UnaryArithmetic {
  package let inputZeroPoint: Int32
  package let outputZeroPoint: Int32
  package let multiplier: FixedPointMultiplier

  init(_ input: Affine, _ output: Affine, rounding: Rounding) {
    inputZeroPoint = input.zeroPoint
    outputZeroPoint = output.zeroPoint
    let factor = 1 / Double(input.scale.squareRoot() * output.scale)
    let exact = FixedPointMultiplier(factor, rounding: rounding)
    multiplier = FixedPointMultiplier(
      significand: exact.significand, exponent: exact.exponent &- 20, rounding: rounding)
  }

  package func check(_ quantizedValues: Span<Int8>) throws(KernelError) {
    try expectNonNegative(quantizedValues, zeroPoint: inputZeroPoint)
  }

  @inline(__always)
  package func apply(_ value: Int8, _ steps: inout some Steps) -> Int8 {
    let distance = steps.difference(Int32(value), inputZeroPoint, "distance")
    guard distance != 0 else {
      return steps.note("stored", "the largest quantized value, for zero", Int8.max)
    }
    let root = FixedPoint.inverseSquareRoot(distance, rounding: multiplier.rounding)
    let factor = FixedPointMultiplier(
      significand: root.significand, exponent: root.exponent + 20, rounding: root.rounding)
    let fraction = steps.scale(1, by: factor, "2^20 / √\(distance) by Newton steps")
    return steps.store(steps.scale(fraction, by: multiplier), zeroPoint: outputZeroPoint)
  }
}
