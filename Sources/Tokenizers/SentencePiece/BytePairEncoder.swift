// SPDX-License-Identifier: Apache-2.0

/// Joins neighboring symbols of a text, the pair with the best score first.
///
/// SentencePiece: `bpe::Model::SampleEncode` without dropout. Time is proportional to n log n for
/// n code points.
struct BytePairEncoder {
  /// A symbol; those that were joined to the one before have no bytes.
  private struct Symbol {
    var previous: Int
    var next: Int
    let isFrozen: Bool
    let start: Int
    var count: Int
  }

  /// Two symbols that can be joined.
  private struct Pair {
    /// The score's bits in an order that integers compare as the scores do.
    let rank: Int32
    let left: Int
    let right: Int
    let count: Int

    func isBefore(_ other: Pair) -> Bool {
      rank != other.rank ? rank > other.rank : left < other.left
    }
  }

  /// How often an unused piece may be cut in two again.
  private static let cutLimit = 100

  private let vocabulary: SentencePieceVocabulary
  private let bytes: [UInt8]
  private var symbols: [Symbol] = []
  /// A heap with the best pair first.
  private var pairs: [Pair] = []
  /// Where unused pieces were joined: bytes of the left part, by number.
  private var cuts: [Int: Int] = [:]

  /// The parts of a normalized text.
  static func parts(
    _ bytes: [UInt8], _ vocabulary: SentencePieceVocabulary
  ) -> [SentencePiecePart] {
    var encoder = BytePairEncoder(vocabulary, bytes)
    return encoder.joined()
  }

  private init(_ vocabulary: SentencePieceVocabulary, _ bytes: [UInt8]) {
    self.vocabulary = vocabulary
    self.bytes = bytes
    var index = 0
    while index < bytes.count {
      let (count, isFrozen) = vocabulary.characterCount(bytes, at: index)
      symbols.append(
        Symbol(
          previous: symbols.count - 1, next: symbols.count + 1, isFrozen: isFrozen, start: index,
          count: count))
      index += count
    }
  }

  private mutating func joined() -> [SentencePiecePart] {
    guard !symbols.isEmpty else { return [] }
    symbols[symbols.count - 1].next = -1
    for index in symbols.indices.dropFirst() { addPair(index - 1, index) }
    while let pair = popPair() {
      let right = symbols[pair.right]
      let left = symbols[pair.left]
      guard left.count > 0, right.count > 0, left.count + right.count == pair.count else {
        continue
      }
      symbols[pair.left].count = pair.count
      symbols[pair.left].next = right.next
      if right.next >= 0 { symbols[right.next].previous = pair.left }
      symbols[pair.right].count = 0
      addPair(left.previous, pair.left)
      addPair(pair.left, right.next)
    }
    var parts: [SentencePiecePart] = []
    var index = 0
    while index >= 0 {
      let symbol = symbols[index]
      appendParts(of: symbol.start..<(symbol.start + symbol.count), to: &parts)
      index = symbol.next
    }
    return parts
  }

  private mutating func addPair(_ left: Int, _ right: Int) {
    guard left >= 0, right >= 0 else { return }
    let first = symbols[left]
    let second = symbols[right]
    guard !first.isFrozen, !second.isFrozen else { return }
    let count = first.count + second.count
    let range = first.start..<(first.start + count)
    guard let id = vocabulary.trie.number(of: bytes[range]) else { return }
    let bits = Int32(bitPattern: vocabulary.scores[id].bitPattern)
    push(Pair(rank: bits ^ (bits >> 31 & Int32.max), left: left, right: right, count: count))
    if vocabulary.kinds[id] == .unused { cuts[id] = first.count }
  }

  /// Adds the piece of a range, or the pieces that it was joined from where it is unused.
  private func appendParts(of range: Range<Int>, to parts: inout [SentencePiecePart]) {
    var stack = [(range: range, depth: 0)]
    while let (range, depth) = stack.popLast() {
      let id = vocabulary.trie.number(of: bytes[range])
      if let id, depth <= Self.cutLimit, vocabulary.kinds[id] == .unused, let cut = cuts[id] {
        let middle = range.lowerBound + cut
        stack.append((middle..<range.upperBound, depth + 1))
        stack.append((range.lowerBound..<middle, depth + 1))
      } else if let id, depth > Self.cutLimit || vocabulary.kinds[id] != .unused {
        parts.append(SentencePiecePart(count: range.count, id: id))
      } else {
        parts.append(SentencePiecePart(count: range.count, id: vocabulary.unknownID))
      }
    }
  }

  private mutating func push(_ pair: Pair) {
    pairs.append(pair)
    var child = pairs.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard pairs[child].isBefore(pairs[parent]) else { break }
      pairs.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func popPair() -> Pair? {
    guard let best = pairs.first, let last = pairs.popLast() else { return nil }
    guard !pairs.isEmpty else { return best }
    pairs[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < pairs.count else { break }
      if child + 1 < pairs.count, pairs[child + 1].isBefore(pairs[child]) { child += 1 }
      guard pairs[child].isBefore(pairs[parent]) else { break }
      pairs.swapAt(child, parent)
      parent = child
    }
    return best
  }
}
