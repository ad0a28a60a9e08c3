// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let skipGram = CatalogEntry(
    .skipGram, chapter: .strings, formula: nil, versions: .upTo(1),
    variants: "str", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in SkipGram(options: try node.options()) }
}

/// `SKIP_GRAM`: the n-grams of a sentence in which up to `maximumSkip` words are left out between
/// neighbors.
///
/// - Input: the sentence, the first string of the tensor; words are separated by white space.
/// - Output: a vector of strings, each the words of an n-gram joined by spaces.
///
/// With `includesAllNgrams`, shorter n-grams are included, each behind the longer ones that begin
/// with it. Fewer words than `ngramSize` give no n-grams at all. TFLite does not look at the first
/// character when it searches for white space: a sentence that begins with a space loses its first
/// word, if a space follows it. TFLite: `skip_gram.cc`.
struct SkipGram: Operator {
  let options: SkipGramOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    try node.declaredOutput().expect(.string, .output(0))
    guard let sentence = try node.strings(0).first else {
      throw .invalid("a sentence is missing", .input(0))
    }
    var steps = NoSteps()
    let words = Self.words(of: sentence)
    let grams = try Self.grams(of: words, options, &steps)
    let bytes = try [UInt8](stringTensor: grams)
    var prepared = Prepared(
      try node.declaredOutput().with(shape: try Shape.checked([grams.count])),
      LoopKernel(SkipGramLoop(words: words, options: options, strings: bytes)))
    prepared.outputByteCounts = [bytes.count]
    return prepared
  }

  /// The words of the n-gram of a number.
  @inline(__always)
  private static func tell(
    _ chosen: [Int], _ number: Int, _ words: [ArraySlice<UInt8>], _ gram: [UInt8],
    _ steps: inout some Steps
  ) {
    guard steps.areTold else { return }
    steps.about(number)
    steps.read(element: 0, ofInput: 0)
    steps.note("number", "n-grams before it, in the order of a search in depth", number)
    for word in chosen {
      steps.note("word", "number \(word) of the sentence", string: Array(words[word]))
    }
    steps.note("n-gram", "the words with spaces between them", string: gram)
  }

  /// The words of a sentence.
  private static func words(of sentence: [UInt8]) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var start = 0
    for index in sentence.indices.dropFirst() where isSpace(sentence[index]) {
      if index > start, !isSpace(sentence[start]) { words.append(sentence[start..<index]) }
      start = index + 1
    }
    if start < sentence.count { words.append(sentence[start...]) }
    return words
  }

  private static func isSpace(_ character: UInt8) -> Bool {
    character == 0x20 || 0x09...0x0D ~= character
  }

  /// The most steps of the search: there are as many n-grams as ways to choose words.
  private static let stepLimit = 1 << 22
  /// The most bytes of all n-grams together.
  private static let byteLimit = 1 << 25

  /// The n-grams in the order in which a search in depth finds them.
  ///
  /// - Throws: `KernelError` where there are too many.
  fileprivate static func grams(
    of words: [ArraySlice<UInt8>], _ options: SkipGramOptions, _ steps: inout some Steps
  ) throws(KernelError) -> [[UInt8]] {
    let size = Int(options.ngramSize)
    guard size > 0, words.count >= size else { return [] }
    var grams: [[UInt8]] = []
    var byteCount = 0
    // The words of the n-gram that is being made, and the next candidate behind them.
    var chosen = [0]
    var candidate = 0
    for _ in 0..<stepLimit {
      // Invariant: `chosen` holds positions of words; `candidate` is the last one tried there.
      let depth = chosen.count
      let mayExtend =
        depth < size && candidate + 1 < words.count
        && (depth == 0 || candidate - chosen[depth - 1] <= Int(options.maximumSkip))
      if mayExtend {
        chosen.append(candidate + 1)
        candidate += 1
        continue
      }
      if depth == size || (depth > 0 && options.includesAllNgrams) {
        let gram = Array(chosen.map { words[$0] }.joined(separator: [0x20]))
        byteCount += gram.count
        guard byteCount <= byteLimit else {
          throw .unsupported("n-grams of more than \(byteLimit) bytes", .output(0))
        }
        tell(chosen, grams.count, words, gram, &steps)
        grams.append(gram)
      }
      guard let last = chosen.popLast() else { return grams }
      candidate = last
    }
    throw .unsupported("more than \(stepLimit) steps to find all n-grams", .output(0))
  }
}

/// Writes the n-grams of a sentence, which are known when a node is prepared.
package struct SkipGramLoop: SteppedLoop {
  /// The words of the sentence.
  let words: [ArraySlice<UInt8>]
  /// Which words make an n-gram.
  let options: SkipGramOptions
  /// The n-grams, as a tensor holds them.
  let strings: [UInt8]

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    var output = frame.output(0, as: UInt8.self)
    for index in output.indices { output[index] = strings[index] }
    if steps.areTold { _ = try SkipGram.grams(of: words, options, &steps) }
  }
}
