// SPDX-License-Identifier: Apache-2.0

import Tensors

/// The logistic function and the hyperbolic tangent of 16-bit fixed-point numbers, as gemmlowp
/// computes them.
///
/// `Qm` stands for a number with `m` integer bits: a raw value `r` means `r · 2^(m − 15)`.
/// Results are Q0. gemmlowp: `fixedpoint.h`, instantiated for `int16_t`.
package enum FixedPoint16 {
  /// `1 / (1 + e⁻ˣ)` of a Q3 number.
  package static func logistic(_ x: Int16) -> Int16 {
    if x == 0 { return 1 << 14 }
    let power = exponential(ofNegative: x > 0 ? 0 &- x : x, integerBits: 3)
    let ofMagnitude = reciprocal(ofOnePlus: power)
    return x > 0 ? ofMagnitude : .max &- ofMagnitude
  }

  /// `tanh x` of a number with up to six integer bits.
  package static func tanh(_ x: Int16, integerBits: Int32) -> Int16 {
    if x == 0 { return 0 }
    // tanh |x| = (1 − e) / (1 + e) with e = exp(−2|x|): one integer bit more doubles the number.
    let power = exponential(ofNegative: x < 0 ? x : 0 &- x, integerBits: integerBits + 1)
    let ofMagnitude = quotient(ofOneMinus: power)
    return x < 0 ? 0 &- ofMagnitude : ofMagnitude
  }

  /// `exp(a)` of a number that is not positive.
  ///
  /// `a` is split into a multiple of 1/4 and a rest from -1/4 to 0: the exponential of the rest
  /// is a Taylor polynomial, and each bit of the multiple contributes a constant factor.
  static func exponential(ofNegative a: Int16, integerBits: Int32) -> Int16 {
    let fractionalBits = 15 - integerBits
    let quarter = Int16(1) << (fractionalBits - 2)
    let rest = (a & (quarter - 1)) - quarter
    let multiple = rest &- a
    var result = exponential(ofSmall: FixedPoint.saturatingShift(rest, by: integerBits))
    // exp(-1/4), exp(-1/2), exp(-1), …, exp(-16) as 32-bit Q0 numbers.
    let factors: [7 of Int32] = [
      1_672_461_947, 1_302_514_674, 790_015_084, 290_630_308, 39_332_535, 720_401, 242,
    ]
    for bit in 0..<7 where integerBits > bit - 2 {
      let isSet = multiple >> (fractionalBits + Int32(bit) - 2) & 1 == 1
      if isSet { result = product(result, narrowed(factors[bit])) }
    }
    // Below -32 the result is 0.
    if integerBits > 5, a < 0 &- (Int16(1) << (20 - integerBits)) { return 0 }
    return a == 0 ? .max : result
  }

  /// `exp(a)` of a Q0 number from -1/4 to 0: the Taylor polynomial of degree 4 around -1/8.
  private static func exponential(ofSmall a: Int16) -> Int16 {
    let constantTerm = narrowed(1_895_147_668)  // exp(-1/8)
    let third = narrowed(715_827_883)
    let x = a &+ 1 << 12
    let x2 = product(x, x)
    let x3 = product(x2, x)
    let x4 = product(x2, x2)
    // ((x⁴/4 + x³)/3 + x²)/2 = x²/2 + x³/6 + x⁴/24
    let higher = FixedPoint.roundingShift(
      product(FixedPoint.roundingShift(x4, by: 2) &+ x3, third) &+ x2, by: 1)
    let rise = product(constantTerm, x &+ higher)
    return Int16(clamping: Int32(constantTerm) + Int32(rise))
  }

  /// `1 / (1 + a)` of a Q0 number from 0 to 1.
  static func reciprocal(ofOnePlus a: Int16) -> Int16 {
    // The iteration gives the reciprocal of (1 + a) / 2 in Q2; halving it makes that Q1.
    FixedPoint.saturatingShift(reciprocal(ofHalfOnePlus: a), by: 1)
  }

  /// `(1 − a) / (1 + a)` of a Q0 number from 0 to 1.
  static func quotient(ofOneMinus a: Int16) -> Int16 {
    // 2 / (1 + a) − 1, from Q2 to Q0.
    FixedPoint.saturatingShift(reciprocal(ofHalfOnePlus: a) &- 1 << 13, by: 2)
  }

  /// `2 / (1 + a)` as a Q2 number: three steps of Newton's iteration from 48/17 − 32/17 · d.
  private static func reciprocal(ofHalfOnePlus a: Int16) -> Int16 {
    let half = Int16(truncatingIfNeeded: (Int32(a) + Int32(Int16.max) + 1) / 2)
    var x = narrowed(1_515_870_810) &+ product(half, narrowed(-1_010_580_540))
    for _ in 0..<3 {
      let error = 1 << 13 &- product(half, x)
      x = x &+ FixedPoint.saturatingShift(product(x, error), by: 2)
    }
    return x
  }

  @inline(__always)
  private static func product(_ a: Int16, _ b: Int16) -> Int16 {
    FixedPoint.doublingHighProduct(a, b)
  }

  /// A 32-bit constant's upper half, rounded.
  @inline(__always)
  private static func narrowed(_ constant: Int32) -> Int16 {
    Int16(truncatingIfNeeded: FixedPointMultiplier.roundingShift(constant, by: 16))
  }
}

extension Steps {
  /// The logistic function of a Q3.12 number, as a Q0.15 number.
  @inline(__always)
  mutating func logistic(_ x: Int16) -> Int16 {
    note(
      "logistic", "2^15 / (1 + exp(-\(x.operand) / 2^12)), by gemmlowp's function",
      FixedPoint16.logistic(x))
  }

  /// The hyperbolic tangent of a number with so many integer bits, as a Q0.15 number.
  @inline(__always)
  mutating func tanh(_ x: Int16, integerBits: Int32) -> Int16 {
    note(
      "tanh", "2^15 × tanh(\(x) / 2^\(15 - integerBits)), by gemmlowp's function",
      FixedPoint16.tanh(x, integerBits: integerBits))
  }

  /// `a · b / 2^shift` of fixed-point numbers, halves away from zero.
  @inline(__always)
  mutating func product(
    _ a: Int16, _ b: Int16, shift: Int32, _ name: @autoclosure () -> String
  ) -> Int16 {
    let product = product(Int32(a), Int32(b))
    return Int16(truncatingIfNeeded: self.shift(product, by: shift, name()))
  }
}
