// SPDX-License-Identifier: Apache-2.0

import Testing
import Tokenizers

/// Inputs of models, with expectations worked out by hand from the originals' drawings.
@Suite struct ModelInputTests {
  let bert: WordPieceTokenizer

  init() throws { bert = try WordPieceTests.tokenizer() }

  @Test func `one text`() throws {
    let inputs = try BertInputs("I'm QUESTION é", tokenizer: bert, length: 10)
    #expect(inputs.ids == [2, 4, 5, 6, 7, 14, 3, 0, 0, 0])
    #expect(inputs.mask == [1, 1, 1, 1, 1, 1, 1, 0, 0, 0])
    #expect(inputs.segments == [Int32](repeating: 0, count: 10))
    #expect(try BertInputs("i m", tokenizer: bert, length: nil).ids == [2, 4, 6, 3])
    #expect(try BertInputs("I", tokenizer: bert, length: 3, lowercases: false).ids == [2, 1, 3])
  }

  @Test func `a text that is too long`() throws {
    #expect(try BertInputs("i i m m", tokenizer: bert, length: 4).ids == [2, 4, 4, 3])
    #expect(try BertInputs("i", tokenizer: bert, length: 2).ids == [2, 3])
    #expect(throws: TokenizerError.lengthTooSmall(1, minimum: 2)) {
      try BertInputs("i", tokenizer: bert, length: 1)
    }
  }

  /// What `_truncate_seq_pair` of the original BERT leaves, token by token.
  @Test(arguments: 0..<8, 0..<8)
  func `two texts`(first: Int, second: Int) throws {
    for room in 0..<12 {
      var (left, right) = (first, second)
      while left + right > room {
        if left > right { left -= 1 } else { right -= 1 }
      }
      let inputs = try BertInputs(
        String(repeating: "i ", count: first), String(repeating: "m ", count: second),
        tokenizer: bert, length: room + 3)
      let expected: [Int32] =
        [2] + [Int32](repeating: 4, count: left) + [3] + [Int32](repeating: 6, count: right) + [3]
      let padding = [Int32](repeating: 0, count: room - left - right)
      #expect(inputs.ids == expected + padding)
      #expect(inputs.mask == [Int32](repeating: 1, count: expected.count) + padding)
      #expect(
        inputs.segments
          == [Int32](repeating: 0, count: left + 2) + [Int32](repeating: 1, count: right + 1)
          + padding)
    }
  }

  @Test func `a question and where its answer may stand`() throws {
    let inputs = try QuestionInputs(
      query: "Question?", context: " Tokenize ME  Please, i'm", tokenizer: bert, length: 16)
    #expect(inputs.words == ["Tokenize", "ME", "Please,", "i'm"])
    #expect(
      inputs.inputs.ids == [2, 7, 1, 3, 8, 9, 11, 12, 13, 18, 4, 5, 6, 3, 0, 0])
    #expect(inputs.inputs.segments == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    #expect(
      inputs.wordIndices == [
        nil, nil, nil, nil, 0, 0, 1, 2, 2, 2, 3, 3, 3, nil, nil, nil,
      ])
    #expect(inputs.answer(from: 6, through: 8) == "ME Please,")
    #expect(inputs.answer(from: 8, through: 6) == nil)
    #expect(inputs.answer(from: 3, through: 5) == nil)
    #expect(inputs.answer(from: 4, through: 99) == nil)
    #expect(inputs.answer(from: -1, through: 4) == nil)
  }

  @Test func `questions have at most 64 tokens and texts the rest`() throws {
    let query = String(repeating: "i ", count: 100)
    let context = String(repeating: "tokenize ", count: 400)
    let inputs = try QuestionInputs(query: query, context: context, tokenizer: bert)
    #expect(inputs.inputs.ids.count == 384)
    #expect(inputs.inputs.ids[65] == 3)
    #expect(inputs.inputs.ids[383] == 3)
    #expect(inputs.inputs.mask == [Int32](repeating: 1, count: 384))
    #expect(inputs.wordIndices[66] == 0)
    #expect(inputs.wordIndices[382] == 158)
    let small = try QuestionInputs(query: query, context: context, tokenizer: bert, length: 3)
    #expect(small.inputs.ids == [2, 3, 3])
    #expect(throws: TokenizerError.self) {
      try QuestionInputs(query: "", context: "", tokenizer: bert, length: 2)
    }
  }

  @Test func `words of an expression`() throws {
    let tokenizer = try RegexTokenizer(delimiter: " ", vocabulary: RegexTests.vocabulary)
    #expect(try RegexInputs("i love x", tokenizer: tokenizer, length: 6).ids == [1, 3, 4, 2, 0, 0])
    #expect(try RegexInputs("i love x", tokenizer: tokenizer, length: 2).ids == [1, 3])
    #expect(try RegexInputs("i love x", tokenizer: tokenizer, length: 1).ids == [1])
    let plain = try RegexTokenizer(
      delimiter: " ", vocabulary: Array("<PAD> 7\n<UNKNOWN> 8\ni 9".utf8))
    #expect(try RegexInputs("i j", tokenizer: plain, length: 4).ids == [9, 8, 7, 7])
    #expect(throws: TokenizerError.self) {
      try RegexInputs("i", tokenizer: plain, length: 0)
    }
  }

  @Test func `pieces of SentencePiece`() throws {
    let tokenizer = try SentencePieceTokenizer(
      model: try GoldenFolder.own.bytes("unigram.model"))
    let ids = try tokenizer.tokens(of: "user").map { Int32($0.id) }
    #expect(!ids.isEmpty)
    let inputs = try SentencePieceInputs("user", tokenizer: tokenizer, length: ids.count + 4)
    #expect(inputs.ids == [1] + ids + [2, 3, 3])
    #expect(throws: TokenizerError.tooManyTokens(ids.count, limit: ids.count - 1)) {
      try SentencePieceInputs("user", tokenizer: tokenizer, length: ids.count + 1)
    }
    // What a model does not have is unknown to it, which the Task Library's lookup gives too.
    #expect(try BertInputs("user", tokenizer: tokenizer, length: nil).ids == [0] + ids + [0])
  }
}
