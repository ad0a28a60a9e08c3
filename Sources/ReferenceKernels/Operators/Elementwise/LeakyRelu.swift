// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let leakyRelu = CatalogEntry(
    .leakyRelu, chapter: .elementwise, formula: "y = x if x > 0, else α x", versions: .upTo(2),
    variants: "u8_q i8_q i16_q f32", optimized: "f32 i8_q u8_q i16_q",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    LeakyRelu(alpha: try node.options(LeakyReluOptions.self).alpha)
  }
}

/// `LEAKY_RELU`: negative elements scaled by a constant.
///
/// α may be negative or above 1. TFLite: `activations.cc`, `reference/leaky_relu.h`.
struct LeakyRelu: Operator {
  let alpha: Float

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    switch unary.input.elementType {
    case .float32: return unary.prepared(FloatLeakyRelu(alpha: alpha))
    case .uint8: return unary.prepared(try quantized(unary, node.rounding, as: UInt8.self))
    case .int8: return unary.prepared(try quantized(unary, node.rounding, as: Int8.self))
    case .int16:
      _ = try unary.symmetric()
      return unary.prepared(try quantized(unary, node.rounding, as: Int16.self))
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func quantized<Element: TensorElement & FixedWidthInteger>(
    _ unary: UnaryNode, _ rounding: Rounding, as type: Element.Type
  ) throws(KernelError) -> QuantizedLeakyRelu<Element> {
    let (input, output) = try unary.affine()
    return QuantizedLeakyRelu(input, output, alpha: alpha, rounding: rounding)
  }
}

/// A leaky rectifier of floats.
package struct FloatLeakyRelu: UnaryArithmetic {
  package let alpha: Float

  @inline(__always)
  package func apply(_ value: Float, _ steps: inout some Steps) -> Float {
    guard value > 0 else { return steps.product(value, alpha) }
    return steps.note("result", "\(value) as it is, being positive", value)
  }
}

/// A leaky rectifier of quantized values: one fixed-point factor for each sign.
///
///     y = clamp(z_y + m₊ (x − z_x)) or clamp(z_y + m₋ (x − z_x))
///
/// The factors `s_x / s_y` and `s_x α / s_y` are formed in float32. A negative α is applied as a
/// positive factor and a change of sign, which matters for halves.
package struct QuantizedLeakyRelu<Element: TensorElement & FixedWidthInteger>: UnaryArithmetic {
  package let inputZeroPoint: Int32
  package let outputZeroPoint: Int32
  package let positive: FixedPointMultiplier
  package let negative: FixedPointMultiplier
  package let negates: Bool

  init(_ input: Affine, _ output: Affine, alpha: Float, rounding: Rounding) {
    inputZeroPoint = input.zeroPoint
    outputZeroPoint = output.zeroPoint
    positive = FixedPointMultiplier(Double(input.scale / output.scale), rounding: rounding)
    let factor = Double(input.scale * alpha / output.scale)
    negates = factor < 0
    negative = FixedPointMultiplier(abs(factor), rounding: rounding)
  }

  @inline(__always)
  package func apply(_ value: Element, _ steps: inout some Steps) -> Element {
    let distance = steps.difference(Int32(value), inputZeroPoint, "distance")
    var scaled: Int32
    if distance >= 0 {
      scaled = steps.scale(distance, by: positive, "positive multiplier")
    } else {
      scaled = steps.scale(distance, by: negative, "negative multiplier")
      if negates { scaled = steps.negation(scaled, "sign") }
    }
    return steps.store(scaled, zeroPoint: outputZeroPoint)
  }
}
