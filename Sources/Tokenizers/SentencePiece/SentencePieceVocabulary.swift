// SPDX-License-Identifier: Apache-2.0

/// The pieces of a SentencePiece model, checked, and what finds them.
///
/// SentencePiece: `ModelInterface::InitializePieces`.
struct SentencePieceVocabulary: Sendable {
  /// Bytes of a piece; the time for a text grows with the longest one.
  static let pieceByteLimit = 1024

  let texts: [ArraySlice<UInt8>]
  let scores: [Float]
  let kinds: [SentencePieceModel.PieceKind]
  /// The pieces that are looked for in texts.
  let trie: PieceTrie
  /// All other pieces: control, bytes, unknown.
  private let reserved: PieceTrie
  /// The pieces that normalization and pairing leave alone; nil where there are none.
  let userDefined: PieceTrie?
  let unknownID: Int
  /// The numbers of the pieces for bytes, by byte; empty where the model has none.
  let byteIDs: [Int]

  init(_ model: SentencePieceModel) throws(TokenizerError) {
    guard !model.pieces.isEmpty else { throw .emptyVocabulary }
    let byteCount = model.pieces.reduce(0) { $0 + $1.text.count }
    guard byteCount <= VocabularyFile.byteLimit else {
      throw .vocabularyTooLarge(byteCount: byteCount, limit: VocabularyFile.byteLimit)
    }
    texts = model.pieces.map(\.text)
    scores = model.pieces.map(\.score)
    kinds = model.pieces.map(\.kind)
    var byteIDs = [Int](repeating: -1, count: model.fallsBackToBytes ? 256 : 0)
    var unknownID: Int?
    for (index, piece) in model.pieces.enumerated() {
      try Self.check(piece, index: index)
      switch piece.kind {
      case .unknown:
        guard unknownID == nil else { throw .malformedPiece(.secondUnknown, index: index) }
        unknownID = index
      case .byte:
        guard model.fallsBackToBytes, let byte = Self.byte(of: piece.text) else {
          throw .malformedPiece(.bytePiece, index: index)
        }
        byteIDs[Int(byte)] = index
      default: continue
      }
    }
    guard let unknownID else { throw .malformedModel(.missingUnknown, offset: 0) }
    guard !byteIDs.contains(-1) else { throw .malformedModel(.missingBytes, offset: 0) }
    self.unknownID = unknownID
    self.byteIDs = byteIDs
    trie = try Self.trie(texts) { model.pieces[$0].kind.isInText }
    reserved = try Self.trie(texts) { !model.pieces[$0].kind.isInText }
    let hasUserDefined = kinds.contains(.userDefined)
    userDefined =
      hasUserDefined ? try Self.trie(texts) { model.pieces[$0].kind == .userDefined } : nil
  }

  private static func check(
    _ piece: SentencePieceModel.Piece, index: Int
  ) throws(TokenizerError) {
    guard !piece.text.isEmpty else { throw .malformedPiece(.emptyPiece, index: index) }
    guard piece.text.count <= pieceByteLimit else {
      throw .malformedPiece(.pieceTooLong, index: index)
    }
    guard piece.score.isFinite else { throw .malformedPiece(.score, index: index) }
  }

  private static func trie(
    _ texts: [ArraySlice<UInt8>], where isIncluded: (Int) -> Bool
  ) throws(TokenizerError) -> PieceTrie {
    let ids = texts.indices.filter(isIncluded)
    let trie = PieceTrie(ids.map { texts[$0] }, numbers: ids.map(Int32.init))
    if let duplicate = trie.duplicate {
      throw .malformedPiece(.duplicatePiece, index: ids[duplicate.later])
    }
    return trie
  }

  /// The byte that a piece such as `<0xE3>` stands for.
  static func byte(of piece: ArraySlice<UInt8>) -> UInt8? {
    guard piece.count == 6, piece.starts(with: "<0x".utf8), piece.last == UInt8(ascii: ">") else {
      return nil
    }
    var value: UInt8 = 0
    for digit in piece.dropFirst(3).prefix(2) {
      switch digit {
      case 0x30...0x39: value = value << 4 | (digit - 0x30)
      case 0x41...0x46: value = value << 4 | (digit - 0x41 + 10)
      default: return nil
      }
    }
    return value
  }

  /// The number of a piece; that of the unknown one where there is none.
  func id(of piece: some Sequence<UInt8>) -> Int {
    reserved.number(of: piece) ?? trie.number(of: piece) ?? unknownID
  }
}
