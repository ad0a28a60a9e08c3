// SPDX-License-Identifier: Apache-2.0

/// The terms of a sum of quantized values whose scales differ, as `ADD` and `SUB` bring them to a
/// common one.
///
/// The operand with the larger scale has a factor of exactly 1/2: its terms are `x · 2^19` for a
/// number `x = q − z`. The other's are, with its significand `m = h · 2^16 + l`, `−2^15 ≤ l <
/// 2^15`,
///
///     (x·h·2^5 + (x·l + c) >> 11 + (x < 0 ? −1 : 0)) >> s
///
/// where the sign counts only for two roundings. `c` is what rounds the first shift (2^10 for two
/// roundings, else 0) plus 2^11 times what rounds the second, `2^(s−1)`: floors compose.
@frozen
@usableFromInline
package struct ByteSumTerms: Sendable {
  /// How the terms are put together.
  @frozen
  @usableFromInline
  package enum Combination: Sendable {
    /// Halved operand plus the other.
    case sum
    /// Halved operand minus the other.
    case difference
    /// The other minus the halved operand.
    case reverseDifference
  }

  /// How the terms are put together.
  @usableFromInline let combination: Combination
  @usableFromInline let high: Int32
  @usableFromInline let low: Int32
  @usableFromInline let addend: Int32
  @usableFromInline let shift: Int32

  /// Terms with a factor of `2^(exponent − 31) · significand` for the second operand; nil where
  /// the formula does not hold.
  package init?(
    _ factor: ByteFactor, roundsTwice: Bool, combination: Combination
  ) {
    let (significand, exponent) = (factor.significand, factor.exponent)
    guard significand >= 0, -20...0 ~= exponent else { return nil }
    // Only 2^30 and 0 come with an exponent of 0: 2^31 with −1 is the same, and has a shift.
    guard exponent < 0 || significand == 1 << 30 || significand == 0 else { return nil }
    let doubling: Int64 = exponent == 0 ? 2 : 1
    let rounded = (Int64(significand) * doubling + 1 << 15) >> 16
    high = Int32(rounded)
    low = Int32(Int64(significand) * doubling - rounded << 16)
    shift = exponent == 0 ? 1 : 0 - exponent
    addend = 1 << (shift + 10) + (roundsTwice ? 1 << 10 : 0)
    self.combination = combination
  }

  /// No terms, for products.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init() { (combination, high, low, addend, shift) = (.sum, 0, 0, 0, 0) }

  /// Whether the factor is the one that the first operand must have.
  package static func isHalf(_ factor: ByteFactor) -> Bool {
    factor == ByteFactor(significand: 1 << 30, exponent: 0)
  }
}

/// The constants of `ByteSumTerms` in all lanes.
@usableFromInline
package struct ByteSumVectors<Level: ByteLaneInstructions> {
  @usableFromInline let combination: ByteSumTerms.Combination
  @usableFromInline let high: Level.Vector
  @usableFromInline let low: Level.Vector
  @usableFromInline let addend: Level.Vector
  @usableFromInline let shift: Int32

  @_alwaysEmitIntoClient
  @inline(__always)
  package init(_ terms: ByteSumTerms) {
    combination = terms.combination
    high = Level.broadcast(factor: terms.high)
    low = Level.broadcast(factor: terms.low)
    addend = Level.broadcast(terms.addend)
    shift = terms.shift
  }

  /// The sums or differences of terms of numbers: `x · 2^16` on the left, twice `x` as words on
  /// the right.
  @_alwaysEmitIntoClient
  @inline(__always)
  func combine(_ left: Level.Vector, _ right: Level.Vector, roundsTwice: Bool) -> Level.Vector {
    let halved = Level.shiftLeft(left, by: 3)
    let rest = Level.shiftRight(Level.add(Level.dotWords(right, low), addend), by: 11)
    var term = Level.add(Level.shiftLeft(Level.dotWords(right, high), by: 5), rest)
    if roundsTwice { term = Level.add(term, Level.shiftRight(right, by: 31)) }
    term = Level.shiftRight(term, by: shift)
    return switch combination {
    case .sum: Level.add(halved, term)
    case .difference: Level.subtract(halved, term)
    case .reverseDifference: Level.subtract(term, halved)
    }
  }
}

/// `clamp(z + m · (t_a ± t_b))`, with the terms of `ByteSumTerms` rounded once.
@frozen
@usableFromInline
package enum ByteRowSum: ByteRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func values<Level: ByteLaneInstructions>(
    _ left: Level.Vector, _ right: Level.Vector, _ row: ByteRowConstants<Level>, inSteps: Bool,
    rounding: Bool
  ) -> Level.Vector {
    row.valuesOfSums(left, right, roundsTwice: false, inSteps: inSteps, rounding: rounding)
  }
}

/// `clamp(z + m · (t_a ± t_b))`, with the terms of `ByteSumTerms` rounded twice.
@frozen
@usableFromInline
package enum ByteRowTwiceRoundedSum: ByteRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func values<Level: ByteLaneInstructions>(
    _ left: Level.Vector, _ right: Level.Vector, _ row: ByteRowConstants<Level>, inSteps: Bool,
    rounding: Bool
  ) -> Level.Vector {
    row.valuesOfSums(left, right, roundsTwice: true, inSteps: inSteps, rounding: rounding)
  }
}

extension ByteRowConstants {
  /// The quantized values of pairs' sums or differences.
  @_alwaysEmitIntoClient
  @inline(__always)
  func valuesOfSums(
    _ left: Level.Vector, _ right: Level.Vector, roundsTwice: Bool, inSteps: Bool,
    rounding: Bool
  ) -> Level.Vector {
    let zero = Level.broadcast(0)
    let (a, b) = (self.left.of(left), self.right.of(right))
    let lowLeft = Level.interleaveWords(zero, a.low)
    let highLeft = Level.interleaveWords(zero, a.high)
    let lowRight = Level.interleaveWords(b.low, b.low)
    let highRight = Level.interleaveWords(b.high, b.high)
    let sums: InlineArray<4, Level.Vector> = [
      terms.combine(lowLeft.low, lowRight.low, roundsTwice: roundsTwice),
      terms.combine(lowLeft.high, lowRight.high, roundsTwice: roundsTwice),
      terms.combine(highLeft.low, highRight.low, roundsTwice: roundsTwice),
      terms.combine(highLeft.high, highRight.high, roundsTwice: roundsTwice),
    ]
    return values(sums, inSteps: inSteps, rounding: rounding)
  }
}
