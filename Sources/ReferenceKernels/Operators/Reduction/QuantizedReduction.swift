// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A reduction that adds up quantized values; the sum wraps at 32 bits.
package protocol QuantizedSum: ReductionArithmetic
where Input: FixedWidthInteger, Accumulator == Int32 {}

extension QuantizedSum {
  package var empty: Int32 { 0 }
  @inline(__always)
  package func first(_ element: Input, _ steps: inout some Steps) -> Int32 { Int32(element) }
  @inline(__always)
  package func combine(_ sum: inout Int32, _ element: Input, _ steps: inout some Steps) {
    sum &+= Int32(element)
  }
}

/// The mean of quantized values, and the sum of uint8 quantized values.
///
///     y = clamp(z_y + m · (Σ q − n z_x))
///
/// The real factor `m` is `s_x / s_y` for a sum and `s_x / (n s_y)` for a mean. TFLite divides
/// the fixed-point significand of the former by `n`, after as many bits to the left as fit, and
/// drops the rest. The sum wraps at 32 bits.
package struct QuantizedMeanReduction<Element>: QuantizedSum
where Element: TensorElement & FixedWidthInteger {
  package typealias Input = Element
  package let multiplier: FixedPointMultiplier
  /// `n z_x`.
  package let offset: Int64
  package let outputZeroPoint: Int32
  package let isEmpty: Bool

  init(meanOf node: PrepareContext, _ axes: ReducedAxes) throws(KernelError) {
    let sum = try QuantizedMeanReduction(sumOf: node, axes)
    multiplier = axes.count == 0 ? sum.multiplier : sum.multiplier.divided(by: axes.count)
    offset = sum.offset
    outputZeroPoint = sum.outputZeroPoint
    isEmpty = sum.isEmpty
  }

  init(sumOf node: PrepareContext, _ axes: ReducedAxes) throws(KernelError) {
    let input = try node.input(0).affine(.input(0))
    let output = try node.declaredOutput().affine(.output(0))
    multiplier = FixedPointMultiplier(
      Double(input.scale) / Double(output.scale), rounding: node.rounding)
    offset = Int64(input.zeroPoint) &* Int64(axes.count)
    outputZeroPoint = output.zeroPoint
    isEmpty = axes.isEmpty
  }

  /// The quantized value of a whole sum; 0 for an input without elements, whatever the zero point.
  package func finish(_ sum: Int32, _ steps: inout some Steps) -> Element {
    guard !isEmpty else { return steps.note("stored", "0, for an input without elements", 0) }
    steps.note("sum", "of all quantized values", sum)
    let distance = steps.note(
      "distance", "\(sum) - \(offset.operand), the zero points of all elements",
      Int32(truncatingIfNeeded: Int64(sum) &- offset))
    return steps.store(steps.scale(distance, by: multiplier), zeroPoint: outputZeroPoint)
  }
}

extension FixedPointMultiplier {
  /// The factor divided by a positive number, its significand rounded down.
  fileprivate func divided(by count: Int) -> FixedPointMultiplier {
    // Bits of `count` behind the first; the exponent must not fall below -31.
    let bits = Int32(Int.bitWidth - 1 - count.leadingZeroBitCount)
    let shift = max(0, min(bits, 32, 31 + exponent))
    return FixedPointMultiplier(
      significand: Int32(truncatingIfNeeded: (Int64(significand) << shift) / Int64(count)),
      exponent: exponent - shift, rounding: rounding)
  }
}

/// The sum of int8 and int16 quantized values, in float32.
///
///     y = clamp(z_y + round(Σ q · s + b)),   s = s_x / s_y,   b = −z_x · s · n
///
/// TFLite's reference kernel reads such quantized values as uint8, which is of no use; this is what
/// its default kernel computes, rounding half away from zero.
package struct QuantizedSumReduction<Element: TensorElement & FixedWidthInteger>: QuantizedSum {
  package typealias Input = Element
  package let scale: Float
  package let bias: Float
  package let outputZeroPoint: Int32
  package let isEmpty: Bool

  init(_ node: PrepareContext, _ axes: ReducedAxes) throws(KernelError) {
    let input = try node.input(0).affine(.input(0))
    let output = try node.declaredOutput().affine(.output(0))
    scale = input.scale / output.scale
    bias = -Float(input.zeroPoint) * scale * Float(axes.count)
    outputZeroPoint = output.zeroPoint
    isEmpty = axes.isEmpty
  }

  package func finish(_ sum: Int32, _ steps: inout some Steps) -> Element {
    guard !isEmpty else { return steps.note("stored", "0, for an input without elements", 0) }
    steps.note("sum", "of all quantized values", sum)
    let product = steps.product(Float(sum), scale)
    let shifted = steps.note(
      "bias", "\(product) + \(bias.operand), the zero points of all elements", product + bias)
    let rounded = steps.rounded(shifted)
    // Beyond 2^24 neither float32 nor the clamped result tells the difference.
    guard rounded.magnitude < 0x1p30 else {
      return steps.note("stored", "saturated", rounded > 0 ? Element.max : Element.min)
    }
    return steps.store(Int32(rounded), zeroPoint: outputZeroPoint)
  }
}

/// The product of quantized values.
///
///     y = clamp(z_y + m · (…(m · (m · p₁ · p₂) · p₃)… · pₙ)),   pᵢ = qᵢ − z_x
///
/// with the real factor `m = s_x / s_y^(1/n)`: spread over all steps, it keeps the running
/// product within 32 bits. A product of one element is rescaled too.
package struct QuantizedProductReduction<Element>: ReductionArithmetic
where Element: TensorElement & FixedWidthInteger {
  package let multiplier: FixedPointMultiplier
  package let inputZeroPoint: Int32
  package let outputZeroPoint: Int32
  package let isEmpty: Bool

  init(_ node: PrepareContext, _ axes: ReducedAxes) throws(KernelError) {
    let input = try node.input(0).affine(.input(0))
    let output = try node.declaredOutput().affine(.output(0))
    let factor =
      Double(input.scale) / FloatMath.pow(Double(output.scale), 1 / Double(max(axes.count, 1)))
    multiplier = FixedPointMultiplier(factor, rounding: node.rounding)
    inputZeroPoint = input.zeroPoint
    outputZeroPoint = output.zeroPoint
    isEmpty = axes.isEmpty
  }

  package var empty: Int32 { 0 }
  package func first(_ element: Element, _ steps: inout some Steps) -> Int32 {
    steps.difference(Int32(element), inputZeroPoint, "distance")
  }

  package func combine(_ product: inout Int32, _ element: Element, _ steps: inout some Steps) {
    let next = steps.note(
      "product", "\(product) × (\(element) - \(inputZeroPoint.operand))",
      Int64(product) &* Int64(Int32(element) &- inputZeroPoint))
    product = steps.scaleWide(next, by: multiplier)
  }

  package func finish(_ product: Int32, _ steps: inout some Steps) -> Element {
    guard !isEmpty else { return steps.note("stored", "0, for an input without elements", 0) }
    let scaled = steps.scaleWide(Int64(product), by: multiplier)
    return steps.store(scaled, zeroPoint: outputZeroPoint)
  }
}
