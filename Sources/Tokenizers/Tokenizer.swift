// SPDX-License-Identifier: Apache-2.0

/// A piece of a text with its number in a vocabulary.
public struct Token: Sendable {
  /// The piece as the vocabulary spells it, with marks such as `##` and `▁`.
  public let piece: String
  /// The piece's number, what a model is given.
  public let id: Int
  /// The bytes of the text's UTF-8 that the piece stands for.
  public let range: Range<Int>

  /// A token of these parts.
  public init(piece: String, id: Int, range: Range<Int>) {
    self.piece = piece
    self.id = id
    self.range = range
  }
}

/// Makes token numbers of text.
///
/// TensorFlow Lite Task Library: `cc/text/tokenizers/tokenizer.h`; MediaPipe Tasks:
/// `tasks/cc/text/tokenizers/tokenizer.h`. Pieces are compared byte by byte: `é` as one code point
/// and as two are different pieces, although Swift's `String` calls them equal.
public protocol Tokenizer: Sendable {
  /// The tokens of a text, in its order.
  ///
  /// - Throws: `TokenizerError` when the text takes more work or memory than allowed.
  func tokens(of text: String) throws(TokenizerError) -> [Token]

  /// The number of a piece; nil where the vocabulary does not say any.
  func id(of piece: String) -> Int?

  /// The piece of a number; nil for a number that no piece has.
  func piece(of id: Int) -> String?

  /// How many pieces the vocabulary has.
  var count: Int { get }
}
