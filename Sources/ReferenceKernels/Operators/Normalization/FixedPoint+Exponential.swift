// SPDX-License-Identifier: Apache-2.0

import Tensors

extension FixedPoint {
  /// The product of numbers with `a` and `b` integer bits, which has `a + b`.
  @inline(__always)
  static func product(_ a: Int32, _ b: Int32) -> Int32 {
    FixedPointMultiplier.doublingHighProduct(a, b)
  }

  /// `exp(a)` for a number from -32 to 0 with 5 integer bits, as one without.
  ///
  /// `a` is split into a multiple of 1/4 and a rest from -1/4 to 0: the exponential of the rest
  /// is a Taylor polynomial, and each bit of the multiple contributes a constant factor.
  /// gemmlowp: `exp_on_negative_values`.
  package static func exponential(ofNegative a: Int32) -> Int32 {
    guard a != 0 else { return .max }
    let quarter: Int32 = 1 << 24
    let rest = a & (quarter - 1) - quarter
    var result = exponential(ofSmall: saturatingShift(rest, by: 5))
    let multiple = rest &- a
    // exp(-1/4), exp(-1/2), exp(-1), …, exp(-16).
    let factors: [7 of Int32] = [
      1_672_461_947, 1_302_514_674, 790_015_084, 290_630_308, 39_332_535, 720_401, 242,
    ]
    for bit in 0..<7 where multiple >> Int32(24 + bit) & 1 == 1 {
      result = product(result, factors[bit])
    }
    return result
  }

  /// `exp(a)` for a number from -1/4 to 0 without integer bits: the Taylor polynomial of degree
  /// 4 around -1/8.
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

  /// `(a + b) / 2`, rounded half away from zero.
  static func halfSum(_ a: Int32, _ b: Int32) -> Int32 {
    let sum = Int64(a) + Int64(b)
    return Int32(truncatingIfNeeded: (sum + (sum >= 0 ? 1 : -1)) / 2)
  }
}
