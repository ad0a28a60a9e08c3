// SPDX-License-Identifier: Apache-2.0

/// Bytes of models of SentencePiece, field by field.
enum SentencePieceBytes {
  static func varint(_ value: Int) -> [UInt8] {
    var rest = UInt64(bitPattern: Int64(value))
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func field(_ number: Int, _ value: Int) -> [UInt8] { varint(number << 3) + varint(value) }

  static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(bytes.count) + bytes
  }

  /// A piece of a kind: 1 normal, 2 unknown, 3 control, 4 defined by a user, 5 unused, 6 byte.
  static func piece(_ text: String, _ score: Float = 0, kind: Int = 1) -> [UInt8] {
    let bits = score.bitPattern
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
    return field(1, field(1, Array(text.utf8)) + varint(2 << 3 | 5) + bytes + field(3, kind))
  }

  /// A model of a kind, 1 for unigram and 2 for byte pairs, and its normalization's fields.
  static func model(
    _ pieces: [[UInt8]], kind: Int = 1, training: [UInt8] = [], normalization: [UInt8] = []
  ) -> [UInt8] {
    pieces.joined() + field(2, field(3, kind) + training) + field(3, normalization)
  }

  static let unknown = piece("<unk>", kind: 2)

  /// A table of replacements: a trie of one unit for each 4 bytes, and the replacements.
  static func characterMap(_ units: [UInt32], _ replacements: String) -> [UInt8] {
    let all = units + [UInt32](repeating: 0, count: max(0, 256 - units.count))
    func word(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    }
    return word(UInt32(4 * all.count)) + all.flatMap(word) + Array(replacements.utf8) + [0]
  }
}
