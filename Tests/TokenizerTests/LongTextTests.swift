// SPDX-License-Identifier: Apache-2.0

import Testing
import Tokenizers

/// Texts of up to a megabyte without spaces: time proportional to their length.
@Suite struct LongTextTests {
  static let texts = [
    String(repeating: "a", count: 1 << 20), String(repeating: "é", count: 1 << 16),
    String(repeating: "\u{301}", count: 1 << 16), String(repeating: "ab中", count: 1 << 15),
    String(repeating: "▁", count: 1 << 15), String(repeating: "👩🏽‍🚀", count: 1 << 13),
  ]

  /// The time that a text may take in a debug build on a slow machine; quadratic time is far beyond.
  static let limit = Duration.seconds(60)

  private func check(_ tokenizer: some Tokenizer) throws {
    for text in Self.texts {
      let start = ContinuousClock.now
      let tokens = try tokenizer.tokens(of: text)
      #expect(ContinuousClock.now - start < Self.limit)
      // SentencePiece puts a space in front.
      #expect(tokens.count <= text.utf8.count + 1)
    }
  }

  @Test(arguments: [WordSplitting.taskLibrary, .bert(lowercases: true, stripsAccents: true)])
  func `word pieces`(splitting: WordSplitting) throws {
    try check(try WordPieceTests.tokenizer(splitting))
  }

  @Test func `regular expressions`() throws {
    try check(try RegexTokenizer(delimiter: #"[^\w\']+|a"#, vocabulary: RegexTests.vocabulary))
  }

  @Test(arguments: ["unigram", "pairs", "words", "characters"])
  func `sentence pieces`(name: String) throws {
    let model = try GoldenFolder.own.bytes("\(name).model")
    try check(try SentencePieceTokenizer(model: model))
  }
}
