// SPDX-License-Identifier: Apache-2.0

/// What a model of BERT's family takes.
///
/// These are numbers of tokens, which of them count, and of which of two texts they are, in one row
/// each:
///
///     ids       [CLS] a1 a2 … an [SEP] b1 … bm [SEP] 0 0 … 0
///     mask        1    1  1 …  1   1    1 …  1   1   0 0 … 0
///     segments    0    0  0 …  0   0    1 …  1   1   0 0 … 0
///
/// Task Library: `cc/task/processor/bert_preprocessor.cc`; MediaPipe:
/// `calculators/tensor/bert_preprocessor_calculator.cc`.
public struct BertInputs: Sendable, Hashable {
  /// The piece that begins the first text.
  static let start = "[CLS]"
  /// The piece that ends each text.
  static let separator = "[SEP]"

  /// The numbers of the tokens; 0 where there is none.
  public let ids: [Int32]
  /// 1 for each token, 0 behind them.
  public let mask: [Int32]
  /// 0 for the first text and behind the last, 1 for the second text.
  public let segments: [Int32]

  /// The inputs for one text, or for two.
  ///
  /// - Parameters:
  ///   - text: the first text. Its ASCII letters, and the second text's, become lower case before
  ///     they are split, as the originals do, unless `lowercases` is false.
  ///   - second: the second text; nil for none. What is too long for both is taken from the end of
  ///     the longer one, token by token, as the original BERT does.
  ///   - tokenizer: makes the tokens.
  ///   - length: how many numbers the model takes; nil for one that takes any number.
  ///   - lowercases: whether ASCII letters become lower case.
  /// - Throws: `TokenizerError` where `length` leaves no place for the marks or the tokenizer fails.
  public init(
    _ text: String, _ second: String? = nil, tokenizer: some Tokenizer, length: Int?,
    lowercases: Bool = true
  ) throws(TokenizerError) {
    let markCount = second == nil ? 2 : 3
    if let length, length < markCount { throw .lengthTooSmall(length, minimum: markCount) }
    let prepared = { lowercases ? UTF8Text.asciiLowercased($0) : $0 }
    var first = try tokenizer.tokens(of: prepared(text)).map(\.id)
    var other: [Int]?
    if let second { other = try tokenizer.tokens(of: prepared(second)).map(\.id) }
    let room = (length ?? .max) - markCount
    let otherCount = other?.count ?? 0
    if first.count + otherCount > room {
      let kept = Self.kept(first.count, otherCount, room: room)
      first.removeSubrange(kept.first...)
      other?.removeSubrange(kept.second...)
    }
    self.init(first: first, second: other, tokenizer: tokenizer, length: length)
  }

  /// How much of two lists is kept when the last one of the longer list goes until they fit; of
  /// lists with the same length, it goes from the second.
  private static func kept(_ first: Int, _ second: Int, room: Int) -> (first: Int, second: Int) {
    if second == 0 { return (min(first, room), 0) }
    let shorter = min(first, second)
    if shorter <= room / 2 {
      return first > second ? (room - second, second) : (first, room - first)
    }
    return (room - room / 2, room / 2)
  }

  /// The inputs of tokens that are known to fit.
  init(first: [Int], second: [Int]?, tokenizer: some Tokenizer, length: Int?) {
    let start = tokenizer.id(of: Self.start) ?? 0
    let separator = tokenizer.id(of: Self.separator) ?? 0
    let head = [start] + first + [separator]
    let tail = second.map { $0 + [separator] } ?? []
    let count = head.count + tail.count
    let padding = [Int32](repeating: 0, count: max(0, (length ?? count) - count))
    ids = (head + tail).map(Int32.init(truncatingIfNeeded:)) + padding
    mask = [Int32](repeating: 1, count: count) + padding
    segments =
      [Int32](repeating: 0, count: head.count) + [Int32](repeating: 1, count: tail.count)
      + padding
  }
}
