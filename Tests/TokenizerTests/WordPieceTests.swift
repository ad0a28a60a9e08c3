// SPDX-License-Identifier: Apache-2.0

import Testing
import Tokenizers

/// Words cut into pieces of small vocabularies, with expectations from the originals' tests.
@Suite struct WordPieceTests {
  /// The vocabulary of `bert_tokenizer_test.cc` in both originals, cut down.
  static let vocabulary = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "i", "'", "m", "question", "token", "##ize", "##r",
    "me", "plea", "##se", "é", "e", "istanbul", "中", ",", "##é",
  ]

  static func tokenizer(
    _ splitting: WordSplitting = .taskLibrary, _ vocabulary: [String] = vocabulary
  ) throws -> WordPieceTokenizer {
    var options = WordPieceTokenizer.Options()
    options.splitting = splitting
    return try WordPieceTokenizer(
      vocabulary: Array(vocabulary.map { $0 + "\n" }.joined().utf8), options: options)
  }

  @Test func `words are cut into the longest pieces`() throws {
    let tokens = try Self.tokenizer().tokens(of: "tokenizer me  please i'm question tokenx")
    #expect(
      tokens.map(\.piece) == [
        "token", "##ize", "##r", "me", "plea", "##se", "i", "'", "m", "question", "[UNK]",
      ])
    #expect(tokens.map(\.id) == [8, 9, 10, 11, 12, 13, 4, 5, 6, 7, 1])
    #expect(tokens[1].range == 5..<8)
    #expect(tokens[10].range == 34..<40)
  }

  @Test func `only BERT's own splitting changes letters`() throws {
    #expect(try Self.tokenizer().tokens(of: "ME É").map(\.id) == [1, 1])
    let uncased = try Self.tokenizer(.bert(lowercases: true, stripsAccents: true))
    let tokens = uncased.tokens(of: "ME\u{200B} \u{C9} E\u{301}\u{300}, \u{130}stanbul中")
    #expect(tokens.map(\.piece) == ["me", "e", "e", ",", "istanbul", "中"])
    // The accents belong to no token, and the letter with a dot of its own to one.
    #expect(tokens[1].range == 6..<8)
    #expect(tokens[2].range == 9..<10)
    let cased = try Self.tokenizer(.bert(lowercases: false, stripsAccents: false))
    #expect(cased.tokens(of: "E é").map(\.id) == [1, 14])
  }

  @Test func `pieces are compared by their bytes`() throws {
    let tokenizer = try Self.tokenizer()
    #expect(tokenizer.id(of: "\u{E9}") == 14)
    #expect(tokenizer.id(of: "e\u{301}") == nil)
    #expect(tokenizer.piece(of: 19) == "##é")
    #expect(tokenizer.piece(of: 20) == nil)
    #expect(tokenizer.piece(of: -1) == nil)
    #expect(tokenizer.count == 20)
  }

  @Test func `words are unknown beyond 100 bytes`() throws {
    let tokenizer = try Self.tokenizer(.taskLibrary, ["[UNK]", "é", "##é", "e", "##e"])
    let long = String(repeating: "é", count: 50)
    #expect(tokenizer.tokens(of: long).count == 50)
    #expect(tokenizer.tokens(of: long + "e").map(\.id) == [0])
    #expect(tokenizer.tokens(of: "e " + long + "é e").map(\.id) == [3, 0, 3])
  }

  @Test func `a vocabulary without the unknown piece numbers it 0`() throws {
    let tokens = try Self.tokenizer(.taskLibrary, ["a", "b"]).tokens(of: "x b")
    #expect(tokens.map(\.id) == [0, 1])
    #expect(tokens.map(\.piece) == ["[UNK]", "b"])
  }

  @Test func `empty lines do not count`() throws {
    let tokenizer = try WordPieceTokenizer(vocabulary: Array("\na\n\nb".utf8))
    #expect(tokenizer.tokens(of: "a b").map(\.id) == [0, 1])
  }

  @Test func `broken vocabularies are refused`() {
    func error(_ bytes: [UInt8]) -> TokenizerError? {
      #expect(throws: TokenizerError.self) { try WordPieceTokenizer(vocabulary: bytes) }
    }
    #expect(error([]) == .emptyVocabulary)
    #expect(error(Array("\n\n".utf8)) == .emptyVocabulary)
    #expect(error(Array("a\nb\n\nb\n".utf8)) == .duplicatePiece(line: 4, earlier: 2))
    #expect(
      error([UInt8](repeating: 97, count: 8001)) == .pieceTooLong(line: 1, limit: 8000))
    #expect(
      error([UInt8](repeating: 10, count: (8 << 20) + 1))
        == .vocabularyTooLarge(byteCount: (8 << 20) + 1, limit: 8 << 20))
    let many = (0...(1 << 20)).map { String($0, radix: 36) }.joined(separator: "\n")
    #expect(error(Array(many.utf8)) == .tooManyPieces(limit: 1 << 20))
  }

  @Test func `a vocabulary of other bytes than text has its pieces`() throws {
    let tokenizer = try WordPieceTokenizer(vocabulary: [0xFF, 10, 0x80, 13, 10, 97])
    #expect(tokenizer.count == 3)
    #expect(tokenizer.tokens(of: "a").map(\.id) == [2])
  }
}
