// SPDX-License-Identifier: Apache-2.0

/// The tokenizer of BERT: words, cut into the longest pieces that a vocabulary has.
///
/// ```swift
/// let tokenizer = try WordPieceTokenizer(vocabulary: bytes)
/// let pieces = try tokenizer.tokens(of: "tokenize me please").map(\.piece)
/// // token ##ize me plea ##se
/// ```
///
/// Task Library and MediaPipe: `BertTokenizer` in `text/tokenizers/bert_tokenizer.cc`, with
/// `regex_split.cc` and `wordpiece_tokenizer.cc` of TensorFlow Text. The time is proportional to
/// the length of the text: words beyond a bound are unknown without being looked at.
public struct WordPieceTokenizer: Tokenizer {
  /// How text is split and looked up.
  public struct Options: Sendable, Hashable {
    /// What becomes of a text before it is looked up.
    public var splitting = WordSplitting.taskLibrary
    /// Words with more bytes are unknown; of a text split as BERT does, words with more code points.
    public var longestWord = 100
    /// Pieces are looked for up to this many code points.
    public var longestPiece = 100
    /// The piece for what cannot be made of pieces.
    public var unknownPiece = "[UNK]"
    /// What pieces begin with that continue a word.
    public var continuation = "##"

    /// The Task Library's.
    public init() {}
  }

  /// How text is split and looked up.
  public let options: Options
  private let pieces: [ArraySlice<UInt8>]
  private let trie: PieceTrie
  private let continuationNode: Int?
  private let unknownID: Int

  /// A tokenizer with the pieces of a vocabulary file.
  ///
  /// - Parameters:
  ///   - vocabulary: the file's bytes: a piece in each line, the first with the number 0.
  ///   - options: how text is split and looked up.
  /// - Throws: `TokenizerError` where the file is empty, too large or has a piece twice.
  public init(vocabulary: [UInt8], options: Options = Options()) throws(TokenizerError) {
    let file = try VocabularyFile(vocabulary)
    self.options = options
    pieces = file.lines
    trie = try file.trie()
    continuationNode = trie.node(options.continuation.utf8)
    unknownID = trie.number(of: options.unknownPiece.utf8) ?? 0
  }

  /// How many pieces the vocabulary has.
  public var count: Int { pieces.count }

  /// The number of a piece; nil where the vocabulary does not have it.
  public func id(of piece: String) -> Int? { trie.number(of: piece.utf8) }

  /// The piece of a number; nil for a number that no piece has.
  public func piece(of id: Int) -> String? {
    pieces.indices.contains(id) ? String(decoding: pieces[id], as: UTF8.self) : nil
  }

  /// The tokens of a text, in its order.
  ///
  /// A word that cannot be made of pieces is one token with `unknownPiece`, whose number is 0 where
  /// the vocabulary does not have it, as in the Task Library.
  public func tokens(of text: String) -> [Token] {
    let words = options.splitting.words(of: text)
    var tokens: [Token] = []
    for word in words.words {
      let length = options.splitting.isBERT ? words.scalarCount(word) : word.count
      let start = tokens.count
      if length > options.longestWord || !append(word, of: words, to: &tokens) {
        tokens.removeSubrange(start...)
        tokens.append(
          Token(piece: options.unknownPiece, id: unknownID, range: words.source(of: word)))
      }
    }
    return tokens
  }

  /// Adds the pieces of a word; false where it cannot be made of pieces.
  private func append(_ word: Range<Int>, of words: SplitText, to tokens: inout [Token]) -> Bool {
    var position = word.lowerBound
    while position < word.upperBound {
      let isFirst = position == word.lowerBound
      guard let root = isFirst ? PieceTrie.root : continuationNode,
        let match = longest(position..<word.upperBound, of: words, from: root)
      else { return false }
      let range = position..<match.end
      tokens.append(
        Token(
          piece: String(decoding: pieces[match.id], as: UTF8.self), id: match.id,
          range: words.source(of: range)))
      position = match.end
    }
    return true
  }

  /// The longest piece at the beginning of `range`: where it ends, and its number.
  private func longest(
    _ range: Range<Int>, of words: SplitText, from root: Int
  ) -> (end: Int, id: Int)? {
    var node = root
    var best: (Int, Int)?
    var scalarCount = 0
    var index = range.lowerBound
    while index < range.upperBound {
      if words.bytes[index] & 0xC0 != 0x80 {
        scalarCount += 1
        if options.longestPiece > 0, scalarCount > options.longestPiece { break }
      }
      guard let next = trie.child(of: node, words.bytes[index]) else { break }
      node = next
      index += 1
      // Pieces end where code points do.
      let isWhole = index == range.upperBound || words.bytes[index] & 0xC0 != 0x80
      if isWhole, let id = trie.number(at: node) { best = (index, id) }
    }
    return best
  }
}
