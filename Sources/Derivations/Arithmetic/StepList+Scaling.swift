// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
package import Tensors

extension StepList {
  /// A fixed-point factor.
  private mutating func tell(_ multiplier: FixedPointMultiplier, _ name: String) {
    let power = multiplier.exponent - 31
    let unit = Double(sign: .plus, exponent: Int(power), significand: 1)
    let real = Double(multiplier.significand) * unit
    add(
      name, "\(multiplier.significand) × 2^(\(multiplier.exponent) - 31)", .double(real),
      multiplier: multiplier)
  }

  /// `value` times a fixed-point factor in 32-bit arithmetic, with its one or two roundings.
  package mutating func scale(
    _ value: Int32, by multiplier: FixedPointMultiplier, _ name: @autoclosure () -> String
  ) -> Int32 {
    tell(multiplier, name())
    switch multiplier.rounding {
    case .double: return scaleTwice(value, by: multiplier)
    case .single:
      let shift = Int64(31) - Int64(multiplier.exponent)
      let product = Int64(value) * Int64(multiplier.significand)
      let rounded = (product + (Int64(1) << (shift - 1))) >> shift
      return add(
        "rounding", "round(\(value) × \(multiplier.significand.operand) / 2^\(shift)), halves up",
        integer: Int32(clamping: rounded))
    }
  }

  /// A product rounded to its high 32 bits, halves up, and then shifted and rounded again.
  private mutating func scaleTwice(_ value: Int32, by multiplier: FixedPointMultiplier) -> Int32 {
    var operand = value
    if multiplier.exponent > 0 {
      operand = add(
        "left shift", "\(value) × 2^\(multiplier.exponent)",
        integer: value &<< multiplier.exponent)
    }
    let significand = multiplier.significand
    var product = (Int64(operand) * Int64(significand) + (Int64(1) << 30)) >> 31
    // Only the product of twice the least number does not fit.
    if product > Int64(Int32.max) { product = Int64(Int32.max) }
    let high = add(
      "high product", "round(\(operand) × \(significand.operand) / 2^31), halves up",
      integer: Int32(truncatingIfNeeded: product))
    guard multiplier.exponent < 0 else { return high }
    return shift(high, by: 0 &- multiplier.exponent, halvesUp: multiplier.shiftsHalvesUp)
  }

  /// `value` times a factor, as kernels compute it that expect one below 1.
  ///
  /// For larger factors TFLite shifts by a count that wraps; there is no other definition.
  package mutating func scaleDown(
    _ value: Int32, by multiplier: FixedPointMultiplier, _ name: @autoclosure () -> String
  ) -> Int32 {
    guard multiplier.exponent > 0 else { return scale(value, by: multiplier, name()) }
    return add(
      name(),
      "\(value) × \(multiplier.significand) × 2^(\(multiplier.exponent) - 31), "
        + "as for factors below 1", integer: multiplier.scaleDown(value))
  }

  /// `value / 2^shift`, with halves rounded away from zero.
  package mutating func shift(
    _ value: Int32, by shift: Int32, _ name: @autoclosure () -> String
  ) -> Int32 {
    self.shift(value, by: shift, halvesUp: false, name())
  }

  /// `value / 2^shift`, with halves rounded away from zero, or up; the step's text may have an
  /// operand of its own instead of the value.
  package mutating func shift(
    _ value: Int32, _ operand: @autoclosure () -> String? = nil, by shift: Int32,
    halvesUp: Bool, _ name: String = "shift"
  ) -> Int32 {
    let rounded: Int32
    if 0...31 ~= shift {
      let half = shift > 0 ? Int64(1) << Int64(shift - 1) : 0
      let magnitude = (Int64(value.magnitude) + half) >> Int64(shift)
      rounded = Int32(
        truncatingIfNeeded: halvesUp
          ? (Int64(value) + half) >> Int64(shift) : value < 0 ? -magnitude : magnitude)
    } else {
      // Beyond, TFLite's shift counts wrap, and there is no other definition.
      rounded = FixedPointMultiplier.roundingShift(value, by: shift)
    }
    let rule = halvesUp ? "halves up" : "halves away from zero"
    return add(
      name, "round(\(operand() ?? "\(value)") / 2^\(shift)), \(rule)", integer: rounded)
  }

  /// `value` times a fixed-point factor of which 16 bits count, rounded once.
  package mutating func scaleWide(_ value: Int64, by multiplier: FixedPointMultiplier) -> Int32 {
    tell(multiplier, "multiplier")
    let reduced = add(
      "16-bit multiplier", "round(\(multiplier.significand) / 2^16), at most 32767",
      integer: min((Int64(multiplier.significand) + 32768) >> 16, 32767))
    let shift = Int64(15) - Int64(multiplier.exponent)
    let half = shift > 0 ? Int64(1) << (shift - 1) : 0
    return add(
      "rounding", "round(\(value) × \(reduced.operand) / 2^\(shift)), halves up",
      integer: Int32(truncatingIfNeeded: (value &* reduced &+ half) >> shift))
  }
}
