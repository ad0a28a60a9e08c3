// SPDX-License-Identifier: Apache-2.0

/// A fixed-point factor that runs of 32-bit numbers are scaled by, exactly as TFLite does.
@frozen
@usableFromInline
package struct WordFactor: Sendable {
  /// The leading 31 bits.
  @usableFromInline package var significand: Int32
  /// The power of two.
  @usableFromInline package var exponent: Int32
  /// Whether products are rounded twice, as gemmlowp does; else once, half towards +∞.
  @usableFromInline package var roundsTwice: Bool

  /// The factor `significand · 2^(exponent − 31)`; nil for those that no vector kernel has.
  package init?(significand: Int32, exponent: Int32, roundsTwice: Bool) {
    guard significand != .min, (-31...30).contains(exponent) else { return nil }
    self.significand = significand
    self.exponent = exponent
    self.roundsTwice = roundsTwice
  }
}

/// `WordFactor` for loops: what shifts left, and what shifts right.
@frozen
@usableFromInline
package struct WordScaling {
  @usableFromInline let significand: Int64
  @usableFromInline let left: Int32
  @usableFromInline let right: Int32
  @usableFromInline let mask: Int32
  @usableFromInline let bias: Int64
  @usableFromInline let shift: Int64

  @_alwaysEmitIntoClient
  @inline(__always)
  package init(_ factor: WordFactor) {
    significand = Int64(factor.significand)
    left = max(factor.exponent, 0)
    right = max(0 &- factor.exponent, 0)
    mask = Int32(truncatingIfNeeded: (1 as Int64) &<< Int64(right) &- 1)
    shift = 31 &- Int64(factor.exponent)
    bias = 1 &<< (shift &- 1)
  }

  /// `value` times the factor with two roundings: half towards +∞, then half away from zero.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func twice(_ value: Int32) -> Int32 {
    let product = Int64(value &<< left) &* significand
    let high = Int32(truncatingIfNeeded: (product &+ 1 &<< 30) &>> 31)
    let threshold = (mask &>> 1) &- (high &>> 31)
    return (high &>> right) &+ (high & mask > threshold ? 1 : 0)
  }

  /// `value` times the factor with one rounding, half towards +∞.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func once(_ value: Int32) -> Int32 {
    let scaled = (Int64(value) &* significand &+ bias) &>> shift
    return Int32(truncatingIfNeeded: min(max(scaled, Int64(Int32.min)), Int64(Int32.max)))
  }
}
