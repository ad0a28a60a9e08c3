// SPDX-License-Identifier: Apache-2.0

/// A real factor as a 32-bit significand and a power of two, for scaling integers by integers.
///
///     factor ≈ significand × 2^(exponent − 31),   significand in [2^30, 2^31) or 0
///
/// TFLite: `QuantizeMultiplier` and `MultiplyByQuantizedMultiplier` (`quantization_util.cc`,
/// `common.h`).
public struct FixedPointMultiplier: Sendable, Hashable {
  /// The factor's leading 31 bits.
  public let significand: Int32
  /// The power of two: positive shifts left.
  public let exponent: Int32
  /// Which rounding profile products follow.
  public let rounding: Rounding
  /// Whether the second of two roundings takes halves towards +∞ instead of away from zero.
  public let shiftsHalvesUp: Bool

  /// The significand and exponent as given, as kernels with tables of their own need them.
  public init(
    significand: Int32, exponent: Int32, rounding: Rounding, shiftsHalvesUp: Bool = false
  ) {
    self.significand = significand
    self.exponent = exponent
    self.rounding = rounding
    self.shiftsHalvesUp = shiftsHalvesUp
  }

  /// The closest representation of `factor`.
  ///
  /// Factors below 2^-32 become 0. Factors that are not finite, which only damaged quantization
  /// parameters give, become the largest representable one.
  public init(_ factor: Double, rounding: Rounding, shiftsHalvesUp: Bool = false) {
    guard factor.isFinite else {
      self.init(
        significand: .max, exponent: 30, rounding: rounding, shiftsHalvesUp: shiftsHalvesUp)
      return
    }
    // The factor is ±fraction · 2^exponent with a fraction in [½, 1), of which 53 bits are there
    // and 31 are kept. Networks do hold negative filter scales, so the sign counts.
    var exponent = Int(factor.exponentBitPattern) - 1022
    var significand = (Int64(1 << 52 | factor.significandBitPattern) + (1 << 21)) >> 22
    if factor < 0 { significand = -significand }
    if significand == 1 << 31 {
      significand /= 2
      exponent += 1
    }
    // Zero, too, has the least exponent.
    if exponent < -31 { (significand, exponent) = (0, 0) }
    if rounding == .single, exponent > 30 {
      (significand, exponent) = (Int64(Int32.max), 30)
    }
    self.init(
      significand: Int32(clamping: significand), exponent: Int32(exponent), rounding: rounding,
      shiftsHalvesUp: shiftsHalvesUp)
  }

  /// `value` times the factor, rounded as the profile says, in 32-bit arithmetic.
  @inlinable
  public func scale(_ value: Int32) -> Int32 {
    switch rounding {
    case .double:
      let shifted = value &<< max(exponent, 0)
      let product = Self.doublingHighProduct(shifted, significand)
      let shift = max(-exponent, 0)
      guard !shiftsHalvesUp else {
        let half: Int64 = shift > 0 ? 1 << (Int64(shift) - 1) : 0
        return Int32(truncatingIfNeeded: (Int64(product) + half) >> Int64(shift))
      }
      return Self.roundingShift(product, by: shift)
    case .single:
      let shift = Int64(31 - exponent)
      // |value × significand| ≤ 2^62 and the bias is below 2^62: no overflow.
      let product = Int64(value) * Int64(significand)
      let bias: Int64 = 1 << (shift - 1)
      return Int32(clamping: (product &+ bias) >> shift)
    }
  }

  /// `value` times the factor in 64-bit arithmetic with a 16-bit significand, as kernels with
  /// int16 activations do: one rounding, half towards +∞, in either profile.
  @inlinable
  public func scale(_ value: Int64) -> Int32 {
    let reduced: Int64 =
      significand < 0x7FFF_0000 ? (Int64(significand) + (1 << 15)) >> 16 : 0x7FFF
    let shift = Int64(15 - exponent)
    let bias: Int64 = shift > 0 ? 1 << (shift - 1) : 0
    return Int32(truncatingIfNeeded: (value &* reduced &+ bias) >> shift)
  }

  /// The high 32 bits of `2ab`, rounded to nearest, halves towards +∞; gemmlowp's
  /// `SaturatingRoundingDoublingHighMul`.
  ///
  /// gemmlowp adds `1 − 2^30` to negative products and truncates: the same for every product.
  @inlinable
  public static func doublingHighProduct(_ a: Int32, _ b: Int32) -> Int32 {
    if a == .min && b == .min { return .max }
    // |ab| < 2^62, so adding 2^30 does not overflow.
    return Int32(truncatingIfNeeded: (Int64(a) * Int64(b) &+ (1 << 30)) >> 31)
  }

  /// `value / 2^shift`, rounded half away from zero; gemmlowp's `RoundingDivideByPOT`.
  ///
  /// Shifts outside 0...31, which TFLite computes for some scales although they are undefined in
  /// C++, wrap as x86 instructions do, so that such models give what TFLite gives there.
  @inlinable
  public static func roundingShift(_ value: Int32, by shift: Int32) -> Int32 {
    let mask = Int32(truncatingIfNeeded: (Int64(1) &<< Int64(shift)) &- 1)
    let remainder = value & mask
    let threshold = (mask >> 1) &+ (value < 0 ? 1 : 0)
    return (value &>> shift) &+ (remainder > threshold ? 1 : 0)
  }
}
