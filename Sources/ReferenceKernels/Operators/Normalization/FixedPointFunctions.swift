// SPDX-License-Identifier: Apache-2.0

import Tensors

/// Functions of 32-bit fixed-point numbers, as gemmlowp defines them.
///
/// `Qm` stands for a number with `m` integer bits: a raw value `r` means `r · 2^(m − 31)`. The
/// product of `Qm` and `Qn` numbers is their `doublingHighProduct`, a `Q(m + n)`.
/// gemmlowp: `fixedpoint.h`; TFLite: `common.h`.
package enum FixedPointFunctions {
  /// `a · b`.
  static func product(_ a: Int32, _ b: Int32) -> Int32 {
    FixedPointMultiplier.doublingHighProduct(a, b)
  }

  /// `a · 2^exponent`, saturated where that is too large; `exponent` is from 0 to 31.
  static func saturatingShift(_ a: Int32, by exponent: Int32) -> Int32 {
    let threshold = Int32(truncatingIfNeeded: Int64(1) << Int64(31 - exponent) - 1)
    if exponent > 0, a > threshold { return .max }
    if exponent > 0, a < -threshold { return .min }
    return a << exponent
  }

  /// `exp(a)` for a Q5 number `a` from -32 to 0, as a Q0 number.
  ///
  /// `a` is split into a multiple of 1/4 and a rest from -1/4 to 0: the exponential of the rest
  /// is a Taylor polynomial, and each bit of the multiple contributes a constant factor.
  package static func exponential(ofNegative a: Int32) -> Int32 {
    guard a != 0 else { return .max }
    let quarter: Int32 = 1 << 24
    let rest = a & (quarter - 1) - quarter
    var result = exponential(ofSmall: saturatingShift(rest, by: 5))
    let multiple = rest &- a
    // exp(-1/4), exp(-1/2), exp(-1), …, exp(-16) in Q0.
    let factors: [7 of Int32] = [
      1_672_461_947, 1_302_514_674, 790_015_084, 290_630_308, 39_332_535, 720_401, 242,
    ]
    for bit in 0..<7 where multiple >> Int32(24 + bit) & 1 == 1 {
      result = product(result, factors[bit])
    }
    return result
  }

  /// `exp(a)` for a Q0 number from -1/4 to 0: the Taylor polynomial of degree 4 around -1/8.
  private static func exponential(ofSmall a: Int32) -> Int32 {
    let constantTerm: Int32 = 1_895_147_668  // exp(-1/8)
    let third: Int32 = 715_827_883
    let x = a &+ 1 << 28
    let x2 = product(x, x)
    let x3 = product(x2, x)
    let x4 = product(x2, x2)
    // ((x⁴/4 + x³)/3 + x²)/2 = x²/2 + x³/6 + x⁴/24
    let higher = FixedPointMultiplier.roundingShift(
      product(FixedPointMultiplier.roundingShift(x4, by: 2) &+ x3, third) &+ x2, by: 1)
    return constantTerm &+ product(constantTerm, x &+ higher)
  }

  /// `1 / (1 + a)` for a Q0 number from 0 to 1, as a Q0 number: three steps of Newton's
  /// iteration for the reciprocal of `(1 + a) / 2`.
  package static func reciprocal(ofOnePlus a: Int32) -> Int32 {
    let half = halfSum(a, .max)
    // Q2 from here on: 48/17 − 32/17 · half is the best linear start.
    var x = 1_515_870_810 &+ product(half, -1_010_580_540)
    for _ in 0..<3 {
      let error = 1 << 29 &- product(half, x)
      x = x &+ saturatingShift(product(x, error), by: 2)
    }
    // 1 / (2 · half): halving is a change from Q2 to Q1, which leaves the raw value as it is.
    return saturatingShift(x, by: 1)
  }

  /// `(a + b) / 2`, rounded half away from zero.
  static func halfSum(_ a: Int32, _ b: Int32) -> Int32 {
    let sum = Int64(a) + Int64(b)
    return Int32(truncatingIfNeeded: (sum + (sum >= 0 ? 1 : -1)) / 2)
  }

  /// The reciprocal of a positive `Qm` number with its leading bit moved to the front.
  ///
  /// - Returns: a Q0 number `y` with `1 / a = y · 2^-bits`.
  package static func reciprocal(
    of a: Int32, integerBits: Int32
  ) -> (value: Int32, bitsOverUnit: Int32) {
    let bits = UInt32(bitPattern: a)
    let headroom = bits.leadingZeroBitCount
    let fraction = Int32(bitPattern: (bits << headroom) &- (1 << 31))
    return (reciprocal(ofOnePlus: fraction), integerBits - Int32(headroom))
  }
}
