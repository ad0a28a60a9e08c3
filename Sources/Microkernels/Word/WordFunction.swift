// SPDX-License-Identifier: Apache-2.0

/// Functions of one 16-bit fixed-point number that have vector kernels, as gemmlowp computes them.
///
/// A number with `m` integer bits is in units of `2^(m − 15)`; results are in units of `2^−15`.
@frozen
@usableFromInline
package enum WordFunction: Sendable {
  /// `1 / (1 + e^−x)` of numbers with three integer bits.
  case logistic
  /// The hyperbolic tangent of numbers with up to six integer bits.
  case tanh(integerBits: Int32)
}

/// A run of numbers that a function is applied to.
@unsafe
@frozen
@usableFromInline
package struct WordFunctionTask {
  /// The operands.
  @usableFromInline package var input: UnsafePointer<Int16>
  /// Where the results go.
  @usableFromInline package var output: UnsafeMutablePointer<Int16>
  /// Elements.
  @usableFromInline package var count: Int

  /// A run of these parts.
  package init(input: UnsafePointer<Int16>, output: UnsafeMutablePointer<Int16>, count: Int) {
    unsafe self.input = input
    unsafe self.output = output
    unsafe self.count = count
  }
}

/// Applies the logistic function to a run: a loop without branches, which becomes vectors.
@_alwaysEmitIntoClient
@inline(__always)
package func applyLogistic(_ task: WordFunctionTask) {
  for index in unsafe 0..<task.count {
    unsafe task.output[index] = Int16(
      truncatingIfNeeded: WordArithmetic.logistic(Int32(task.input[index])))
  }
}

/// Applies the hyperbolic tangent to a run of numbers with so many integer bits.
@_alwaysEmitIntoClient
@inline(__always)
package func applyTanh(_ task: WordFunctionTask, integerBits: Int32) {
  for index in unsafe 0..<task.count {
    unsafe task.output[index] = Int16(
      truncatingIfNeeded: WordArithmetic.tanh(Int32(task.input[index]), integerBits))
  }
}

/// gemmlowp's functions of 16-bit numbers, in 32-bit lanes and without branches.
///
/// The formulas are those of `FixedPoint16`. No step leaves 16 bits except where it is clamped, so
/// wider lanes change nothing.
@usableFromInline
package enum WordArithmetic {
  /// The logistic function of a number with three integer bits.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func logistic(_ x: Int32) -> Int32 {
    let power = exponential(ofNegative: min(x, 0 &- x), integerBits: 3)
    let ofMagnitude = clamped(reciprocal(ofHalfOnePlus: power) &<< 1)
    let value = x > 0 ? ofMagnitude : 0x7FFF &- ofMagnitude
    return x == 0 ? 1 &<< 14 : value
  }

  /// The hyperbolic tangent of a number with so many integer bits.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func tanh(_ x: Int32, _ integerBits: Int32) -> Int32 {
    let power = exponential(ofNegative: min(x, 0 &- x), integerBits: integerBits &+ 1)
    let ofMagnitude = clamped((reciprocal(ofHalfOnePlus: power) &- 1 &<< 13) &<< 2)
    let value = x < 0 ? 0 &- ofMagnitude : ofMagnitude
    return x == 0 ? 0 : value
  }

  /// `e^a` of a number that is not positive: a polynomial for the rest of its division by 1/4,
  /// times a constant for each bit of the quotient.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func exponential(ofNegative a: Int32, integerBits: Int32) -> Int32 {
    let quarter: Int32 = 1 &<< (13 &- integerBits)
    let rest = (a & (quarter &- 1)) &- quarter
    let multiple = rest &- a
    var result = exponential(ofSmall: rest &<< integerBits)
    // e^(−1/4), e^(−1/2), e^−1, … e^−16. Bits beyond the number's are never set.
    let factors: InlineArray<7, Int32> = [25_520, 19_875, 12_055, 4_435, 600, 11, 0]
    for bit in 0..<7 {
      let shift = 13 &- integerBits &+ Int32(truncatingIfNeeded: bit)
      let isSet = (multiple &>> shift) & 1 == 1
      result = isSet ? product(result, factors[bit]) : result
    }
    // Below −32 the result is 0, which numbers with up to five integer bits do not reach.
    let least = integerBits > 5 ? 0 &- (1 &<< (20 &- integerBits)) : -0x8000
    result = a < least ? 0 : result
    return a == 0 ? 0x7FFF : result
  }

  /// `e^a` from −1/4 to 0 without integer bits: the Taylor polynomial of degree 4 around −1/8.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func exponential(ofSmall a: Int32) -> Int32 {
    let x = a &+ 1 &<< 12
    let square = product(x, x)
    let cube = product(square, x)
    let fourth = product(square, square)
    let third: Int32 = 10_923
    let higher = quotient(
      product(quotient(fourth, by: 2) &+ cube, third) &+ square, by: 1)
    let atMiddle: Int32 = 28_918
    return clamped(atMiddle &+ product(atMiddle, x &+ higher))
  }

  /// `2 / (1 + a)` with two integer bits: three steps of Newton's iteration.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func reciprocal(ofHalfOnePlus a: Int32) -> Int32 {
    let half = (a &+ 0x8000) &>> 1
    var x = 23_130 &+ product(half, -15_420)
    for _ in 0..<3 {
      let error = 1 &<< 13 &- product(half, x)
      x = x &+ clamped(product(x, error) &<< 2)
    }
    return x
  }

  /// The high half of `2ab`, rounded; never of twice the least number.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func product(_ a: Int32, _ b: Int32) -> Int32 { (a &* b &+ 1 &<< 14) &>> 15 }

  /// `value / 2^shift`, rounded half away from zero.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func quotient(_ value: Int32, by shift: Int32) -> Int32 {
    (value &+ 1 &<< (shift &- 1) &+ (value &>> 31)) &>> shift
  }

  /// A number limited to 16 bits.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func clamped(_ value: Int32) -> Int32 { min(max(value, -0x8000), 0x7FFF) }
}
