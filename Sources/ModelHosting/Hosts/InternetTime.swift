// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Points in time as RFC 3339 writes them: `2021-01-20T04:20:10.220Z`.
///
/// Foundation's formatter takes times either with or without a fraction, and on Linux gives
/// the year 2000 for what it does not understand.
enum InternetTime {
  /// The time that `text` says; nil where it is none.
  static func date(_ text: String) -> Date? {
    var reader = Reader(rest: Array(text.utf8)[...])
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2), reader.skip("T") || reader.skip("t"),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
      reader.skip(":"), let second = reader.number(2),
      let fraction = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty,
      (1...12).contains(month), (1...days(month, year)).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    let seconds = ((days(before: year, month, day) * 24 + hour) * 60 + minute - offset) * 60
    return Date(timeIntervalSince1970: Double(seconds + second) + fraction)
  }

  private static func days(_ month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// The days from 1970 to a date, with years that begin in March so that a leap day ends one.
  private static func days(before year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    // Years are not negative; the year before 0 is 400 years of 146097 days earlier.
    let cycle = shifted < 0 ? -1 : shifted / 400
    let yearOfCycle = shifted - cycle * 400
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * 146_097 + dayOfCycle - 719_468
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard let first = rest.first, UInt32(first) == character.value else { return false }
      rest.removeFirst()
      return true
    }

    /// A number of exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
      rest = rest.dropFirst(count)
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The fraction of a second, which may be missing.
    mutating func fraction() -> Double? {
      guard skip(".") else { return 0 }
      let digits = rest.prefix(while: Self.isDigit)
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty else { return nil }
      return digits.prefix(9).reversed().reduce(0.0) { ($0 + Double($1 - 0x30)) / 10 }
    }

    /// How many minutes the local time is ahead.
    mutating func offset() -> Int? {
      if skip("Z") || skip("z") { return 0 }
      let isAhead = skip("+")
      guard isAhead || skip("-"), let hours = number(2), skip(":"), let minutes = number(2),
        hours < 24, minutes < 60
      else { return nil }
      return (hours * 60 + minutes) * (isAhead ? 1 : -1)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  }
}
