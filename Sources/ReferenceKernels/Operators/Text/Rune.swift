// SPDX-License-Identifier: Apache-2.0

/// A code point as Plan 9's library for UTF-8 reads it from bytes and writes it.
///
/// It differs from a Unicode scalar: surrogates are read like any other code point. MediaPipe and
/// TensorFlow Lite Support: `rune.c`.
package struct Rune: Sendable, Hashable {
  /// The code point, at most U+10FFFF.
  package let value: UInt32

  /// The rune of a code point, at most U+10FFFF.
  package init(value: UInt32) { self.value = value }

  /// What stands for bytes that are no UTF-8, U+FFFD.
  package static let error = Rune(value: 0xfffd)

  /// The least code point of each length from two bytes on, and its lead bytes.
  private static let lengths: [(least: UInt32, leads: Range<UInt8>)] = [
    (0x80, 0xc0..<0xe0), (0x800, 0xe0..<0xf0), (0x1_0000, 0xf0..<0xf8),
  ]

  /// The rune at the beginning of `bytes`, and of how many bytes it consists.
  ///
  /// The count is 0, and the rune `error`, where bytes are missing at the end; it is 1, and the
  /// rune `error`, where they are wrong.
  package static func first(of bytes: ArraySlice<UInt8>) -> (rune: Rune, byteCount: Int) {
    guard let lead = bytes.first else { return (.error, 0) }
    if lead < 0x80 { return (Rune(value: UInt32(lead)), 1) }
    var value = UInt32(lead)
    for (index, length) in lengths.enumerated() {
      let position = bytes.startIndex + index + 1
      guard position < bytes.endIndex else { return (.error, 0) }
      guard bytes[position] & 0xc0 == 0x80 else { return (.error, 1) }
      value = value << 6 | UInt32(bytes[position] & 0x3f)
      if lead < length.leads.upperBound {
        // Of the lead byte, its mark is cut off.
        value &= 1 << UInt32(11 + 5 * index) - 1
        let isWritten = length.leads.contains(lead) && value >= length.least
        return isWritten && value <= 0x10_ffff ? (Rune(value: value), index + 2) : (.error, 1)
      }
    }
    return (.error, 1)
  }

  /// The bytes of the rune.
  package var utf8: [UInt8] {
    func part(_ shift: UInt32) -> UInt8 { UInt8(0x80 | value >> shift & 0x3f) }
    return switch value {
    case 0..<0x80: [UInt8(value)]
    case 0x80..<0x800: [UInt8(0xc0 | value >> 6), part(0)]
    case 0x800..<0x1_0000: [UInt8(0xe0 | value >> 12), part(6), part(0)]
    default: [UInt8(0xf0 | value >> 18 & 7), part(12), part(6), part(0)]
    }
  }

  /// Whether it is a letter of Unicode 6.2.
  package var isLetter: Bool {
    let letters = RuneTables.letters
    // How many ranges begin at the rune or before it.
    var (lower, upper) = (0, letters.count / 2)
    while lower < upper {
      let middle = (lower + upper) / 2
      if letters[2 * middle] <= value { lower = middle + 1 } else { upper = middle }
    }
    return lower > 0 && value <= letters[2 * lower - 1]
  }

  /// Its lower-case letter, or the rune itself if it is none or has none.
  package var lowercased: Rune {
    let runs = RuneTables.lowerCaseRuns
    var (lower, upper) = (0, runs.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if runs[middle].first <= value { lower = middle + 1 } else { upper = middle }
    }
    // Two runs may interleave, each with every other letter.
    for run in runs[max(0, lower - 2)..<lower].reversed()
    where value <= run.last && (value - run.first) % run.step == 0 {
      return Rune(value: UInt32(bitPattern: Int32(bitPattern: value) &+ run.offset))
    }
    return self
  }
}
