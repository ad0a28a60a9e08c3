// SPDX-License-Identifier: Apache-2.0

/// The date that builds which must repeat take for the present one.
///
/// Source: <https://reproducible-builds.org/specs/source-date-epoch/>.
package struct SourceDate {
  /// Seconds since the beginning of 1970, without leap seconds.
  private let seconds: Int

  /// The date in a variable's text, a number of seconds; nil for no such text, and for dates after
  /// the year 9999.
  package init?(_ text: String?) {
    guard let text, let seconds = Int(text), (0..<253_402_300_800).contains(seconds) else {
      return nil
    }
    self.seconds = seconds
  }

  /// The date in UTC, as `2026-11-22T15:04:05Z`.
  ///
  /// Source: <https://howardhinnant.github.io/date_algorithms.html>, `civil_from_days`.
  package var text: String {
    let days = seconds / 86_400 + 719_468
    let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let rest = seconds % 86_400
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(day))T"
      + "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }
}
