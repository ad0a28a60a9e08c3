// SPDX-License-Identifier: Apache-2.0

import Formatting
import ModelTasks

/// The file that Ultralytics' exports carry in place of one with a label in each line: a dictionary
/// as Python or JSON write it, with the class names under the key `names`.
///
///     {'description': 'Ultralytics YOLOv8n model', 'names': {0: 'person', 1: 'bicycle'}}
package enum UltralyticsNotes {
  /// The most classes that are read.
  private static let classLimit = 1 << 16

  /// The names by class number; nil where the file is no such dictionary, or a number is missing.
  package static func names(_ file: [UInt8]) -> [String]? {
    let text = String(decoding: file, as: UTF8.self)
    guard file.first == UInt8(ascii: "{"),
      let key = text.firstRange(ofText: "'names'") ?? text.firstRange(ofText: "\"names\"")
    else { return nil }
    var reader = Reader(rest: Array(text.utf8[key.upperBound...])[...])
    guard reader.takes(":"), reader.takes("{") else { return nil }
    var names: [Int: String] = [:]
    while !reader.takes("}") {
      guard names.count < classLimit, let number = reader.number(), reader.takes(":"),
        let name = reader.quoted()
      else { return nil }
      names[number] = name
      if !reader.takes(",") {
        guard reader.takes("}") else { return nil }
        break
      }
    }
    let list = (0..<names.count).compactMap { names[$0] }
    return list.isEmpty || list.count != names.count ? nil : list
  }

  /// Reads from the front of some text.
  private struct Reader {
    var rest: ArraySlice<UInt8>

    /// Whether `character` comes next, behind white space; it is taken then.
    mutating func takes(_ character: Unicode.Scalar) -> Bool {
      while let first = rest.first, first == 0x20 || (0x09...0x0D).contains(first) {
        rest = rest.dropFirst()
      }
      guard let first = rest.first, UInt32(first) == character.value else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// A number of up to nine digits, perhaps in quotation marks.
    mutating func number() -> Int? {
      let quotes = takes("'") || takes("\"")
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...9).contains(digits.count) else { return nil }
      rest = rest.dropFirst(digits.count)
      if quotes, !takes("'"), !takes("\"") { return nil }
      return digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }
    }

    /// A text in quotation marks; a backslash stands before a character that is taken as it is.
    mutating func quoted() -> String? {
      let mark: UInt8 = takes("'") ? 0x27 : 0x22
      guard mark == 0x27 || takes("\"") else { return nil }
      var bytes: [UInt8] = []
      while let byte = rest.popFirst() {
        if byte == mark { return String(decoding: bytes, as: UTF8.self) }
        if byte == UInt8(ascii: "\\") {
          guard let escaped = rest.popFirst() else { return nil }
          bytes.append(escaped)
        } else {
          bytes.append(byte)
        }
      }
      return nil
    }
  }
}
