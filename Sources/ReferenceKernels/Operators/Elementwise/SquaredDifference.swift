// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let squaredDifference = CatalogEntry(
    .squaredDifference, chapter: .elementwise, formula: "y = (a − b)²", versions: .upTo(2),
    variants: "f32 i32 i8_q", optimized: "f32 i8_q",
    work: .eachOutput, reads: .everything
  ) { _ in SquaredDifference() }
}

/// `SQUARED_DIFFERENCE`: the square of the difference of two tensors, broadcast to each other.
///
/// Plain int32 wraps. TFLite: `squared_difference.cc`.
struct SquaredDifference: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    switch binary.left.elementType {
    case .float32: return binary.prepared(FloatSquaredDifference())
    case .int32: return binary.prepared(WrappingSquaredDifference())
    case .int8:
      let (left, right, output) = try binary.affine()
      return binary.prepared(
        try QuantizedSquaredDifference(left, right, output, rounding: node.rounding))
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// `(a − b)²` in floats.
package struct FloatSquaredDifference: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: Float, _ right: Float, _ steps: inout some Steps) -> Float {
    let difference = steps.difference(left, right)
    return steps.product(difference, difference, "square")
  }
}

/// `(a − b)²` modulo 2³².
package struct WrappingSquaredDifference: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: Int32, _ right: Int32, _ steps: inout some Steps) -> Int32 {
    let difference = steps.difference(left, right)
    return steps.product(difference, difference, "square")
  }
}

/// The squared difference of quantized operands, each brought to a common scale first.
///
///     y = clamp(z_y + m_y (m_a (a − z_a) 2⁷ − m_b (b − z_b) 2⁷)²)
///
/// The common scale is twice the larger input scale, `S = 2 max(s_a, s_b)`; `m_a = s_a / S`,
/// `m_y = S² / (2¹⁴ s_y)`. The square is at most 255² · 2¹⁴, within 32 bits.
package struct QuantizedSquaredDifference: BinaryArithmetic {
  package let left: ScaledOperand
  package let right: ScaledOperand
  package let output: FixedPointMultiplier
  package let outputZeroPoint: Int32

  init(
    _ left: Affine, _ right: Affine, _ result: Affine, rounding: Rounding
  ) throws(KernelError) {
    let common = Double(2 * max(left.scale, right.scale))
    let outputFactor = common * common / Double(16384 * result.scale)
    guard outputFactor < 1 else {
      throw .invalid("input scales exceed what the output scale allows", .output(0))
    }
    for (affine, tensor) in [
      (left, KernelError.Tensor.input(0)), (right, .input(1)), (result, .output(0)),
    ] where Int8(exactly: affine.zeroPoint) == nil || affine.scale <= 0 {
      throw .invalid("scale or zero point out of range", tensor)
    }
    func operand(_ input: Affine) -> ScaledOperand {
      ScaledOperand(
        zeroPoint: input.zeroPoint,
        multiplier: FixedPointMultiplier(Double(input.scale) / common, rounding: rounding),
        shift: 7)
    }
    self.left = operand(left)
    self.right = operand(right)
    output = FixedPointMultiplier(outputFactor, rounding: rounding)
    outputZeroPoint = result.zeroPoint
  }

  @inline(__always)
  package func apply(_ left: Int8, _ right: Int8, _ steps: inout some Steps) -> Int8 {
    let a = self.left.scaled(Int32(left), "left", &steps)
    let b = self.right.scaled(Int32(right), "right", &steps)
    let difference = steps.difference(a, b)
    let square = steps.product(difference, difference, "square")
    let scaled = steps.scale(square, by: output, "output multiplier")
    return steps.store(scaled, zeroPoint: outputZeroPoint)
  }
}
