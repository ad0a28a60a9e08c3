// SPDX-License-Identifier: Apache-2.0

import Tensors

extension FixedPoint {
  /// `ln(a)` for a number of at least 1 with 12 integer bits, as one with 5.
  ///
  /// With `a = 2^k · r`, `ln a = k ln 2 + ln r`, and `ln r` is a quotient of polynomials around
  /// `2^(-1/4)`. Two ways to split `a`, half a power of two apart, are tried: the smaller `r`
  /// lies within `2^(±1/4)` of the center. `k` differs from an integer by a quarter then.
  /// TFLite: `log_x_for_x_greater_than_or_equal_to_1` (`common.h`).
  package static func logarithm(ofAtLeastOne a: Int32) -> Int32 {
    let (r, exponent) = split(a)
    let logarithmOf2: Int32 = 1_488_522_236
    let center: Int32 = 1_805_811_301  // 2^(-1/4)
    // The coefficients of the quotient, as multiples of 2^(1/4).
    let numeratorCubed: Int32 = 117_049_297  // 11/240 · 2^(1/4)
    let denominatorSquared: Int32 = 127_690_142  // 1/20 · 2^(1/4)
    let denominatorConstant: Int32 = 1_057_819_769  // 2 · 2^(-1/4) − 2^(1/4)
    let denominatorFactor: Int32 = 638_450_708  // 1/4 · 2^(1/4)

    let p = halfSum(r, center)
    let q = (r &- center) &* 2
    let square = product(q, q)
    let numerator = product(q, r) &+ product(product(q, square), numeratorCubed)
    let denominator =
      product(p, denominatorConstant &+ q &+ product(denominatorSquared, square))
      &+ product(denominatorFactor, q)
    let quotient = product(
      FixedPointMultiplier.roundingShift(numerator, by: 6), reciprocalOfOnePlus(denominator))
    // The sum has 6 integer bits, one more than the result.
    return saturatingShift(product(exponent, logarithmOf2) &+ quotient, by: 1)
  }

  /// The `r` (no integer bits) and `k` (6 of them) with `a = 2^k · r`.
  private static func split(_ a: Int32) -> (r: Int32, exponent: Int32) {
    let halfRoot: Int32 = 1_518_500_250  // √½
    let quarter: Int32 = 1 << 23  // with 6 integer bits
    func headroom(_ value: Int32) -> Int32 { Int32(value.leadingZeroBitCount) }

    let plain = headroom(a)
    let r1 = saturatingShift(product(normalized(a, by: plain - 1), halfRoot), by: 1)
    let k1 = saturatingSum(saturatingShift(12 - plain, by: 25), quarter)

    let scaled = headroom(product(a, halfRoot)) - 1
    let r2 = normalized(a, by: scaled)
    let k2 = saturatingSum(saturatingShift(12 - scaled, by: 25), -quarter)
    return (min(r1, r2), max(k1, k2))
  }

  private static func normalized(_ a: Int32, by shift: Int32) -> Int32 {
    shift > 0 ? saturatingShift(a, by: shift) : a
  }

  private static func saturatingSum(_ a: Int32, _ b: Int32) -> Int32 {
    Int32(clamping: Int64(a) + Int64(b))
  }
}
