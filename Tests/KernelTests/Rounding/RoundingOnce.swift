// SPDX-License-Identifier: Apache-2.0

import SeededRandom
/// The arithmetic of the profile `single`, computed anew from its definition: no kernel quantized
/// value.
///
/// A factor is the nearest `significand · 2^(exponent − 31)` with 31 bits; the product with an
/// integer is exact (128 bits) and rounded once, halves towards +∞.
struct RoundingOnce {
  let significand: Int128
  let exponent: Int

  init(significand: Int128, exponent: Int) {
    self.significand = significand
    self.exponent = exponent
  }

  init(_ factor: Double) {
    var (fraction, exponent) = (abs(factor), 0)
    while fraction >= 1 { (fraction, exponent) = (fraction / 2, exponent + 1) }
    while fraction > 0, fraction < 0.5 { (fraction, exponent) = (fraction * 2, exponent - 1) }
    var significand = Int128((fraction * 0x1p31 + 0.5).rounded(.down))
    if significand == 1 << 31 { (significand, exponent) = (1 << 30, exponent + 1) }
    if exponent < -31 { (significand, exponent) = (0, 0) }
    if exponent > 30 { (significand, exponent) = ((1 << 31) - 1, 30) }
    self.init(significand: factor < 0 ? -significand : significand, exponent: exponent)
  }

  /// ⌊value · factor + ½⌋.
  func callAsFunction(_ value: Int) -> Int {
    let divisor = Int128(1) << (31 - exponent)
    let sum = 2 * Int128(value) * significand + divisor
    let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: 2 * divisor)
    return Int(remainder < 0 ? quotient - 1 : quotient)
  }
}

/// A scale and a zero point in a test.
struct TestAffine {
  let scale: Float
  let zero: Int

  /// Random ones; every third scale is a power of two, so that exact halves occur.
  static func random<Code: FixedWidthInteger>(
    for _: Code.Type, _ random: inout SeededRandom
  ) -> TestAffine {
    let isPower = Int.random(in: 0..<3, using: &random) == 0
    let scale =
      isPower
      ? Float(sign: .plus, exponent: Int.random(in: -7 ... -4, using: &random), significand: 1)
      : Float.random(in: 0.01...0.09, using: &random)
    let zero =
      Code.bitWidth == 16
      ? 0 : Int.random(in: Int(Code.min)...Int(Code.max), using: &random)
    return TestAffine(scale: scale, zero: zero)
  }

  /// The same zero point with another scale.
  func scaled(_ scale: Float) -> TestAffine { TestAffine(scale: scale, zero: zero) }
}

extension FixedWidthInteger {
  /// The quantized value nearest to `value` plus the zero point.
  static func code(_ value: Int, _ affine: TestAffine) -> Self {
    Self(clamping: value + affine.zero)
  }
}
