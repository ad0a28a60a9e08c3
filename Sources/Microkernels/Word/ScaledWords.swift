// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on 16-bit quantized values whose zero points are 0, exactly as TFLite does it.
@frozen
@usableFromInline
package enum ScaledWords: Sendable {
  /// `clamp(m_y · (m_a · a·2ˢ ± m_b · b·2ˢ))`.
  case sum(WordSumTerms, WordFactor, WordLimits)
  /// `clamp(m · a b)`.
  case product(WordFactor, WordLimits)
  /// `clamp(m₊ x)` from 0 on, and `clamp(±m₋ x)` below.
  case slopes(WordSlopes, WordLimits)
}

/// The interval of quantized values.
@frozen
@usableFromInline
package struct WordLimits: Sendable {
  @usableFromInline package var lowest: Int32
  @usableFromInline package var highest: Int32

  /// The values from `lowest` to `highest`.
  package init(lowest: Int32, highest: Int32) {
    self.lowest = lowest
    self.highest = highest
  }

  /// A number within the interval.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func clamp(_ value: Int32) -> Int16 {
    Int16(truncatingIfNeeded: min(max(value, lowest), highest))
  }
}

/// How two quantized values become a sum of a common scale.
@frozen
@usableFromInline
package struct WordSumTerms: Sendable {
  @usableFromInline package var left: WordFactor
  @usableFromInline package var right: WordFactor
  /// Fraction bits of the operands before they are scaled.
  @usableFromInline package var shift: Int32
  /// −1 in place of a second operand's sign for differences, else 0.
  @usableFromInline package var sign: Int32

  /// The sum, or the difference, of operands with these factors.
  package init(left: WordFactor, right: WordFactor, shift: Int32, isDifference: Bool) {
    self.left = left
    self.right = right
    self.shift = shift
    sign = isDifference ? -1 : 0
  }
}

/// A factor for each sign.
@frozen
@usableFromInline
package struct WordSlopes: Sendable {
  @usableFromInline package var above: WordFactor
  @usableFromInline package var below: WordFactor
  /// −1 where products below 0 change their sign, else 0.
  @usableFromInline package var sign: Int32

  /// These factors, of which the second may be meant to be negative.
  package init(above: WordFactor, below: WordFactor, negates: Bool) {
    self.above = above
    self.below = below
    sign = negates ? -1 : 0
  }
}

extension WordScaling {
  @_alwaysEmitIntoClient
  @inline(__always)
  func scale(_ value: Int32, twice: Bool) -> Int32 { twice ? self.twice(value) : once(value) }
}

/// Computes the sums of a row.
@_alwaysEmitIntoClient
@inline(__always)
package func sumWords(
  _ row: PlainRow, _ terms: WordSumTerms, _ factor: WordFactor, _ limits: WordLimits, twice: Bool
) {
  let (left, right, output) = (
    WordScaling(terms.left), WordScaling(terms.right), WordScaling(factor)
  )
  let (shift, sign) = (terms.shift, terms.sign)
  unsafe plainRow(row) { (a: Int16, b: Int16) -> Int16 in
    let first = left.scale(Int32(a) &<< shift, twice: twice)
    let second = right.scale(Int32(b) &<< shift, twice: twice)
    return limits.clamp(output.scale(first &+ ((second ^ sign) &- sign), twice: twice))
  }
}

/// Computes the products of a row.
@_alwaysEmitIntoClient
@inline(__always)
package func multiplyWords(
  _ row: PlainRow, _ factor: WordFactor, _ limits: WordLimits, twice: Bool
) {
  let scaling = WordScaling(factor)
  unsafe plainRow(row) { (a: Int16, b: Int16) -> Int16 in
    limits.clamp(scaling.scale(Int32(a) &* Int32(b), twice: twice))
  }
}

/// Scales the numbers of a run by their signs.
@_alwaysEmitIntoClient
@inline(__always)
package func scaleWords(
  _ run: PlainRun, _ slopes: WordSlopes, _ limits: WordLimits, twice: Bool
) {
  let (above, below, sign) = (WordScaling(slopes.above), WordScaling(slopes.below), slopes.sign)
  unsafe plainRun(run) { (x: Int16) -> Int16 in
    let upper = above.scale(Int32(x), twice: twice)
    let lower = (below.scale(Int32(x), twice: twice) ^ sign) &- sign
    // Without a branch, which would stay one for each element.
    let isNegative = Int32(x) &>> 31
    return limits.clamp((lower & isNegative) | (upper & ~isNegative))
  }
}
