// SPDX-License-Identifier: Apache-2.0

/// The least and the greatest sum of a column, for any activations: whatever its weights are, or with them, which
/// takes time to read.
package typealias ByteSumRange = (_ column: Int, _ readsWeights: Bool) -> ClosedRange<Int64>

/// How the fast form of `ByteFinish` computes a column of an operator.
struct ByteColumnRule {
  /// Whether fixed point rounds twice.
  let roundsTwice: Bool
  /// Whether the second of two roundings takes halves away from zero.
  let shiftsHalvesAway: Bool
  /// What no sum exceeds in magnitude.
  let sumBound: Int64
  /// The quantized values that there are.
  let output: ByteOutput

  /// The ways to compute a column.
  enum Column {
    /// By a factor.
    case factor(ByteFactor)
    /// As the same quantized value for every sum.
    case constant(Int32)
    /// One by one.
    case exception

    /// The exponent of a factor of 1/2 or more, by which sums are shifted left before they are
    /// scaled, in steps; nil for other columns.
    var lift: Int32? {
      guard case .factor(let factor) = self, factor.exponent >= 0 else { return nil }
      return factor.exponent
    }
  }

  /// The way to compute the column with this factor and these sums.
  func column(
    _ factor: ByteFactor, _ column: Int, _ sumRange: ByteSumRange?
  ) -> Column {
    if factor.significand == 0 { return .constant(output.zeroPoint) }
    if isRegular(factor, sumBound) { return .factor(factor) }
    if isNothing(factor) { return .constant(output.zeroPoint) }
    guard let sumRange else { return .exception }
    return self.column(factor, sumRange(column, false))
      ?? self.column(factor, sumRange(column, true)) ?? .exception
  }

  /// The way to compute the column with this factor and sums of this range, as far as that tells.
  private func column(_ factor: ByteFactor, _ range: ClosedRange<Int64>) -> Column? {
    guard let least = Int32(exactly: range.lowerBound),
      let greatest = Int32(exactly: range.upperBound)
    else { return nil }
    // Scaling by such factors is monotonic.
    if factor.significand > 0, factor.exponent < 0 {
      let value = value(least, factor)
      if value == self.value(greatest, factor) { return .constant(value) }
    }
    let bound = max(Int64(least.magnitude), Int64(greatest.magnitude))
    return isRegular(factor, bound) ? .factor(factor) : nil
  }

  /// Whether the formula of the fast form holds for sums of up to `bound`.
  private func isRegular(_ factor: ByteFactor, _ bound: Int64) -> Bool {
    guard factor.significand > 0, factor.exponent >= -21 else { return false }
    // Only kernels that round twice scale sums in steps.
    guard factor.exponent < 0 || roundsTwice, factor.exponent < 30 else { return false }
    return bound < 1 << Int64(30 - max(factor.exponent, 0))
  }

  /// Whether all sums are rounded to 0.
  private func isNothing(_ factor: ByteFactor) -> Bool {
    guard factor.significand > 0, (-31 ..< -21).contains(factor.exponent), sumBound < 1 << 30
    else { return false }
    return (sumBound * Int64(factor.significand)) >> 31 + 1 < 1 << Int64(0 - factor.exponent - 1)
  }

  private func value(_ sum: Int32, _ factor: ByteFactor) -> Int32 {
    let scaled = exactlyScaled(
      sum, significand: factor.significand, exponent: factor.exponent, roundsTwice: roundsTwice,
      shiftsHalvesAway: shiftsHalvesAway)
    return min(max(scaled &+ output.zeroPoint, output.lowest), output.highest)
  }
}
