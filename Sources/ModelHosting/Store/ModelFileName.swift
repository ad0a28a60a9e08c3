// SPDX-License-Identifier: Apache-2.0

import Formatting

/// The names of a model's files: `fbml_model@@app@@name.tflite`.
///
/// App and model name are percent-encoded but for letters, digits, `.`, `_` and `-`, so that
/// neither can leave the folder, hide, or contain the separator `@@`.
struct ModelFileName: Hashable, Sendable {
  private static let prefix = "fbml_model"
  private static let separator = "@@"
  /// The most bytes of a model's name, before and after encoding.
  private static let lengthLimit = 200
  /// The most bytes that a file's name has on Linux.
  private static let fileNameLimit = 255

  /// The model's name.
  let name: String
  /// What the names of all its files begin with.
  let stem: String

  /// The file that the model is in.
  var model: String { stem + ".tflite" }
  /// The record beside it.
  var record: String { stem + ".json" }
  /// What becomes the record as soon as its file has the model's name.
  var nextRecord: String { stem + ".new" }

  /// The names of the files of a model.
  ///
  /// - Throws: `HostingError` with the reason `emptyModelName` or `invalidModelName`.
  init(_ name: String, app: String) throws(HostingError) {
    guard !name.isEmpty else {
      throw HostingError(.emptyModelName, .store, "the model's name is empty")
    }
    func refuse(_ problem: String) -> HostingError {
      HostingError(.invalidModelName, .store, "a model's name \(problem)")
    }
    guard name.utf8.count <= Self.lengthLimit else {
      throw refuse("has at most \(Self.lengthLimit) bytes, not \(name.utf8.count)")
    }
    guard !name.contains("/"), !name.contains(text: ".."), name != "." else {
      throw refuse("contains neither '/' nor '..'")
    }
    let hasControls = name.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
      case _: false
      }
    }
    guard !hasControls else { throw refuse("contains no control characters") }
    let encoded = Self.encoded(name)
    guard encoded.utf8.count <= Self.lengthLimit else {
      throw refuse("has at most \(Self.lengthLimit) bytes when it is percent-encoded")
    }
    self.name = name
    stem = [Self.prefix, Self.encoded(app), encoded].joined(separator: Self.separator)
    guard stem.utf8.count + 16 <= Self.fileNameLimit else {
      throw refuse("and the app's are too long together")
    }
  }

  /// The model whose file is called `file`; nil where it is none of `app`.
  init?(file: String, app: String) {
    let start = [Self.prefix, Self.encoded(app), ""].joined(separator: Self.separator)
    let end = ".tflite"
    guard file.hasPrefix(start), file.hasSuffix(end),
      file.utf8.count > start.utf8.count + end.utf8.count,
      let name = Self.decoded(file.dropFirst(start.count).dropLast(end.count))
    else { return nil }
    do throws(HostingError) { try self.init(name, app: app) } catch { return nil }
    // Two spellings of one name would be two files of one model.
    guard model == file else { return nil }
  }

  /// `text` with all but unreserved characters percent-encoded.
  static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case _:
        result += "%"
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return result
  }

  private static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      let pair = String(decoding: rest.prefix(2), as: UTF8.self)
      guard rest.count >= 2, let value = UInt8(pair, radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
