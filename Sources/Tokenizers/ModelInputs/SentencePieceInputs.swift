// SPDX-License-Identifier: Apache-2.0

/// What a model takes whose text is cut by SentencePiece alone.
///
///     ids  <s> t1 t2 … tn </s> <pad> … <pad>
///
/// Pieces that the model does not have are −1, as `SentencePieceProcessor` numbers them. MediaPipe:
/// `calculators/tensor/sentencepiece_preprocessor_calculator.cc`.
public struct SentencePieceInputs: Sendable, Hashable {
  /// The numbers of the tokens, `length` of them.
  public let ids: [Int32]

  /// The inputs for a text.
  ///
  /// - Throws: `TokenizerError.tooManyTokens` for a text that is too long, as MediaPipe refuses it;
  ///   other cases where `length` is under 2 or the tokenizer fails.
  public init(
    _ text: String, tokenizer: SentencePieceTokenizer, length: Int
  ) throws(TokenizerError) {
    guard length >= 2 else { throw .lengthTooSmall(length, minimum: 2) }
    let tokens = try tokenizer.tokens(of: text).map(\.id)
    guard tokens.count <= length - 2 else {
      throw .tooManyTokens(tokens.count, limit: length - 2)
    }
    let ids = [tokenizer.bosID ?? -1] + tokens + [tokenizer.eosID ?? -1]
    let padding = [Int](repeating: tokenizer.padID ?? -1, count: length - ids.count)
    self.ids = (ids + padding).map(Int32.init(truncatingIfNeeded:))
  }
}
