// SPDX-License-Identifier: Apache-2.0

/// What a model takes whose text is split at a regular expression.
///
///     ids  <START> t1 t2 … tn <PAD> … <PAD>
///
/// `<START>` is left out where the vocabulary does not have it, and words that it does not have are
/// `<UNKNOWN>`. Task Library: `cc/task/processor/regex_preprocessor.cc`; MediaPipe:
/// `calculators/tensor/regex_preprocessor_calculator.cc`.
public struct RegexInputs: Sendable, Hashable {
  /// The numbers of the tokens, `length` of them.
  public let ids: [Int32]

  /// The inputs for a text, whose last words are left out where there are too many.
  ///
  /// - Throws: `TokenizerError` where `length` is under 1 or the tokenizer fails.
  public init(_ text: String, tokenizer: RegexTokenizer, length: Int) throws(TokenizerError) {
    guard length >= 1 else { throw .lengthTooSmall(length, minimum: 1) }
    let start = tokenizer.startID.map { [$0] } ?? []
    let tokens = try tokenizer.tokens(of: text).map(\.id)
    let ids = (start + tokens).prefix(length)
    let padding = [Int](repeating: tokenizer.padID, count: length - ids.count)
    self.ids = (ids + padding).map(Int32.init(truncatingIfNeeded:))
  }
}
