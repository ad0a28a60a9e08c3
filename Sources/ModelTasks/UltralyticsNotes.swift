// SPDX-License-Identifier: Apache-2.0

import Formatting

/// The file that Ultralytics' exports carry in place of one with a label in each line: a dictionary
/// as Python or JSON write it, with the class names under the key `names`.
///
///     {'description': 'Ultralytics YOLOv8n model', 'names': {0: 'person', 1: 'bicycle'}}
///
/// YOLOv5's `export.py` calls it `meta.txt`; Ultralytics' `engine/exporter.py` calls it
/// `temp_meta.txt` where it writes metadata of TensorFlow Lite, `metadata.json` where it does not.
package struct UltralyticsNotes: Sendable, Equatable {
  /// The most classes that are read.
  private static let classLimit = 1 << 16
  /// The most bytes that are read.
  static let byteLimit = 1 << 22
  /// What exports call the file.
  static let fileNames = ["temp_meta.txt", "meta.txt", "metadata.json"]

  /// The names by class number.
  package let classNames: [String]
  /// What the model is trained for: `detect`, `segment`, `classify`, `pose` or `obb`; nil for notes
  /// that do not say it.
  package let task: String?

  /// How many key points each thing has, and how many numbers each of them: 2, or 3 with its
  /// visibility; nil for notes that do not say it, or something that is not possible.
  package let keyPointShape: KeyPointShape?

  /// The key points of a model of poses: `kpt_shape`.
  package struct KeyPointShape: Sendable, Equatable {
    /// The most key points that are read.
    private static let countLimit = 1 << 12

    /// How many key points each thing has.
    package let count: Int
    /// The numbers of each: x, y, and perhaps visibility.
    package let fieldCount: Int

    /// The 17 of a person, with visibility.
    package static let person = KeyPointShape(checkedCount: 17, fieldCount: 3)

    /// A shape; nil where no model has it.
    package init?(count: Int, fieldCount: Int) {
      guard (1...Self.countLimit).contains(count), (2...3).contains(fieldCount) else { return nil }
      self.init(checkedCount: count, fieldCount: fieldCount)
    }

    private init(checkedCount: Int, fieldCount: Int) {
      self.count = checkedCount
      self.fieldCount = fieldCount
    }
  }

  /// The notes in a file; nil where it is none of Ultralytics: one with class names that names the
  /// author, or the stride that only these exports tell.
  package init?(_ file: [UInt8]) {
    guard file.count <= Self.byteLimit, let names = Self.names(file) else { return nil }
    let text = String(decoding: file, as: UTF8.self)
    var author = Self.value(of: "author", in: text)
    guard author?.quoted() == "Ultralytics" || Self.value(of: "stride", in: text) != nil else {
      return nil
    }
    classNames = names
    var task = Self.value(of: "task", in: text)
    self.task = task?.quoted()
    var shape = Self.value(of: "kpt_shape", in: text)
    keyPointShape = shape?.pair().flatMap { KeyPointShape(count: $0.0, fieldCount: $0.1) }
  }

  /// The names by class number; nil where the file is no such dictionary, or a number is missing.
  package static func names(_ file: [UInt8]) -> [String]? {
    guard file.first == UInt8(ascii: "{"),
      var reader = value(of: "names", in: String(decoding: file, as: UTF8.self)),
      reader.takes("{")
    else { return nil }
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

  /// What reads the value of the first such key; nil where there is none.
  private static func value(of key: String, in text: String) -> Reader? {
    guard let key = text.firstRange(ofText: "'\(key)'") ?? text.firstRange(ofText: "\"\(key)\"")
    else { return nil }
    var reader = Reader(rest: Array(text.utf8[key.upperBound...])[...])
    return reader.takes(":") ? reader : nil
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

    /// Two numbers in brackets.
    mutating func pair() -> (Int, Int)? {
      guard takes("[") || takes("("), let first = number(), takes(","), let second = number(),
        takes("]") || takes(")")
      else { return nil }
      return (first, second)
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
