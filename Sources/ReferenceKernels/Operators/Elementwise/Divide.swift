// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let div = CatalogEntry(
    .div, chapter: .elementwise, formula: "y = clamp(a / b)", versions: .upTo(2),
    variants: "f32 i32 u8_q i8_q i16_q", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    Division(activation: try node.options(DivOptions.self).fusedActivation)
  }
}

/// `DIV`: the quotient of two tensors, broadcast to each other.
///
/// Integers truncate towards zero. A float divisor may be 0, and the infinite quotient is clamped
/// to the largest finite number; an integer one, or a quantized value that stands for 0, is an
/// error. TFLite: `div.cc`, `reference/div.h`.
struct Division: Operator {
  let activation: FusedActivation

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    switch binary.left.elementType {
    case .float32:
      return binary.prepared(FloatDivision(range: ActivationRange(activation)))
    case .int32:
      return binary.prepared(IntegerDivision(range: ActivationRange(integer: activation)))
    case .uint8: return binary.prepared(try quantized(binary, node, as: UInt8.self))
    case .int8: return binary.prepared(try quantized(binary, node, as: Int8.self))
    case .int16: return binary.prepared(try quantized(binary, node, as: Int16.self))
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func quantized<Element: TensorElement & FixedWidthInteger>(
    _ binary: BinaryNode, _ node: PrepareContext, as type: Element.Type
  ) throws(KernelError) -> QuantizedDivision<Element> {
    let (left, right, output) = try binary.affine()
    return try QuantizedDivision(
      left, right, output, activation: activation, rounding: node.rounding)
  }
}

/// `clamp(a / b)` in floats.
package struct FloatDivision: BinaryArithmetic {
  package let range: ActivationRange<Float>

  @inline(__always)
  package func apply(_ left: Float, _ right: Float, _ steps: inout some Steps) -> Float {
    steps.activate(steps.quotient(left, right), range)
  }
}

/// `clamp(a / b)`, truncated; the one quotient that overflows wraps.
package struct IntegerDivision: BinaryArithmetic {
  package let range: ActivationRange<Int32>

  package func check(_ right: Span<Int32>) throws(KernelError) {
    for index in right.indices where right[index] == 0 {
      throw .invalid("division by zero at element \(index)", .input(1))
    }
  }

  @inline(__always)
  package func apply(_ left: Int32, _ right: Int32, _ steps: inout some Steps) -> Int32 {
    let quotient = steps.note(
      "quotient", "\(left) / \(right.operand), towards zero",
      left.dividedReportingOverflow(by: right).partialValue)
    return steps.activate(quotient, range)
  }
}

/// The quotient of quantized operands by a fixed-point reciprocal.
///
///     y = clamp(z_y + m (a − z_a) · 1 / (b − z_b)),   m = s_a / (s_b s_y)
///
/// The dividend is shifted to the top of 32 bits, multiplied by the reciprocal and shifted back,
/// together with `m`, in one step. Where that shift exceeds 31 bits, as it does for quotients
/// below about 2⁻³¹ output steps per unit, TFLite's shift count wraps and the result saturates.
package struct QuantizedDivision<Element: TensorElement & FixedWidthInteger>: BinaryArithmetic {
  package let leftZeroPoint: Int32
  package let rightZeroPoint: Int32
  package let outputZeroPoint: Int32
  package let multiplier: FixedPointMultiplier
  package let range: ActivationRange<Int32>

  init(
    _ left: Affine, _ right: Affine, _ output: Affine, activation: FusedActivation,
    rounding: Rounding
  ) throws(KernelError) {
    leftZeroPoint = left.zeroPoint
    rightZeroPoint = right.zeroPoint
    outputZeroPoint = output.zeroPoint
    multiplier = FixedPointMultiplier(
      Double(left.scale / (right.scale * output.scale)), rounding: rounding)
    range = try ActivationRange(activation, output: output, as: Element.self)
  }

  package func check(_ right: Span<Element>) throws(KernelError) {
    for index in right.indices where Int32(right[index]) == rightZeroPoint {
      throw .invalid("division by zero at element \(index)", .input(1))
    }
  }

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    var dividend = steps.difference(Int32(left), leftZeroPoint, "dividend")
    var divisor = steps.difference(Int32(right), rightZeroPoint, "divisor")
    if divisor < 0 {
      dividend = steps.negation(dividend, "dividend")
      divisor = steps.negation(divisor, "divisor")
    }
    let reciprocal = FixedPoint.reciprocal(divisor)
    steps.note(
      "reciprocal", "1 / \(divisor) × 2^(31 + \(reciprocal.bits)), by three Newton steps",
      reciprocal.significand)
    let headroom = FixedPoint.leadingSignBitCount(dividend)
    let quotient = steps.scale(
      dividend,
      by: FixedPointMultiplier(
        significand: reciprocal.significand, exponent: headroom, rounding: multiplier.rounding),
      "reciprocal × 2^\(headroom)")
    let factor = FixedPointMultiplier(
      significand: multiplier.significand,
      exponent: multiplier.exponent &- reciprocal.bits &- headroom, rounding: multiplier.rounding)
    let scaled = steps.scaleDown(
      quotient, by: factor, "multiplier × 2^-\(reciprocal.bits + headroom)")
    let quantized = steps.clamp(steps.addZeroPoint(scaled, outputZeroPoint), range)
    return steps.store(quantized, Element(truncatingIfNeeded: quantized))
  }
}
