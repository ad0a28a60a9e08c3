// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text as XML and HTML have it in content, and in attributes between double quotation marks.
  ///
  /// Characters that they lack, and those that act on the text around them, become U+FFFD. Line
  /// breaks and tabs become references.
  package var xmlEscaped: String {
    var escaped = ""
    escaped.append(xmlEscaped: self, keepsLines: false)
    return escaped
  }

  /// Appends text as `xmlEscaped` has it; where it `keepsLines`, line feeds and tabs stay.
  package mutating func append(xmlEscaped text: String, keepsLines: Bool) {
    guard !text.utf8.allSatisfy(\.isPlain) else { return self += text }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": self += "&amp;"
      case "<": self += "&lt;"
      case ">": self += "&gt;"
      case "\"": self += "&quot;"
      case "\t", "\n", "\r":
        if keepsLines && scalar != "\r" {
          unicodeScalars.append(scalar)
        } else {
          self += "&#\(scalar.value);"
        }
      case _ where scalar.actsOnText || scalar.isNoCharacter: self += "\u{FFFD}"
      default: unicodeScalars.append(scalar)
      }
    }
  }
}

extension UInt8 {
  /// Whether the byte is a character of ASCII that XML has as it is, wherever it stands.
  fileprivate var isPlain: Bool {
    switch self {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
    case 0x20...0x7E: true
    case _: false
    }
  }
}

extension Unicode.Scalar {
  /// Whether the code point is one that Unicode never gives a character to.
  fileprivate var isNoCharacter: Bool {
    (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE
  }
}
