// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Tokenizers

/// What make_goldens.py wrote.
struct GoldenFolder: CustomTestStringConvertible, Sendable {
  let url: URL
  let testDescription: String

  /// The goldens beside this file, and those that the environment names.
  static let all: [GoldenFolder] = {
    let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Goldens")
    let other = ProcessInfo.processInfo.environment["MARTLET_TOKENIZER_GOLDENS"]
    return [GoldenFolder(url: own, testDescription: "Goldens")]
      + (other.map { [GoldenFolder(url: URL(fileURLWithPath: $0), testDescription: $0)] } ?? [])
  }()

  /// The goldens beside this file.
  static var own: GoldenFolder { all[0] }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appendingPathComponent(name)))
  }

  func lines(_ name: String) throws -> [String] {
    var lines = String(decoding: try bytes(name), as: UTF8.self)
      .split(separator: "\n" as Character, omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Lines of hexadecimal digits as texts.
  func texts(_ name: String) throws -> [String] { try lines(name).map(Self.text) }

  static func text(_ hex: String) -> String {
    let digits = Array(hex.utf8)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
      UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The names of the models of SentencePiece, without their endings.
  func models() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).filter {
      $0.hasSuffix(".model")
    }.map { String($0.dropLast(6)) }.sorted()
  }

  /// The texts of which the tokens are not those of the file: the text, what is, what should be.
  func differences(
    _ name: String, _ tokens: (String) throws -> [Token]
  ) throws -> [(text: String, found: String, expected: String)] {
    let texts = try texts("texts.hex")
    let expected = try lines("\(name).tokens")
    var differences: [(String, String, String)] = []
    for (text, line) in zip(texts, expected) {
      let found = try tokens(text).map { "\($0.id):\($0.range.lowerBound):\($0.range.upperBound)" }
        .joined(separator: " ")
      if found != line { differences.append((text, found, line)) }
    }
    if texts.count != expected.count || texts.count < 200 {
      differences.append(("", "\(texts.count) texts", "\(expected.count) lines"))
    }
    return differences
  }
}
