// SPDX-License-Identifier: Apache-2.0

/// The range in which the true proportion lies, as far as a number of trials can tell.
public enum ProportionInterval {
  /// The 97.5 % point of the standard normal distribution, which leaves 5 % outside on both sides.
  private static let normalQuantile = 1.959963984540054

  /// The 95 % score interval for a proportion (Wilson, 1927).
  ///
  ///     p = hits / n,   z = 1.96
  ///     (p + z²/2n ± z √(p (1 − p) / n + z²/4n²)) / (1 + z²/n)
  ///
  /// Unlike p ± z √(p (1 − p) / n) it stays within 0...1 and is of use for few trials and for
  /// proportions near 0 and 1.
  ///
  /// - Parameters:
  ///   - hits: how many trials succeeded, from 0 to `trials`.
  ///   - trials: how many there were.
  /// - Returns: the interval; nil without trials.
  public static func wilson(hits: Int, of trials: Int) -> ClosedRange<Double>? {
    guard trials > 0 else { return nil }
    precondition((0...trials).contains(hits), "no more trials succeed than there are")
    let count = Double(trials)
    let proportion = Double(hits) / count
    let square = normalQuantile * normalQuantile
    let middle = proportion + square / (2 * count)
    let spread = proportion * (1 - proportion) / count + square / (4 * count * count)
    let half = normalQuantile * spread.squareRoot()
    let scale = 1 + square / count
    // At 0 and 1 one bound is the proportion itself, which rounding would miss.
    let lower = hits == 0 ? 0 : max((middle - half) / scale, 0)
    return lower...(hits == trials ? 1 : min((middle + half) / scale, 1))
  }
}
