// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let nGramHash = CatalogEntry(
    custom: "NGramHash", chapter: .text,
    formula: "y[0, k, i] = 1 + hash(character i, …, character i + ngram_lengths[k] − 1)"
      + " mod vocab_sizes[k]",
    variants: "str", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    let options = try node.flexOptions()
    return NGramHash(
      seed: try options.textBits("seed"),
      lengths: try options.textIntegers("ngram_lengths"),
      vocabularySizes: try options.textIntegers("vocab_sizes"),
      characterLimit: Int(try options.textInteger("max_splits") ?? 128),
      isLowercased: options["lowercase_input"]?.bool ?? true)
  }
}

/// `NGramHash`: the numbers of a text's n-grams in tables of embeddings.
///
/// - Input 0: the text, the first string of the tensor.
/// - Output 0: int32, [1, n-gram lengths, characters + 2], numbers from 1 on.
///
/// The text is made lower-case unless `lowercase_input` is false; whatever is no letter becomes a
/// space; `^` and `$` enclose it. `max_splits` characters are taken, those two included. An n-gram
/// begins at each of them, and is shorter at the end. Letters are those of `Rune`.
///
/// Lower-case letters may have more bytes or fewer than what they stand for. MediaPipe goes on to
/// read as many as the text had: the rest is cut off, or bytes behind the end are read, which are 0
/// here. Where the text ends within a character, MediaPipe's operator does not return if
/// `lowercase_input` is true; here the text ends before it.
/// MediaPipe: `ngram_hash.cc`, `ngram_hash_ops_utils.cc`.
struct NGramHash: Operator {
  let seed: UInt64
  let lengths: [Int32]
  let vocabularySizes: [Int32]
  let characterLimit: Int
  let isLowercased: Bool

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let output = try node.declaredOutput()
    try output.expect(.int32, .output(0))
    guard !lengths.isEmpty, lengths.count == vocabularySizes.count else {
      throw .invalid("\(lengths.count) ngram_lengths for \(vocabularySizes.count) vocab_sizes")
    }
    guard !vocabularySizes.contains(0) else { throw .invalid("0 among vocab_sizes") }
    guard characterLimit > 0 else { throw .invalid("max_splits \(characterLimit)") }
    guard var text = try node.strings(0).first else { throw .invalid("no text", .input(0)) }
    let byteCount = text.count
    if isLowercased { text = Self.lowercased(text) }
    let (characters, starts) = Self.characters(of: text, byteCount: byteCount, characterLimit)
    let shape = try Shape.checked([1, lengths.count, starts.count - 1])
    let loop = NGramHashLoop(
      text: characters, starts: starts, seed: seed, lengths: lengths,
      vocabularySizes: vocabularySizes)
    return Prepared(output.with(shape: shape), LoopKernel(loop))
  }

  /// The text with letters in lower case, and U+FFFD for bytes that are no UTF-8.
  static func lowercased(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text[...]
    while !rest.isEmpty {
      let (rune, count) = Rune.first(of: rest)
      guard count > 0 else { break }
      result += (rune.isLetter ? rune.lowercased : rune).utf8
      rest = rest.dropFirst(count)
    }
    return result
  }

  /// The first `byteCount` bytes of `text` as characters between `^` and `$`, with spaces for what
  /// is no letter; and where each begins, with the end of the last one.
  static func characters(
    of text: [UInt8], byteCount: Int, _ limit: Int
  ) -> (bytes: [UInt8], starts: [Int]) {
    let missing = max(0, byteCount - text.count)
    let text = (text + Array(repeating: 0, count: missing))[..<byteCount]
    var (bytes, starts): ([UInt8], [Int]) = ([0x5e], [0])
    var rest = text
    while !rest.isEmpty, starts.count + 1 < limit {
      let (rune, count) = Rune.first(of: rest)
      guard count > 0 else { break }
      starts.append(bytes.count)
      if rune.isLetter { bytes += rest.prefix(count) } else { bytes.append(0x20) }
      rest = rest.dropFirst(count)
    }
    starts.append(bytes.count)
    bytes.append(0x24)
    return (bytes, starts + [bytes.count])
  }
}

/// The loop of `NGramHash`.
package struct NGramHashLoop: SteppedLoop {
  /// The characters with their beginning and end.
  let text: [UInt8]
  /// Where each character begins, and the end of the last one.
  let starts: [Int]
  /// What the hash begins with.
  package let seed: UInt64
  /// Characters of the n-grams of each kind.
  package let lengths: [Int32]
  /// How many numbers there are for each kind.
  package let vocabularySizes: [Int32]

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    var output = frame.output(0, as: Int32.self)
    var meter = frame.workMeter
    let count = starts.count - 1
    for (kind, length) in lengths.enumerated() {
      let modulus = UInt64(bitPattern: Int64(vocabularySizes[kind]))
      for start in 0..<count {
        let end = min(start + max(0, Int(length)), count)
        let gram = text[starts[start]..<starts[end]]
        try meter.add(gram.count + 8)
        let hash = MurmurHash.of(gram, seed: seed)
        steps.about(kind * count + start)
        steps.read(element: 0, ofInput: 0)
        if steps.areTold { steps.note("n-gram", "\(end - start) characters", string: Array(gram)) }
        steps.note("hash", "MurmurHash 2 of its bytes with the seed \(seed)", hash)
        output[kind * count + start] = steps.note(
          "number", "hash mod \(vocabularySizes[kind]), and 1",
          element: Int32(truncatingIfNeeded: hash % modulus &+ 1))
      }
    }
  }
}
