// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A quantized operand on its way to a scale that it shares with another one.
///
///     m · (q − z) · 2ˢ
///
/// The shift `s` keeps fraction bits that the fixed-point factor `m` would otherwise cut off.
package struct ScaledOperand: Sendable {
  /// The quantized value of real zero.
  package let zeroPoint: Int32
  /// The operand's scale in units of the common one.
  package let multiplier: FixedPointMultiplier
  /// Fraction bits.
  package let shift: Int32

  /// The operand of this zero point and factor.
  package init(zeroPoint: Int32, multiplier: FixedPointMultiplier, shift: Int32) {
    self.zeroPoint = zeroPoint
    self.multiplier = multiplier
    self.shift = shift
  }

  /// A quantized value in units of the common scale, 2ˢ-fold.
  package func scaled(_ value: Int32) -> Int32 {
    var steps = NoSteps()
    return scaled(value, "", &steps)
  }

  /// A quantized value in units of the common scale, 2ˢ-fold; `name` is the operand's.
  @inline(__always)
  package func scaled(
    _ value: Int32, _ name: StaticString, _ steps: inout some Steps
  ) -> Int32 {
    steps.scale(lifted(value, name, &steps), by: multiplier, "\(name) multiplier")
  }

  /// A quantized value in units of the common scale, 2ˢ-fold, as kernels compute it that expect
  /// factors below 1.
  @inline(__always)
  package func scaledDown(
    _ value: Int32, _ name: StaticString, _ steps: inout some Steps
  ) -> Int32 {
    steps.scaleDown(lifted(value, name, &steps), by: multiplier, "\(name) multiplier")
  }

  /// The distance from the zero point, 2ˢ-fold.
  @inline(__always)
  private func lifted(_ value: Int32, _ name: StaticString, _ steps: inout some Steps) -> Int32 {
    steps.note(
      "\(name) operand", "(\(value) - \(zeroPoint.operand)) × 2^\(shift)",
      (value &- zeroPoint) << shift)
  }
}
