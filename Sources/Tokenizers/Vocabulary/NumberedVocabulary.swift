// SPDX-License-Identifier: Apache-2.0

/// A vocabulary whose lines are a piece, a space and the piece's number.
///
/// Task Library: `LoadVocabAndIndexFromBuffer` in `cc/utils/common_utils.cc`. What follows the
/// number behind another space does not count.
struct NumberedVocabulary: Sendable {
  private let trie: PieceTrie
  private let ids: [Int]
  private let pieces: [Int: ArraySlice<UInt8>]

  init(_ bytes: [UInt8]) throws(TokenizerError) {
    let file = try VocabularyFile(bytes)
    var keys: [ArraySlice<UInt8>] = []
    var ids: [Int] = []
    for (line, number) in zip(file.lines, file.numbers) {
      let fields = line.split(
        separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count > 1, let id = Self.number(fields[1]) else { throw .malformedLine(number) }
      keys.append(fields[0])
      ids.append(id)
    }
    // Of keys that are the same, the trie keeps the last.
    trie = PieceTrie(keys, numbers: keys.indices.map(Int32.init))
    pieces = Dictionary(zip(ids, keys), uniquingKeysWith: { _, later in later })
    self.ids = ids
  }

  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    let digits = field.last == UInt8(ascii: "\r") ? field.dropLast() : field
    return Int32(String(decoding: digits, as: UTF8.self)).map(Int.init)
  }

  /// How many numbers have a piece.
  var count: Int { pieces.count }

  func id(of piece: String) -> Int? { trie.number(of: piece.utf8).map { ids[$0] } }

  func id(of piece: ArraySlice<UInt8>) -> Int? { trie.number(of: piece).map { ids[$0] } }

  func piece(of id: Int) -> String? {
    pieces[id].map { String(decoding: $0, as: UTF8.self) }
  }
}
