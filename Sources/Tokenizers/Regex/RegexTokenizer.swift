// SPDX-License-Identifier: Apache-2.0

/// Splits text at what a regular expression matches, with the numbers of a vocabulary.
///
/// Task Library and MediaPipe: `RegexTokenizer` in `text/tokenizers/regex_tokenizer.cc`. The
/// expression and the vocabulary are those of `RegexTokenizerOptions` in a model's metadata. Where
/// the expression matches, the search goes on behind the match as if the text began there, so `^`
/// and `\b` can match there too. MediaPipe's text ends at its first NUL, this one at its end, as the
/// Task Library's.
///
/// Supported is RE2's syntax: literals, `.`, classes (also `[:alpha:]`, `\d \s \w` with the meaning
/// that they have for ASCII, general categories such as `\pL` and `\p{Lu}`), alternatives, groups,
/// the flags i, m, s and U, greedy and lazy repetitions, and `^ $ \A \z \b \B`; not `\C` and scripts
/// such as `\p{Greek}`.
public struct RegexTokenizer: Tokenizer {
  /// The number of `<START>`; nil where the vocabulary does not have it.
  public let startID: Int?
  /// The number of `<PAD>`.
  public let padID: Int
  /// The number of `<UNKNOWN>`, which words get that the vocabulary does not have.
  public let unknownID: Int

  private let expression: RegularExpression
  private let vocabulary: NumberedVocabulary

  /// A tokenizer for a delimiter and a vocabulary.
  ///
  /// - Parameters:
  ///   - delimiter: what words are separated by, in RE2's syntax.
  ///   - vocabulary: the file's bytes: in each line a piece, a space and the piece's number; where
  ///     a piece is there twice, the last line counts.
  /// - Throws: `TokenizerError` where the expression or the vocabulary cannot be used, or the
  ///   vocabulary lacks `<PAD>` or `<UNKNOWN>`.
  public init(delimiter: String, vocabulary: [UInt8]) throws(TokenizerError) {
    do throws(RegularExpressionError) {
      expression = try RegularExpression(delimiter)
    } catch {
      throw .expression(error)
    }
    guard !expression.matchesEmpty else { throw .emptyDelimiter }
    self.vocabulary = try NumberedVocabulary(vocabulary)
    guard let unknown = self.vocabulary.id(of: "<UNKNOWN>") else {
      throw .missingPiece("<UNKNOWN>")
    }
    guard let pad = self.vocabulary.id(of: "<PAD>") else { throw .missingPiece("<PAD>") }
    unknownID = unknown
    padID = pad
    startID = self.vocabulary.id(of: "<START>")
  }

  /// How many pieces the vocabulary has.
  public var count: Int { vocabulary.count }

  /// The number of a piece; nil where the vocabulary does not have it.
  public func id(of piece: String) -> Int? { vocabulary.id(of: piece) }

  /// The piece of a number; nil for a number that no piece has.
  public func piece(of id: Int) -> String? { vocabulary.piece(of: id) }

  /// The words of a text, in its order.
  ///
  /// - Throws: `TokenizerError.tooManySteps` for an expression that looks ahead so far, again and
  ///   again, that the time would not be proportional to the length of the text.
  public func tokens(of text: String) throws(TokenizerError) -> [Token] {
    let bytes = Array(text.utf8)
    let stepLimit = max(1 << 22, bytes.count * expression.program.count * 8)
    var matcher = RegexMatcher(expression, bytes: bytes)
    var tokens: [Token] = []
    var start = 0
    while let match = matcher.firstMatch(from: start, stepLimit: stepLimit) {
      if match.lowerBound > start { tokens.append(token(bytes, start..<match.lowerBound)) }
      start = match.upperBound
    }
    guard matcher.stepCount <= stepLimit else { throw .tooManySteps(limit: stepLimit) }
    if start < bytes.count { tokens.append(token(bytes, start..<bytes.count)) }
    return tokens
  }

  private func token(_ bytes: [UInt8], _ range: Range<Int>) -> Token {
    Token(
      piece: String(decoding: bytes[range], as: UTF8.self),
      id: vocabulary.id(of: bytes[range]) ?? unknownID, range: range)
  }
}
