// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// gemmlowp's arithmetic on fixed-point numbers, and the functions that TFLite builds from it.
///
/// A number with `m` integer bits is an integer in units of 2^(m − 31): products of numbers with
/// `a` and `b` integer bits, made by `FixedPointMultiplier.doublingHighProduct`, have `a + b`.
package enum FixedPoint {
  /// `value · 2^shift`, saturated.
  @inline(__always)
  package static func saturatingShift(_ value: Int32, by shift: Int32) -> Int32 {
    let threshold = (Int32(1) << (31 - shift)) - 1
    if value > threshold { return .max }
    return value < -threshold ? .min : value << shift
  }

  /// `value · 2^shift`, saturated to 16 bits.
  @inline(__always)
  package static func saturatingShift(_ value: Int16, by shift: Int32) -> Int16 {
    Int16(clamping: Int64(value) * Int64(Int32(1) &<< shift))
  }

  /// `value / 2^shift`, rounded half away from zero; shifts above 15 round as TFLite's do on x86.
  @inline(__always)
  package static func roundingShift(_ value: Int16, by shift: Int32) -> Int16 {
    let mask = Int16(truncatingIfNeeded: (Int64(1) &<< Int64(shift)) &- 1)
    let remainder = value & mask
    let threshold = (mask >> 1) &+ (value < 0 ? 1 : 0)
    let quotient = Int16(truncatingIfNeeded: Int32(value) &>> shift)
    return quotient &+ (remainder > threshold ? 1 : 0)
  }

  /// The upper 16 bits of a multiplier's significand, rounded and saturated.
  package static func narrowed(_ significand: Int32) -> Int16 {
    Int16(clamping: (Int64(significand) + (1 << 15)) >> 16)
  }

  /// How many bits after the sign bit repeat it.
  @inline(__always)
  package static func leadingSignBitCount(_ value: Int32) -> Int32 {
    Int32((value < 0 ? ~value : value).leadingZeroBitCount) - 1
  }

  /// The high 16 bits of `2ab`, halves rounded up; gemmlowp's
  /// `SaturatingRoundingDoublingHighMul` of 16 bits.
  @inline(__always)
  package static func doublingHighProduct(_ a: Int16, _ b: Int16) -> Int16 {
    let product = Int32(a) * Int32(b)
    let nudge: Int32 = product >= 0 ? 1 << 14 : 1 - (1 << 14)
    return Int16(clamping: (product + nudge) / (1 << 15))
  }

  /// `1 / (1 + x)` for `x` in 0...1, both without integer bits.
  ///
  /// Three Newton steps on the half denominator, from the linear estimate 48/17 − 32/17 d.
  package static func reciprocalOfOnePlus(_ x: Int32) -> Int32 {
    let halfDenominator = Int32(truncatingIfNeeded: (Int64(x) + Int64(Int32.max) + 1) / 2)
    let one = Int32(1) << 29  // two integer bits from here on
    var estimate =
      1_515_870_810 &+ FixedPointMultiplier.doublingHighProduct(halfDenominator, -1_010_580_540)
    for _ in 0..<3 {
      let error = one &- FixedPointMultiplier.doublingHighProduct(halfDenominator, estimate)
      let correction = FixedPointMultiplier.doublingHighProduct(estimate, error)
      estimate = estimate &+ saturatingShift(correction, by: 2)
    }
    return saturatingShift(estimate, by: 1)
  }

  /// The reciprocal of a positive integer as a factor, for use with products alone.
  ///
  ///     1 / x ≈ significand · 2^(−31 − bits)
  ///
  /// TFLite: `GetReciprocal` (`common.h`) with 31 integer bits.
  package static func reciprocal(_ x: Int32) -> (significand: Int32, bits: Int32) {
    let leadingZeros = Int32(x.leadingZeroBitCount)
    let fraction = (UInt32(bitPattern: x) << UInt32(leadingZeros)) &- (1 << 31)
    return (reciprocalOfOnePlus(Int32(bitPattern: fraction)), 31 - leadingZeros)
  }

  /// `1 / √x` of a positive integer as a fixed-point factor.
  ///
  /// Five Newton steps from 1 after scaling `x` by a power of 4. TFLite:
  /// `GetInvSqrtQuantizedMultiplierExp` (`common.h`).
  package static func inverseSquareRoot(_ x: Int32, rounding: Rounding) -> FixedPointMultiplier {
    guard x > 1 else {
      return FixedPointMultiplier(significand: .max, exponent: 0, rounding: rounding)
    }
    var input = x
    var rightShift: Int32 = 11
    while input >= 1 << 29 {
      input /= 4
      rightShift += 1
    }
    let bitPairs = Int32(input.leadingZeroBitCount - 1) / 2 - 1
    rightShift -= bitPairs
    input <<= 2 * bitPairs

    let number = input >> 1  // three integer bits
    let half = FixedPointMultiplier.roundingShift(number, by: 1)
    let threeHalves: Int32 = (1 << 28) + (1 << 27)
    var root: Int32 = 1 << 28
    for _ in 0..<5 {
      let square = FixedPointMultiplier.doublingHighProduct(root, root)
      let cube = saturatingShift(FixedPointMultiplier.doublingHighProduct(square, root), by: 6)
      let next =
        FixedPointMultiplier.doublingHighProduct(threeHalves, root)
        &- FixedPointMultiplier.doublingHighProduct(half, cube)
      root = saturatingShift(next, by: 3)
    }
    let halfSquareRootOf2: Int32 = 1_518_500_250
    root = FixedPointMultiplier.doublingHighProduct(root, halfSquareRootOf2)
    if rightShift < 0 {
      root <<= -rightShift
      rightShift = 0
    }
    return FixedPointMultiplier(significand: root, exponent: -rightShift, rounding: rounding)
  }
}

extension FixedPointMultiplier {
  /// `value` times a factor below 1, in 32-bit arithmetic.
  ///
  /// TFLite's `MultiplyByQuantizedMultiplierSmallerThanOneExp`: like `scale(_:)` for such factors.
  /// Where a kernel uses it for larger ones, the reference shifts by a count that wraps.
  @inline(__always)
  package func scaleDown(_ value: Int32) -> Int32 {
    switch rounding {
    case .double:
      Self.roundingShift(Self.doublingHighProduct(value, significand), by: 0 &- exponent)
    case .single: scale(value)
    }
  }
}
