// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

extension EvaluatedNode {
  /// The words of an n-gram, found by a search in depth for as many n-grams as go before it.
  func skipGramAccount(of output: OutputPlace) -> NodeAccount? {
    guard let options = try? node.options(as: SkipGramOptions.self), let term = term(0, 0),
      case .string(let sentence) = term.factors[0].element.stored
    else { return nil }
    let words = Self.words(of: sentence)
    let search = GramSearch(
      wordCount: words.count, size: Int(options.ngramSize), skip: Int(options.maximumSkip),
      includesShorter: options.includesAllNgrams)
    guard let chosen = search.gram(behind: output.flat) else { return nil }
    var steps = StepList()
    steps.add(
      "number", "n-grams before it, in the order of a search in depth", integer: output.flat)
    for place in chosen {
      steps.add("word", "number \(place) of the sentence", .string(Array(words[place])))
    }
    steps.add(
      "n-gram", "the words with spaces between them",
      .string(Array(chosen.map { words[$0] }.joined(separator: [0x20]))))
    return NodeAccount([term], steps)
  }

  /// The words of a sentence, which white space separates.
  ///
  /// TFLite does not look at the first character when it searches for white space.
  private static func words(of sentence: [UInt8]) -> [ArraySlice<UInt8>] {
    func isSpace(_ character: UInt8) -> Bool { character == 32 || 9...13 ~= character }
    var words: [ArraySlice<UInt8>] = []
    var start = 0
    for end in 1..<max(sentence.count, 1) where isSpace(sentence[end]) {
      if start < end, !isSpace(sentence[start]) { words.append(sentence[start..<end]) }
      start = end + 1
    }
    if start < sentence.count { words.append(sentence[start...]) }
    return words
  }
}

/// The search for one of a sentence's n-grams.
private struct GramSearch {
  let wordCount: Int
  let size: Int
  let skip: Int
  let includesShorter: Bool

  /// The words of the n-gram that `count` others go before, longer ones first; nil beyond the last.
  func gram(behind count: Int) -> [Int]? {
    var (chosen, next, before) = ([Int](), 0, count)
    while true {
      let isNear = chosen.last.map { next - $0 - 1 <= skip } ?? true
      if chosen.count < size, next < wordCount, isNear {
        chosen.append(next)
        next += 1
        continue
      }
      if chosen.count == size || (includesShorter && !chosen.isEmpty) {
        if before == 0 { return chosen }
        before -= 1
      }
      guard let last = chosen.popLast() else { return nil }
      next = last + 1
    }
  }
}
