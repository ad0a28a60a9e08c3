// SPDX-License-Identifier: Apache-2.0

/// What BERT does to a text before it is split: `BasicTokenizer` in the original's
/// `tokenization.py`, `BertNormalizer` in the package `tokenizers`.
enum BERTNormalization {
  /// A text as code points with the bytes of the original text that they come from.
  typealias Text = [(scalar: Unicode.Scalar, source: Range<Int>)]

  /// A text without control characters and U+FFFD, and with spaces for all white space.
  static func cleaned(_ text: String) -> Text {
    var result: Text = []
    result.reserveCapacity(text.utf8.count)
    var offset = 0
    for scalar in text.unicodeScalars {
      let byteCount = UTF8.width(scalar)
      defer { offset += byteCount }
      let source = offset..<(offset + byteCount)
      switch scalar.value {
      case 0x20...0x7E: result.append((scalar, source))
      case 0x09, 0x0A, 0x0D: result.append((" ", source))
      case 0, 0xFFFD: continue
      default:
        if isControl(scalar) { continue }
        result.append((scalar.properties.isWhitespace ? " " : scalar, source))
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse: true
    default: false
    }
  }

  /// A text in canonical decomposition, without marks that take no place of their own.
  static func withoutAccents(_ text: Text) -> Text {
    var decomposed: Text = []
    decomposed.reserveCapacity(text.count)
    var runStart = 0
    for (scalar, source) in text {
      // Nothing before U+00C0 decomposes or combines.
      if scalar.value < 0xC0 {
        sortMarks(&decomposed, from: runStart)
        decomposed.append((scalar, source))
        runStart = decomposed.count
        continue
      }
      for part in CanonicalDecomposition.of(scalar) {
        if part.properties.canonicalCombiningClass == .notReordered {
          sortMarks(&decomposed, from: runStart)
          decomposed.append((part, source))
          runStart = decomposed.count
        } else {
          decomposed.append((part, source))
        }
      }
    }
    sortMarks(&decomposed, from: runStart)
    return decomposed.filter { element in
      element.scalar.value < 0x300
        || element.scalar.properties.generalCategory != .nonspacingMark
    }
  }

  /// Puts a run of combining marks into the canonical order: by class, otherwise as they were.
  private static func sortMarks(_ text: inout Text, from start: Int) {
    guard text.count - start > 1 else { return }
    let marks = text[start...].enumerated().sorted { first, second in
      let firstClass = first.element.scalar.properties.canonicalCombiningClass
      let secondClass = second.element.scalar.properties.canonicalCombiningClass
      return firstClass != secondClass
        ? firstClass < secondClass : first.offset < second.offset
    }
    text.replaceSubrange(start..., with: marks.map(\.element))
  }

  /// A text in lower case, code point by code point.
  static func lowercased(_ text: Text) -> Text {
    var result: Text = []
    result.reserveCapacity(text.count)
    for (scalar, source) in text {
      if scalar.value < 0x80 {
        let isUpper = (0x41...0x5A).contains(scalar.value)
        result.append((isUpper ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar, source))
      } else {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
          result.append((lower, source))
        }
      }
    }
    return result
  }
}
