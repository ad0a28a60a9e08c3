// SPDX-License-Identifier: Apache-2.0

/// A function of 16-bit quantized values by a table of 255 steps, between whose ends results are
/// interpolated, as TFLite has the logistic function and the hyperbolic tangent.
@unsafe
@frozen
@usableFromInline
package struct WordSigmoid {
  /// For each index an entry of the table, and above 16 bits what the next one has more; the last
  /// one is for all operands beyond.
  @usableFromInline package var entries: UnsafePointer<UInt32>
  /// What brings operands to the table's scale.
  @usableFromInline package var multiplier: Int32
  /// Bits by which the product is too large; halves are rounded up.
  @usableFromInline package var shift: Int32
  /// How entries become results.
  @usableFromInline package var form: Form

  /// How entries become results.
  @frozen
  @usableFromInline
  package struct Form: Sendable {
    /// Bits of an operand's magnitude that lie between two entries.
    @usableFromInline package var fractionBits: UInt32
    /// Bits that a result has less than what is between two entries.
    @usableFromInline package var shift: Int32
    /// What is added to the values of operands from 0 on, with the half that rounds.
    @usableFromInline package var positive: Int32
    /// What the values of negative operands are subtracted from.
    @usableFromInline package var negative: Int32

    /// The form of these parts.
    package init(fractionBits: UInt32, shift: Int32, positive: Int32, negative: Int32) {
      self.fractionBits = fractionBits
      self.shift = shift
      self.positive = positive
      self.negative = negative
    }
  }

  /// The function of these parts.
  package init(
    entries: UnsafePointer<UInt32>, multiplier: Int32, shift: Int32, form: Form
  ) {
    unsafe self.entries = entries
    unsafe self.multiplier = multiplier
    unsafe self.shift = shift
    unsafe self.form = form
  }
}

/// Applies a function to a run of numbers, without branches.
@_alwaysEmitIntoClient
@inline(__always)
package func applySigmoid(_ run: PlainRun, _ sigmoid: WordSigmoid) {
  let (form, entries) = unsafe (sigmoid.form, sigmoid.entries)
  let (multiplier, shift) = unsafe (sigmoid.multiplier, sigmoid.shift)
  let rounding: Int32 = shift > 0 ? 1 &<< (shift &- 1) : 0
  let fraction = (1 as UInt32) &<< form.fractionBits &- 1
  let toNegative = form.negative &- form.positive
  unsafe plainLoop(run) { (number: Int16) -> Int16 in
    let operand = (Int32(number) &* multiplier &+ rounding) &>> shift
    let sign = operand &>> 31
    let magnitude = UInt32(bitPattern: (operand ^ sign) &- sign)
    let entry = unsafe entries[Int(min(magnitude &>> form.fractionBits, 255))]
    let low = (entry & 0xFFFF) &<< form.fractionBits
    let value = Int32(bitPattern: low &+ (magnitude & fraction) &* (entry &>> 16))
    let nudged = (value ^ sign) &- sign &+ form.positive &+ (sign & toNegative)
    return Int16(truncatingIfNeeded: nudged &>> form.shift)
  }
}
