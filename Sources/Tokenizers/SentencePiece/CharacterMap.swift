// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

/// What texts become when they are normalized: `precompiled_charsmap`.
///
/// The bytes are the size of a trie, the trie in nodes of four bytes, and the replacements, each
/// ended by NUL. SentencePiece: `Normalizer::DecodePrecompiledCharsMap`.
struct CharacterMap: Sendable {
  private let prefixes: DoubleArrayTrie
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
    prefixes = DoubleArrayTrie(nodes: (0..<(size / 4)).map { Self.word(all, at: 4 + 4 * $0) })
    replacements = Array(all[(4 + size)...])
  }

  private static func word(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  /// The replacement of the longest prefix, and the prefix's length; nil where there is none.
  func replacement(_ bytes: [UInt8], from start: Int) -> (bytes: ArraySlice<UInt8>, count: Int)? {
    var best: (value: Int, count: Int)?
    var stepCount = 0
    prefixes.forEachPrefix(of: bytes[start...], limit: Self.matchLimit, stepCount: &stepCount) {
      (number, length) in best = (number, length)
    }
    guard let best, best.value < replacements.count else { return nil }
    let tail = replacements[best.value...]
    return (tail.prefix { $0 != 0 }, best.count)
  }
}
