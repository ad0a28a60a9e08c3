// SPDX-License-Identifier: Apache-2.0

import Tensors

extension CatalogEntry {
  static let whitespaceTokenizeWithOffsets = CatalogEntry(
    custom: "TFText>WhitespaceTokenizeWithOffsetsV2", chapter: .text,
    formula: "y₀[y₁[s] + i] = x[s][y₂[y₁[s] + i] ..< y₃[y₁[s] + i]]",
    variants: "str", optimized: "",
    work: .nothing, reads: .everything
  ) { _ in WhitespaceTokenizeWithOffsets() }
}

/// `TFText>WhitespaceTokenizeWithOffsetsV2`: the words of texts, and where they lie.
///
/// - Input 0: texts, a vector of strings.
/// - Input 1: which code points are white space, one string: the bit of a code point is bit
///   `code point mod 8` of byte `code point / 8`; those beyond are none.
/// - Output 0: the words of all texts one after the other.
/// - Output 1: how many words there are before each text, int64, with the number of all.
/// - Outputs 2 and 3: the first byte of each word in its text, and the byte behind it, int32.
///
/// A word ends a byte before the last one of the white space behind it, as in TensorFlow Text: with
/// white space of several bytes, it contains the first ones. Bytes that are no UTF-8 belong to
/// words. TensorFlow Text: `whitespace_tokenizer.cc`, `whitespace_tokenizer_kernel_template.h`.
struct WhitespaceTokenizeWithOffsets: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2, outputs: 4)
    let shape = try node.input(0).shape
    guard shape.rank == 1 else { throw .rank(shape.rank, wanted: "1", .input(0)) }
    let texts = try node.strings(0)
    guard texts.count == shape.elementCount else {
      throw .invalid("\(texts.count) strings for the shape \(shape)", .input(0))
    }
    let sets = try node.strings(1)
    guard sets.count == 1 else { throw .invalid("\(sets.count) strings, wanted 1", .input(1)) }
    try node.declaredOutput().expect(.string, .output(0))

    var words: [ArraySlice<UInt8>] = []
    var (splits, sources): ([Int], [Int32]) = ([0], [])
    for (number, text) in texts.enumerated() {
      words += Self.words(of: text, spaces: sets[0])
      try TextLimits.check(stringCount: words.count)
      while sources.count < words.count { sources.append(Int32(truncatingIfNeeded: number)) }
      splits.append(words.count)
    }
    let outputs = [
      try KnownOutput.strings(words, "word", "of the text", sources: sources),
      try .integers(splits, [.int64], node, at: 1, "split", "words of the texts before"),
      try .integers(
        words.map(\.startIndex), [.int32], node, at: 2, "start", "of the word in the text",
        sources: sources),
      try .integers(
        words.map(\.endIndex), [.int32], node, at: 3, "end", "of the word in the text",
        sources: sources),
    ]
    var types: [TensorType] = []
    for (position, output) in outputs.enumerated() {
      types.append(
        try node.declaredOutput(position).with(shape: try Shape.checked([output.count])))
    }
    return Prepared(types, known: outputs)
  }

  /// The words of a text.
  static func words(of text: [UInt8], spaces: [UInt8]) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var start: Int?
    var position = 0
    while position < text.count {
      let (scalar, count) = scalar(text[position...])
      if let scalar, isSpace(scalar, spaces) {
        if let start { words.append(text[start..<position + count - 1]) }
        start = nil
      } else if start == nil {
        start = position
      }
      position += count
    }
    if let start { words.append(text[start...]) }
    return words
  }

  /// The scalar at the beginning of `bytes`, nil where they are no UTF-8, and its length.
  private static func scalar(_ bytes: ArraySlice<UInt8>) -> (UInt32?, count: Int) {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    switch parser.parseScalar(from: &iterator) {
    case .valid(let encoded): return (Unicode.UTF8.decode(encoded).value, encoded.count)
    case .error(let length): return (nil, length)
    case .emptyInput: return (nil, 1)
    }
  }

  private static func isSpace(_ scalar: UInt32, _ spaces: [UInt8]) -> Bool {
    let byte = Int(scalar >> 3)
    return byte < spaces.count && spaces[byte] >> UInt8(scalar & 7) & 1 == 1
  }
}
