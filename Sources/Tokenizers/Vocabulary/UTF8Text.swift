// SPDX-License-Identifier: Apache-2.0

/// The bytes of a text, read as code points.
enum UTF8Text {
  /// The code point at `index` and how many bytes it takes; what is no UTF-8 is U+FFFD, one byte.
  @inline(__always)
  static func scalar(_ bytes: [UInt8], at index: Int) -> (value: UInt32, byteCount: Int) {
    let first = bytes[index]
    return first < 0x80 ? (UInt32(first), 1) : longScalar(bytes, at: index, first: first)
  }

  private static func longScalar(
    _ bytes: [UInt8], at index: Int, first: UInt8
  ) -> (value: UInt32, byteCount: Int) {
    let invalid: (UInt32, Int) = (0xFFFD, 1)
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard (0xC2...0xF4).contains(first), index + count <= bytes.count else { return invalid }
    var value = UInt32(first) & (0x7F >> UInt32(count))
    for offset in 1..<count {
      let byte = bytes[index + offset]
      guard byte & 0xC0 == 0x80 else { return invalid }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    let least: UInt32 = count == 2 ? 0x80 : count == 3 ? 0x800 : 0x10000
    guard value >= least, Unicode.Scalar(value) != nil else { return invalid }
    return (value, count)
  }

  /// How many bytes a code point that begins with `byte` takes, without a look at those behind it.
  static func byteCount(first byte: UInt8) -> Int {
    switch byte >> 4 {
    case 12, 13: 2
    case 14: 3
    case 15: 4
    default: 1
    }
  }

  /// ASCII letters in lower case, all else as it is, as `absl::AsciiStrToLower` does.
  static func asciiLowercased(_ text: String) -> String {
    String(
      decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Whether a code point is a letter of Chinese characters that BERT has as words of their own.
  static func isChineseCharacter(_ value: UInt32) -> Bool {
    switch value {
    case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F,
      0x2B740...0x2B81F, 0x2B820...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
      true
    default: false
    }
  }

  /// Whether a code point is of one of Unicode's categories of punctuation.
  static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation:
      true
    default: false
    }
  }

  /// Whether a byte is a printable character of ASCII that is no letter and no digit.
  static func isASCIIPunctuation(_ value: UInt32) -> Bool {
    switch value {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}
