// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A quantised operand on its way to a scale that it shares with another one.
///
///     m · (q − z) · 2ˢ
///
/// The shift `s` keeps fraction bits that the fixed-point factor `m` would otherwise cut off.
package struct ScaledOperand: Sendable {
  /// The code of real zero.
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

  /// A code in units of the common scale, 2ˢ-fold.
  @inline(__always)
  package func scaled(_ code: Int32) -> Int32 {
    multiplier.scale((code &- zeroPoint) << shift)
  }

  /// A code in units of the common scale, 2ˢ-fold, as kernels compute it that expect factors
  /// below 1.
  @inline(__always)
  package func scaledDown(_ code: Int32) -> Int32 {
    multiplier.scaleDown((code &- zeroPoint) << shift)
  }
}
