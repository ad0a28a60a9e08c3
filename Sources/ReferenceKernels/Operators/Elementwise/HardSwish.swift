// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let hardSwish = CatalogEntry(
    .hardSwish, chapter: .elementwise, formula: "y = x · min(max(x + 3, 0), 6) / 6",
    versions: .upTo(1),
    variants: "f32 u8_q i8_q", optimized: "f32 i8_q u8_q",
    work: .eachOutput, reads: .everything
  ) { _ in HardSwish() }
}

/// `HARD_SWISH`: a piecewise approximation of x times the logistic function.
///
/// Quantized values are computed in 16-bit fixed point, see `QuantizedHardSwish`.
/// TFLite: `activations.cc`, `reference/hard_swish.h`.
struct HardSwish: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    switch unary.input.elementType {
    case .float32:
      return unary.prepared(RealArithmetic<HardSwishFunction, Float>(function: .init()))
    case .uint8:
      let (input, output) = try unary.affine()
      return unary.prepared(try QuantizedHardSwish<UInt8>(input, output))
    case .int8:
      let (input, output) = try unary.affine()
      return unary.prepared(try QuantizedHardSwish<Int8>(input, output))
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// The function of a float.
package struct HardSwishFunction: RealFunction {
  package static var name: LoopFamily.Function? { .hardSwish }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float {
    x * ActivationRange<Float>(0, 6).clamp(x + 3) / 6
  }
}

/// The function of quantized values, in 16-bit fixed point.
///
///     y = clamp(z_y + m (x − z_x) 2⁷ · r),   r = (sat(3⁻¹ s_x (x − z_x)) + 1) / 2
///
/// `m` is the ratio of the scales, and `r` in 0...1 the rectified part; −3...3 fills its 16 bits.
/// The last product truncates, which cancels the bias of the roundings before it.
package struct QuantizedHardSwish<Element: TensorElement & FixedWidthInteger>: UnaryArithmetic {
  package let inputZeroPoint: Int32
  package let outputZeroPoint: Int32
  package let outputMultiplier: Int16
  package let outputShift: Int32
  package let gateMultiplier: Int16
  package let gateExponent: Int32

  init(_ input: Affine, _ output: Affine) throws(KernelError) {
    inputZeroPoint = input.zeroPoint
    outputZeroPoint = output.zeroPoint
    let fineScale = (1 / 128) * input.scale
    let ratio = FixedPointMultiplier(Double(fineScale / output.scale), rounding: .double)
    guard ratio.exponent <= 0 else {
      throw .invalid("input scale is too large for the output's", .output(0))
    }
    outputMultiplier = FixedPoint.narrowed(ratio.significand)
    outputShift = -ratio.exponent
    let gate = FixedPointMultiplier(Double(fineScale / (3 / 32768)), rounding: .double)
    gateMultiplier = FixedPoint.narrowed(gate.significand)
    gateExponent = gate.exponent
  }

  @inline(__always)
  package func apply(_ value: Element, _ steps: inout some Steps) -> Element {
    let operand = steps.note(
      "operand", "(\(value) - \(inputZeroPoint.operand)) × 2^7, at 16 bits",
      Int16(truncatingIfNeeded: (Int32(value) &- inputZeroPoint) &* 128))
    let scaled = steps.highProduct(operand, outputMultiplier, "scaled operand")
    let position = gatePosition(operand, &steps)
    let gate = steps.note(
      "gate", "floor((\(position) + 32768) / 2)",
      Int16(truncatingIfNeeded: (Int32(position) + 32768) >> 1))
    // Truncated: |gate| < 2¹⁵, so no product overflows.
    let product = steps.note(
      "product", "\(gate) × \(scaled.operand) / 2^15, towards zero",
      Int16(truncatingIfNeeded: Int32(gate) * Int32(scaled) / (1 << 15)))
    let shifted = steps.note(
      "shift", "round(\(product) / 2^\(outputShift)), halves away from zero",
      FixedPoint.roundingShift(product, by: outputShift))
    let quantized = steps.addZeroPoint(Int32(shifted), outputZeroPoint)
    return steps.store(quantized, Element(clamping: Int16(truncatingIfNeeded: quantized)))
  }

  /// The operand in units of 3/32768, saturated at −3 and 3.
  @inline(__always)
  private func gatePosition(_ operand: Int16, _ steps: inout some Steps) -> Int16 {
    guard gateExponent > 0 else {
      let product = steps.highProduct(operand, gateMultiplier, "gate product")
      return steps.note(
        "gate position", "round(\(product) / 2^\(-gateExponent)), halves away from zero",
        FixedPoint.roundingShift(product, by: -gateExponent))
    }
    let shifted = steps.note(
      "gate shift", "\(operand) × 2^\(gateExponent - 1), saturated",
      FixedPoint.saturatingShift(operand, by: gateExponent - 1))
    let product = steps.highProduct(shifted, gateMultiplier, "gate product")
    return steps.note(
      "gate position", "\(product) × 2, saturated", FixedPoint.saturatingShift(product, by: 1))
  }
}
