// SPDX-License-Identifier: Apache-2.0

extension SentencePieceTokenizer {
  /// The text that tokens stand for.
  ///
  /// SentencePiece: `SentencePieceProcessor::Decode`. Control pieces give nothing, the unknown piece
  /// its surface (` ⁇ ` unless the model names another), and pieces for bytes the code points that
  /// they make, or U+FFFD for each byte that belongs to none.
  ///
  /// - Throws: `TokenizerError.noSuchID` for a number that no piece has.
  public func text(of ids: [Int]) throws(TokenizerError) -> String {
    var text: [UInt8] = []
    var pending: [UInt8] = []
    var isAtStart = true
    var sawStart = false
    for id in ids {
      guard vocabulary.texts.indices.contains(id) else { throw .noSuchID(id) }
      let piece = vocabulary.texts[id]
      let kind = vocabulary.kinds[id]
      if kind == .byte, let byte = SentencePieceVocabulary.byte(of: piece) {
        pending.append(byte)
        continue
      }
      Self.flush(&pending, to: &text)
      if sawStart || !text.isEmpty { isAtStart = false }
      sawStart = append(piece, kind: kind, isAtStart: isAtStart, to: &text)
    }
    Self.flush(&pending, to: &text)
    if let denormalizer { text = try denormalizer.normalized(text).bytes }
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds what a piece stands for; true if the space that begins every text was left out.
  private func append(
    _ piece: ArraySlice<UInt8>, kind: SentencePieceModel.PieceKind, isAtStart: Bool,
    to text: inout [UInt8]
  ) -> Bool {
    switch kind {
    case .control: return false
    case .unknown:
      text += unknownSurface
      return false
    case .normal, .userDefined, .unused, .byte: break
    }
    let space = SentencePieceNormalizer.space
    var rest = piece
    var sawStart = false
    let dropsSpace = normalization.addsDummyPrefix || normalization.removesExtraSpaces
    if isAtStart, dropsSpace, rest.starts(with: space) {
      rest = rest.dropFirst(space.count)
      // Where extra spaces are removed, all those at the beginning are left out.
      sawStart = !normalization.removesExtraSpaces
    }
    var index = rest.startIndex
    while index < rest.endIndex {
      if rest[index] == space[0], rest[index...].starts(with: space) {
        text.append(0x20)
        index += space.count
      } else {
        text.append(rest[index])
        index += 1
      }
    }
    return sawStart
  }

  private static func flush(_ pending: inout [UInt8], to text: inout [UInt8]) {
    var index = 0
    while index < pending.count {
      let (value, count) = UTF8Text.scalar(pending, at: index)
      if value == 0xFFFD {
        text += Array(UTF8.encodedReplacementCharacter)
      } else {
        text += pending[index..<(index + count)]
      }
      index += count
    }
    pending.removeAll(keepingCapacity: true)
  }
}
