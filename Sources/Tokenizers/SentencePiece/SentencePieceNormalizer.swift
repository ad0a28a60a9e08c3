// SPDX-License-Identifier: Apache-2.0

/// What SentencePiece does to a text before it is cut: `Normalizer::Normalize`.
struct SentencePieceNormalizer: Sendable {
  /// What stands for a space in pieces, U+2581.
  static let space: [UInt8] = [0xE2, 0x96, 0x81]
  /// A normalized text has at most this many times the bytes of the text, and 1024 more.
  static let growthLimit = 64

  private let map: CharacterMap?
  private let addsDummyPrefix: Bool
  private let removesExtraSpaces: Bool
  private let spaceBytes: [UInt8]
  private let treatsSpaceAsSuffix: Bool
  private let userDefined: PieceTrie?

  init(
    _ normalization: SentencePieceModel.Normalization, treatsSpaceAsSuffix: Bool = false,
    userDefined: PieceTrie? = nil
  ) throws(TokenizerError) {
    map =
      normalization.characterMap.isEmpty
      ? nil : try CharacterMap(normalization.characterMap)
    addsDummyPrefix = normalization.addsDummyPrefix
    removesExtraSpaces = normalization.removesExtraSpaces
    spaceBytes = normalization.escapesSpaces ? Self.space : [0x20]
    self.treatsSpaceAsSuffix = treatsSpaceAsSuffix
    self.userDefined = userDefined
  }

  /// The normalized text, and for each of its bytes and its end the place in the text.
  func normalized(
    _ bytes: [UInt8]
  ) throws(TokenizerError) -> (bytes: [UInt8], sources: [Int]) {
    var consumed = 0
    if removesExtraSpaces {
      while consumed < bytes.count {
        let part = self.part(bytes, at: consumed)
        guard part.bytes.count == 1, part.bytes.first == 0x20 else { break }
        consumed += part.count
      }
    }
    guard consumed < bytes.count else { return ([], [consumed]) }
    let limit = bytes.count * Self.growthLimit + 1024
    var result: [UInt8] = []
    var sources: [Int] = []
    result.reserveCapacity(bytes.count + bytes.count / 2)
    sources.reserveCapacity(bytes.count + bytes.count / 2)
    if !treatsSpaceAsSuffix, addsDummyPrefix { addSpace(&result, &sources, consumed) }
    var isBehindSpace = removesExtraSpaces
    while consumed < bytes.count {
      let part = self.part(bytes, at: consumed)
      let text = isBehindSpace ? part.bytes.drop { $0 == 0x20 } : part.bytes
      for byte in text {
        if byte == 0x20 {
          addSpace(&result, &sources, consumed)
        } else {
          result.append(byte)
          sources.append(consumed)
        }
      }
      if let last = text.last { isBehindSpace = removesExtraSpaces && last == 0x20 }
      consumed += part.count
      guard result.count <= limit else { throw .normalizedTextTooLong(limit: limit) }
    }
    if removesExtraSpaces { trimEnd(&result, &sources, &consumed) }
    if treatsSpaceAsSuffix, addsDummyPrefix { addSpace(&result, &sources, consumed) }
    sources.append(consumed)
    return (result, sources)
  }

  private func addSpace(_ result: inout [UInt8], _ sources: inout [Int], _ consumed: Int) {
    for byte in spaceBytes {
      result.append(byte)
      sources.append(consumed)
    }
  }

  private func trimEnd(_ result: inout [UInt8], _ sources: inout [Int], _ consumed: inout Int) {
    while result.count >= spaceBytes.count,
      result.suffix(spaceBytes.count).elementsEqual(spaceBytes)
    {
      consumed = sources[result.count - spaceBytes.count]
      result.removeLast(spaceBytes.count)
      sources.removeLast(spaceBytes.count)
    }
  }

  /// What the text at `index` begins with, normalized, and how many bytes of the text that is.
  private func part(_ bytes: [UInt8], at index: Int) -> (bytes: ArraySlice<UInt8>, count: Int) {
    if let count = userDefined?.longestPrefix(bytes, from: index) {
      return (bytes[index..<(index + count)], count)
    }
    if let replacement = map?.replacement(bytes, from: index) { return replacement }
    let (value, count) = UTF8Text.scalar(bytes, at: index)
    // Bytes that are no UTF-8 come of replacements that a denormalizer reads.
    if value == 0xFFFD { return (ArraySlice(UTF8.encodedReplacementCharacter), count) }
    return (bytes[index..<(index + count)], count)
  }
}
