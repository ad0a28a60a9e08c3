// SPDX-License-Identifier: Apache-2.0

/// A file with one piece a line.
///
/// Lines end at line feeds, and empty lines are left out as the Task Library does
/// (`cc/utils/common_utils.cc`), so that pieces behind them have smaller numbers.
struct VocabularyFile {
  /// Bytes of a vocabulary.
  static let byteLimit = 8 << 20
  /// Pieces of a vocabulary.
  static let pieceLimit = 1 << 20
  /// Bytes of a piece.
  static let pieceByteLimit = 8000

  /// The lines that are not empty, without line feeds.
  let lines: [ArraySlice<UInt8>]
  /// The numbers of these lines in the file, from 1.
  let numbers: [Int]

  init(_ bytes: [UInt8]) throws(TokenizerError) {
    guard bytes.count <= Self.byteLimit else {
      throw .vocabularyTooLarge(byteCount: bytes.count, limit: Self.byteLimit)
    }
    var lines: [ArraySlice<UInt8>] = []
    var numbers: [Int] = []
    var start = 0
    var number = 0
    while start < bytes.count {
      let rest = bytes[start...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      number += 1
      if end > start {
        guard end - start <= Self.pieceByteLimit else {
          throw .pieceTooLong(line: number, limit: Self.pieceByteLimit)
        }
        guard lines.count < Self.pieceLimit else { throw .tooManyPieces(limit: Self.pieceLimit) }
        lines.append(bytes[start..<end])
        numbers.append(number)
      }
      start = end + 1
    }
    guard !lines.isEmpty else { throw .emptyVocabulary }
    self.lines = lines
    self.numbers = numbers
  }

  /// A trie of the lines, numbered from 0.
  func trie() throws(TokenizerError) -> PieceTrie {
    let trie = PieceTrie(lines, numbers: lines.indices.map(Int32.init))
    if let duplicate = trie.duplicate {
      throw .duplicatePiece(
        line: numbers[duplicate.later], earlier: numbers[duplicate.earlier])
    }
    return trie
  }
}
