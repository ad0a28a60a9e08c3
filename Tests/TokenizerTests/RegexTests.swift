// SPDX-License-Identifier: Apache-2.0

import Testing
import Tokenizers

/// Text split at expressions, and expressions that cannot be used.
@Suite struct RegexTests {
  static let vocabulary = Array(
    "<PAD> 0\n<START> 1\n<UNKNOWN> 2\ni 3\nlove 4\ngood 5\ngood 6 x\nit's 7\r\n".utf8)

  @Test func `words between delimiters`() throws {
    let tokenizer = try RegexTokenizer(delimiter: #"[^\w\']+"#, vocabulary: Self.vocabulary)
    let tokens = try tokenizer.tokens(of: "  i love, it's good!! café")
    #expect(tokens.map(\.piece) == ["i", "love", "it's", "good", "caf"])
    #expect(tokens.map(\.id) == [3, 4, 7, 6, 2])
    #expect(tokens[2].range == 10..<14)
    #expect(try tokenizer.tokens(of: "").isEmpty)
    #expect(try tokenizer.tokens(of: ",").isEmpty)
    #expect(tokenizer.piece(of: 4) == "love")
    #expect(tokenizer.count == 8)
  }

  @Test func `a search goes on as if the text began there`() throws {
    let tokenizer = try RegexTokenizer(delimiter: "^a|-", vocabulary: Self.vocabulary)
    #expect(try tokenizer.tokens(of: "aaxa-ay").map(\.piece) == ["xa", "y"])
  }

  @Test(arguments: [
    ("(a", RegularExpressionError.Reason.missingParenthesis, 0),
    ("ab)", .unexpectedParenthesis, 2), ("x[a-", .missingBracket, 1), ("[z-a]", .badRange, 1),
    ("[[:word:][:foo:]]", .unknownClass("foo"), 9), ("a\\", .trailingBackslash, 1),
    (#"é\p{Greek}"#, .unsupportedProperty("Greek"), 1), (#"\C"#, .badEscape("\\C"), 0),
    (#"a(b)\1"#, .badEscape("\\1"), 4), ("a|*", .nothingToRepeat, 2),
    ("a**", .repeatedRepetition, 2), ("a{2,1}", .badRepetition, 1),
    ("a{1001}", .badRepetition, 1), ("(?=a)", .unsupportedGroup, 0),
    ("(?P<a-b>c)", .badGroupName, 1), (#"\x{110000}"#, .badEscape("\\x"), 0),
    ("((a{100}){100}){100}", .tooLarge(limit: 10_000), 9),
  ])
  func `errors name the position`(
    pattern: String, reason: RegularExpressionError.Reason, position: Int
  ) {
    let error = #expect(throws: TokenizerError.self) {
      try RegexTokenizer(delimiter: pattern, vocabulary: Self.vocabulary)
    }
    guard case .expression(let error)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error.reason == reason)
    #expect(error.position == position)
  }

  @Test(arguments: [#"\s*"#, "a|", #"\b"#, "(x|$)", ""])
  func `delimiters of nothing are refused`(pattern: String) {
    #expect(throws: TokenizerError.emptyDelimiter) {
      try RegexTokenizer(delimiter: pattern, vocabulary: Self.vocabulary)
    }
  }

  @Test func `broken vocabularies are refused`() {
    func error(_ text: String) -> TokenizerError? {
      #expect(throws: TokenizerError.self) {
        try RegexTokenizer(delimiter: " ", vocabulary: Array(text.utf8))
      }
    }
    #expect(error("") == .emptyVocabulary)
    #expect(error("a 1\nb\n") == .malformedLine(2))
    #expect(error("a 1\n\nb x\n") == .malformedLine(3))
    #expect(error("a 99999999999") == .malformedLine(1))
    #expect(error("<PAD> 1") == .missingPiece("<UNKNOWN>"))
    #expect(error("<UNKNOWN> 1") == .missingPiece("<PAD>"))
  }

  @Test func `deep and long expressions are bounded`() throws {
    let deep = String(repeating: "(", count: 2000) + "a" + String(repeating: ")", count: 2000)
    let tokenizer = try RegexTokenizer(delimiter: deep, vocabulary: Self.vocabulary)
    #expect(try tokenizer.tokens(of: "xay").map(\.piece) == ["x", "y"])
    #expect(throws: TokenizerError.self) {
      try RegexTokenizer(
        delimiter: String(repeating: "a", count: 4097), vocabulary: Self.vocabulary)
    }
  }

  @Test func `a match that needs the rest of the text every time is given up`() throws {
    let tokenizer = try RegexTokenizer(delimiter: "a.*b|a", vocabulary: Self.vocabulary)
    let text = String(repeating: "a", count: 20_000)
    #expect(throws: TokenizerError.tooManySteps(limit: 1 << 22)) {
      try tokenizer.tokens(of: text)
    }
    #expect(try tokenizer.tokens(of: String(text.prefix(500)) + "x").map(\.piece) == ["x"])
  }
}
