// SPDX-License-Identifier: Apache-2.0

/// What texts become when they are normalized: `precompiled_charsmap`.
///
/// The bytes are the size of a trie, the trie as a double array of Darts-clone in units of four
/// bytes, and the replacements, each ended by NUL. SentencePiece:
/// `Normalizer::DecodePrecompiledCharsMap`; Darts-clone: `include/darts.h`.
struct CharacterMap: Sendable {
  private let units: [UInt32]
  private let replacements: [UInt8]
  /// The prefixes that are looked at before a longer one is not sought any more, as the original.
  private static let matchLimit = 32

  init(_ bytes: ArraySlice<UInt8>) throws(TokenizerError) {
    let all = Array(bytes)
    guard all.count > 4 else { throw .malformedModel(.characterMap, offset: bytes.startIndex) }
    let size = Int(Self.word(all, at: 0))
    guard size >= 1024, size.isMultiple(of: 4), size < all.count - 4 else {
      throw .malformedModel(.characterMap, offset: bytes.startIndex)
    }
    guard all.last == 0 else { throw .malformedModel(.characterMap, offset: bytes.endIndex - 1) }
    units = (0..<(size / 4)).map { Self.word(all, at: 4 + 4 * $0) }
    replacements = Array(all[(4 + size)...])
  }

  private static func word(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  /// The replacement of the longest prefix, and the prefix's length; nil where there is none.
  ///
  /// Units that point out of the array, which no program writes, end the search.
  func replacement(_ bytes: [UInt8], from start: Int) -> (bytes: ArraySlice<UInt8>, count: Int)? {
    var best: (value: Int, count: Int)?
    var matchCount = 0
    var position = Self.offset(units[0])
    var index = start
    while index < bytes.count, matchCount < Self.matchLimit {
      position ^= UInt32(bytes[index])
      guard position < units.count else { break }
      let unit = units[Int(position)]
      guard unit & 0x8000_00FF == UInt32(bytes[index]) else { break }
      index += 1
      position ^= Self.offset(unit)
      guard position < units.count else { break }
      if unit & 0x100 != 0 {
        best = (Int(units[Int(position)] & 0x7FFF_FFFF), index - start)
        matchCount += 1
      }
    }
    guard let best, best.value < replacements.count else { return nil }
    let tail = replacements[best.value...]
    return (tail.prefix { $0 != 0 }, best.count)
  }

  private static func offset(_ unit: UInt32) -> UInt32 {
    (unit >> 10) << ((unit & 0x200) >> 6)
  }
}
