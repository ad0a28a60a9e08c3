// SPDX-License-Identifier: Apache-2.0

/// The tokenizer of a SentencePiece model: unigram, byte pairs, words or characters.
///
/// ```swift
/// let tokenizer = try SentencePieceTokenizer(model: bytes)
/// let tokens = try tokenizer.tokens(of: "Hello, world!")
/// let text = try tokenizer.text(of: tokens.map(\.id))
/// ```
///
/// Results are those of the library `sentencepiece` 0.2.3, which Task Library and MediaPipe call in
/// `text/tokenizers/sentencepiece_tokenizer.h` (theirs is 0.1.96, which differs in the scores of
/// pieces that a user defined). The self-test that a model can carry is not run.
public struct SentencePieceTokenizer: Tokenizer {
  /// The number of the piece that begins a text, `<s>`; nil where the model has none.
  public let bosID: Int?
  /// The number of the piece that ends a text, `</s>`; nil where the model has none.
  public let eosID: Int?
  /// The number of the piece that fills up inputs, `<pad>`; nil where the model has none.
  public let padID: Int?

  let vocabulary: SentencePieceVocabulary
  let normalizer: SentencePieceNormalizer
  let denormalizer: SentencePieceNormalizer?
  let normalization: SentencePieceModel.Normalization
  let unknownSurface: ArraySlice<UInt8>
  private let kind: SentencePieceModel.Kind
  private let fallsBackToBytes: Bool
  private let unigram: UnigramEncoder

  /// The tokenizer of a model.
  ///
  /// - Parameter model: the bytes of a `.model` file.
  /// - Throws: `TokenizerError` where they are no such model.
  public init(model: [UInt8]) throws(TokenizerError) {
    let model = try SentencePieceModel(model)
    vocabulary = try SentencePieceVocabulary(model)
    normalization = model.normalization
    normalizer = try SentencePieceNormalizer(
      model.normalization, treatsSpaceAsSuffix: model.treatsSpaceAsSuffix,
      userDefined: vocabulary.userDefined)
    if let denormalization = model.denormalization, !denormalization.characterMap.isEmpty {
      denormalizer = try SentencePieceNormalizer(denormalization)
    } else {
      denormalizer = nil
    }
    kind = model.kind
    fallsBackToBytes = model.fallsBackToBytes
    unknownSurface = model.unknownSurface
    unigram = UnigramEncoder(vocabulary)
    bosID = vocabulary.controlID(model.bosPiece)
    eosID = vocabulary.controlID(model.eosPiece)
    padID = vocabulary.controlID(model.padPiece)
  }

  /// How many pieces the vocabulary has.
  public var count: Int { vocabulary.texts.count }

  /// The number of the piece for what is unknown.
  public var unknownID: Int { vocabulary.unknownID }

  /// The number of a piece; that of the unknown one where there is no such piece.
  public func id(of piece: String) -> Int? { vocabulary.id(of: piece.utf8) }

  /// The piece of a number; nil for a number that no piece has.
  public func piece(of id: Int) -> String? {
    vocabulary.texts.indices.contains(id)
      ? String(decoding: vocabulary.texts[id], as: UTF8.self) : nil
  }

  /// The tokens of a text, in its order.
  ///
  /// Unknown text is one token for each run of it, with the normalized text as its piece, or one
  /// for each byte where the model has pieces for these.
  ///
  /// - Throws: `TokenizerError.normalizedTextTooLong` for a text that grows beyond measure.
  public func tokens(of text: String) throws(TokenizerError) -> [Token] {
    let (bytes, sources) = try normalizer.normalized(Array(text.utf8))
    var tokens: [Token] = []
    var start = 0
    var unknownStart: Int?
    for part in parts(bytes) {
      let end = start + part.count
      let range = sources[start]..<max(sources[start], sources[end])
      let isUnknown = part.id == vocabulary.unknownID
      if isUnknown, fallsBackToBytes {
        appendBytes(bytes[start..<end], range: range, to: &tokens)
      } else if isUnknown, let first = unknownStart {
        let source = sources[first]..<range.upperBound
        tokens[tokens.count - 1] = token(bytes[first..<end], part.id, source)
      } else {
        tokens.append(token(bytes[start..<end], part.id, range))
        unknownStart = isUnknown ? start : nil
      }
      start = end
    }
    return tokens
  }

  private func token(_ bytes: ArraySlice<UInt8>, _ id: Int, _ range: Range<Int>) -> Token {
    Token(piece: String(decoding: bytes, as: UTF8.self), id: id, range: range)
  }

  /// Adds a token for each byte; the last one stands for the whole source.
  private func appendBytes(
    _ bytes: ArraySlice<UInt8>, range: Range<Int>, to tokens: inout [Token]
  ) {
    for (index, byte) in zip(bytes.indices, bytes) {
      let id = vocabulary.byteIDs[Int(byte)]
      let isLast = index == bytes.endIndex - 1
      tokens.append(
        token(
          vocabulary.texts[id], id, isLast ? range : range.lowerBound..<range.lowerBound))
    }
  }

  /// The parts of a normalized text: how many bytes, and which piece.
  private func parts(_ bytes: [UInt8]) -> [SentencePiecePart] {
    switch kind {
    case .unigram: unigram.parts(bytes)
    case .bytePairs: BytePairEncoder.parts(bytes, vocabulary)
    case .words: wordParts(bytes)
    case .characters: characterParts(bytes)
    }
  }

  /// Each word with the space before it, as a whole.
  private func wordParts(_ bytes: [UInt8]) -> [SentencePiecePart] {
    var parts: [SentencePiecePart] = []
    var start = 0
    for index in bytes.indices.dropFirst()
    where bytes[index...].starts(with: SentencePieceNormalizer.space) {
      parts.append(part(bytes[start..<index]))
      start = index
    }
    if start < bytes.count { parts.append(part(bytes[start...])) }
    return parts
  }

  private func characterParts(_ bytes: [UInt8]) -> [SentencePiecePart] {
    var parts: [SentencePiecePart] = []
    var index = 0
    while index < bytes.count {
      let count = vocabulary.characterCount(bytes, at: index).count
      parts.append(part(bytes[index..<(index + count)]))
      index += count
    }
    return parts
  }

  private func part(_ bytes: ArraySlice<UInt8>) -> SentencePiecePart {
    SentencePiecePart(count: bytes.count, id: vocabulary.id(of: bytes))
  }
}

/// A part of a normalized text.
struct SentencePiecePart {
  /// How many bytes it has.
  let count: Int
  /// The number of its piece.
  let id: Int
}

extension SentencePieceVocabulary {
  /// The bytes of the next symbol: a piece that a user defined, or a code point.
  func characterCount(_ bytes: [UInt8], at index: Int) -> (count: Int, isFrozen: Bool) {
    if let count = userDefined?.longestPrefix(bytes, from: index) { return (count, true) }
    return (min(UTF8Text.byteCount(first: bytes[index]), bytes.count - index), false)
  }

  /// The number of a control piece; nil where there is none of this text.
  func controlID(_ text: ArraySlice<UInt8>) -> Int? {
    let id = id(of: text)
    return kinds[id] == .control ? id : nil
  }
}
