// SPDX-License-Identifier: Apache-2.0

import Formatting

extension JSON {
  /// The document as text: objects and lists of them over several lines, lists of plain values
  /// on one.
  package var prettyText: String {
    var text = ""
    write(to: &text, indentation: "")
    return text
  }

  /// The document as text on one line.
  package var compactText: String {
    var text = ""
    write(to: &text, indentation: nil)
    return text
  }

  private func write(to text: inout String, indentation: String?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .number(let value): text += Self.text(value, "\(value)")
    case .float(let value): text += Self.text(Double(value), "\(value)")
    case .string(let value): Self.write(value, to: &text)
    case .array(let elements):
      if indentation != nil, elements.allSatisfy(\.isPlain) {
        text += "[\(elements.map(\.compactText).joined(separator: ", "))]"
        return
      }
      Self.write(elements, "[", "]", to: &text, indentation: indentation) {
        $0.write(to: &$1, indentation: $2)
      }
    case .object(let members):
      Self.write(members, "{", "}", to: &text, indentation: indentation) {
        Self.write($0.key, to: &$1)
        $1 += $2 == nil ? ":" : ": "
        $0.value.write(to: &$1, indentation: $2)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String,
    indentation: String?, one: (Element, inout String, String?) -> Void
  ) {
    let inner = indentation.map { $0 + "  " }
    let lineBreak = inner.map { "\n" + $0 } ?? ""
    text += open
    for (position, element) in elements.enumerated() {
      if position > 0 { text += "," }
      text += lineBreak
      one(element, &text, inner)
    }
    if let indentation, !elements.isEmpty { text += "\n" + indentation }
    text += close
  }

  private var isPlain: Bool {
    switch self {
    case .null, .bool, .integer, .number, .float, .string: true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    }
  }

  /// `shortest` where the number is finite, which is valid JSON as Swift writes it.
  private static func text(_ value: Double, _ shortest: String) -> String {
    if value.isFinite { return shortest }
    if value.isNaN { return "\"NaN\"" }
    return value < 0 ? "\"-Infinity\"" : "\"Infinity\""
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    guard !string.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
    else { return text += string }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.actsOnText:
        // Characters beyond the first 65,536 are two units.
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      case _: text.unicodeScalars.append(scalar)
      }
    }
  }
}
