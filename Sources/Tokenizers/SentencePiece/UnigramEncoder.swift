// SPDX-License-Identifier: Apache-2.0

/// Cuts text so that the sum of the pieces' scores is the greatest.
///
/// SentencePiece: `unigram::Model::EncodeOptimized`, with its order of additions in single
/// precision and its preference for pieces that begin first. Time is proportional to the length of
/// the text and of the longest piece.
struct UnigramEncoder: Sendable {
  /// The best path that ends at a position.
  private struct End {
    var score: Float = 0
    var start = -1
    var id = 0
  }

  /// What an unknown code point scores less than the worst piece.
  private static let unknownPenalty: Float = 10
  /// Beyond this, scores of the positions ahead are moved back to zero.
  private static let resetThreshold: Float = 100_000

  private let trie: PieceTrie
  private let scores: [Float]
  private let kinds: [SentencePieceModel.PieceKind]
  private let unknownID: Int
  private let unknownScore: Float

  init(_ vocabulary: SentencePieceVocabulary) {
    trie = vocabulary.trie
    scores = vocabulary.scores
    kinds = vocabulary.kinds
    unknownID = vocabulary.unknownID
    var least = Float.greatestFiniteMagnitude
    for (score, kind) in zip(vocabulary.scores, vocabulary.kinds) where kind == .normal {
      least = min(least, score)
    }
    unknownScore = least - Self.unknownPenalty
  }

  func parts(_ bytes: [UInt8]) -> [SentencePiecePart] {
    var ends = [End](repeating: End(), count: bytes.count + 1)
    var start = 0
    var frontier = 0
    while start < bytes.count {
      if abs(ends[start].score) > Self.resetThreshold {
        let offset = ends[start].score
        for index in start...max(start, frontier) where index == start || ends[index].start >= 0 {
          ends[index].score -= offset
        }
      }
      let byteCount = min(UTF8Text.byteCount(first: bytes[start]), bytes.count - start)
      let hasCharacter = extend(&ends, bytes, from: start, character: byteCount, &frontier)
      if !hasCharacter {
        frontier = max(frontier, start + byteCount)
        Self.improve(
          &ends[start + byteCount], unknownScore + ends[start].score, start, unknownID)
      }
      start += byteCount
    }
    return backtrack(ends)
  }

  /// Adds all pieces that begin at a position; true if the first code point alone is one.
  private func extend(
    _ ends: inout [End], _ bytes: [UInt8], from start: Int, character byteCount: Int,
    _ frontier: inout Int
  ) -> Bool {
    var hasCharacter = false
    var node = PieceTrie.root
    var index = start
    let score = ends[start].score
    while index < bytes.count, let next = trie.child(of: node, bytes[index]) {
      node = next
      index += 1
      guard let id = trie.number(at: node), kinds[id] != .unused else { continue }
      frontier = max(frontier, index)
      let length = index - start
      let piece = kinds[id] == .userDefined ? Float(0.1 * Double(length - 1)) : scores[id]
      Self.improve(&ends[index], piece + score, start, id)
      if length == byteCount { hasCharacter = true }
    }
    return hasCharacter
  }

  private static func improve(_ end: inout End, _ score: Float, _ start: Int, _ id: Int) {
    guard end.start < 0 || score > end.score else { return }
    end = End(score: score, start: start, id: id)
  }

  private func backtrack(_ ends: [End]) -> [SentencePiecePart] {
    var parts: [SentencePiecePart] = []
    var index = ends.count - 1
    while index > 0, ends[index].start >= 0 {
      let end = ends[index]
      parts.append(SentencePiecePart(count: index - end.start, id: end.id))
      index = end.start
    }
    return parts.reversed()
  }
}
