// SPDX-License-Identifier: Apache-2.0

/// What a file that should be a model is, judged by its first bytes.
enum FileKind {
  /// Throws an error that says what the file is, unless it carries a model's identifier.
  static func requireModel(_ bytes: Span<UInt8>) throws(ModelError) {
    guard bytes.count > 0 else { throw ModelError(.notAModel(found: "an empty file")) }
    guard bytes.count >= 8 else {
      throw ModelError(.notAModel(found: "a file of only \(bytes.count) bytes"))
    }
    guard !matches(bytes, "TFL3", at: 4) else { return }
    throw ModelError(.notAModel(found: name(bytes)))
  }

  private static func name(_ bytes: Span<UInt8>) -> String {
    for (offset, prefix, name) in signatures where matches(bytes, prefix, at: offset) {
      return name
    }
    // Bundles are padded so that their first model lies aligned.
    var padding = 0
    while padding < 3, bytes[padding] == 0 { padding += 1 }
    if matches(bytes, "PK\u{3}\u{4}", at: padding) { return "a zip archive" }
    for start in 0..<min(64, bytes.count) where !isSpace(bytes[start]) {
      if matches(bytes, "<!doctype html", at: start) || matches(bytes, "<html", at: start) {
        return "an HTML page"
      }
      if matches(bytes, "<", at: start) { return "an XML or HTML document" }
      if matches(bytes, "{", at: start) { return "a JSON document" }
      break
    }
    return "a file without the identifier \"TFL3\""
  }

  /// Text, compared without regard to the case of letters, that marks other kinds of file.
  private static let signatures: [(offset: Int, prefix: String, name: String)] = [
    (8, "TFL3", "a size-prefixed FlatBuffer"),
    (4, "TFL", "a model of another schema version"),
    (4, "M001", "TensorFlow Lite metadata"),
    (0, "PK\u{3}\u{4}", "a zip archive"),
    (0, "PK\u{5}\u{6}", "an empty zip archive"),
    (1, "PNG\r\n", "a PNG image"),
    (1, "HDF\r\n", "an HDF5 file, such as a Keras model"),
    (0, "version https://git-lfs", "a Git LFS pointer, not the file itself"),
    (257, "ustar", "a tar archive"),
    (0, "\u{1f}", "a gzip archive"),
    (0, "\u{8}\u{3}", "an ONNX or TensorFlow protocol buffer"),
    (0, "\u{8}\u{4}", "an ONNX or TensorFlow protocol buffer"),
    (0, "\u{8}\u{6}", "an ONNX or TensorFlow protocol buffer"),
    (0, "\u{8}\u{7}", "an ONNX or TensorFlow protocol buffer"),
    (0, "\u{8}\u{8}", "an ONNX or TensorFlow protocol buffer"),
    (0, "\0\0\0\0\0\0\0\0", "a file that begins with zeros"),
  ]

  private static func matches(_ bytes: Span<UInt8>, _ prefix: String, at offset: Int) -> Bool {
    var position = offset
    for byte in prefix.utf8 {
      guard position < bytes.count, lowercase(bytes[position]) == lowercase(byte) else {
        return false
      }
      position += 1
    }
    return true
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    65...90 ~= byte ? byte + 32 : byte
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 32 || 9...13 ~= byte
  }
}
