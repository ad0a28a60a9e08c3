// SPDX-License-Identifier: Apache-2.0

/// A question and the text with its answer, as a model of BERT's family takes them, and where the
/// tokens stand in the text.
///
/// Task Library: `cc/task/text/bert_question_answerer.cc`.
public struct QuestionInputs: Sendable, Hashable {
  /// The tokens of a question that count, unless said otherwise.
  public static let longestQuery = 64
  /// The numbers that the Task Library's models take.
  public static let defaultLength = 384

  /// The inputs: the question as the first text, the text with the answer as the second.
  public let inputs: BertInputs
  /// The words of the text with the answer: what is between spaces, as it is written.
  public let words: [String]
  /// For each position of the inputs the index of the word that its token comes from; nil for marks,
  /// the question and what is behind the text.
  public let wordIndices: [Int?]

  /// The inputs for a question.
  ///
  /// - Parameters:
  ///   - query: the question; its ASCII letters become lower case.
  ///   - context: the text with the answer; its words are made tokens one by one, in lower case,
  ///     and the last tokens are left out where there are too many.
  ///   - tokenizer: makes the tokens.
  ///   - length: how many numbers the model takes.
  ///   - longestQuery: the tokens of the question that count.
  /// - Throws: `TokenizerError` where `length` is under 3 or the tokenizer fails.
  public init(
    query: String, context: String, tokenizer: some Tokenizer, length: Int = defaultLength,
    longestQuery: Int = longestQuery
  ) throws(TokenizerError) {
    guard length >= 3 else { throw .lengthTooSmall(length, minimum: 3) }
    let room = length - 3
    let tokens = try tokenizer.tokens(of: UTF8Text.asciiLowercased(query))
    let question = tokens.prefix(min(max(longestQuery, 0), room)).map(\.id)
    words = context.utf8.split(separator: 0x20).map { String(Substring($0)) }
    var text: [Int] = []
    var indices: [Int?] = []
    for (index, word) in words.enumerated() where text.count < room - question.count {
      let ids = try tokenizer.tokens(of: UTF8Text.asciiLowercased(word)).map(\.id)
        .prefix(room - question.count - text.count)
      text += ids
      indices += [Int?](repeating: index, count: ids.count)
    }
    inputs = BertInputs(first: question, second: text, tokenizer: tokenizer, length: length)
    let before = [Int?](repeating: nil, count: question.count + 2)
    let behind = [Int?](repeating: nil, count: length - before.count - indices.count)
    wordIndices = before + indices + behind
  }

  /// The text from the word of one token to that of another, with one space between words.
  ///
  /// - Parameters:
  ///   - start: the position of the first token among the inputs.
  ///   - end: the position of the last token.
  /// - Returns: nil where a position has no word or the last word is before the first.
  public func answer(from start: Int, through end: Int) -> String? {
    guard wordIndices.indices.contains(start), wordIndices.indices.contains(end),
      let first = wordIndices[start], let last = wordIndices[end], first <= last
    else { return nil }
    return words[first...last].joined(separator: " ")
  }
}
