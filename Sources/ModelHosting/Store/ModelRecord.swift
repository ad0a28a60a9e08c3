// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is known of a model on disk: the JSON document beside its file.
struct ModelRecord: Codable, Hashable, Sendable {
  static let currentSchema = "martlet/model-record/1"
  /// The most bytes of a record.
  static let lengthLimit = 64 << 10

  /// Which form the document has.
  var schema = ModelRecord.currentSchema
  /// The model's name.
  var name: String
  /// The hash that the host gave: the `ETag` as it was received.
  var hash: String
  /// The size in bytes.
  var size: Int
  /// The SHA-256 of the file.
  var sha256: String
  /// The address that the file came from, without its query.
  var source: String

  /// The record in `bytes`; nil where they are none, or one of another model.
  init?(_ bytes: [UInt8], of name: String) {
    guard let record = try? JSONDecoder().decode(ModelRecord.self, from: Data(bytes)),
      record.schema == Self.currentSchema, record.name == name, record.size > 0,
      Digest.isSHA256(record.sha256), Digest.isHash(record.hash)
    else { return nil }
    self = record
  }

  init(name: String, hash: String, size: Int, sha256: String, source: String) {
    self.name = name
    self.hash = hash
    self.size = size
    self.sha256 = sha256
    self.source = source
  }

  /// The document.
  func encoded() -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    // Strings and integers always encode.
    return (try? encoder.encode(self)).map { Array($0) + [0x0A] } ?? []
  }
}
