// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Tensors

extension CatalogEntry {
  static let textNGrams = CatalogEntry(
    custom: "tftext:Ngrams", chapter: .text,
    formula: "y[s…, i] = x[s…, i] + separator + … + x[s…, i + width − 1]",
    variants: "str", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    guard try node.flexOptions()["reduction_type"]?.string == "STRING_JOIN" else {
      throw .unsupported("reduction_type other than STRING_JOIN")
    }
    return try TextNGrams(node)
  }

  static let textNGramsStringJoin = CatalogEntry(
    custom: "TFText>NgramsStringJoin", chapter: .text,
    formula: "y[s…, i] = x[s…, i] + separator + … + x[s…, i + width − 1]",
    variants: "str", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in try TextNGrams(node) }
}

/// `tftext:Ngrams` and `TFText>NgramsStringJoin`: neighboring words joined.
///
/// - Input 0: words, strings of any shape; with more inputs, those of ragged rows one after the
///   other.
/// - Inputs 1…: where the rows of each axis begin, int64, with the end of the last one.
/// - Output 0: `width` words at a time, joined by `string_separator`; a row gives `width` − 1 fewer
///   than it has words, or none.
/// - Outputs 1…: where the rows of each axis begin in output 0; but for the last axis, the inputs.
///
/// TensorFlow Lite Support: `ngrams.cc`. TensorFlow Text: `ngrams_kernel_template.h`.
struct TextNGrams: Operator {
  let width: Int
  let separator: [UInt8]

  init(_ node: NodeDescription) throws(KernelError) {
    let options = try node.flexOptions()
    let axis = try options.textInteger("axis") ?? 0
    guard axis == -1 else { throw .unsupported("axis \(axis), wanted −1") }
    width = Int(try options.textInteger("width") ?? 0)
    guard width > 0 else { throw .invalid("width \(width), wanted at least 1") }
    separator = Array((options["string_separator"]?.string ?? "").utf8)
  }

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...Int.max, outputs: node.inputs.count)
    let output = try node.declaredOutput()
    try output.expect(.string, .output(0))
    let words = try node.strings(0)
    let shape = try node.input(0).shape
    guard words.count == shape.elementCount else {
      throw .invalid("\(words.count) strings for the shape \(shape)", .input(0))
    }
    if node.inputs.count > 1 { return try ragged(node, words, output) }
    guard let length = shape.dimensions.last else {
      throw .rank(0, wanted: "at least 1", .input(0))
    }
    let rowCount = shape.dimensions.dropLast().reduce(1, *)
    let splits = length == 0 ? [0] : (0...rowCount).map { $0 * length }
    let (grams, sources, _) = try grams(of: words, splits)
    let dimensions = shape.dimensions.dropLast() + [max(0, length - width + 1)]
    return Prepared(
      [output.with(shape: try Shape.checked(Array(dimensions)))],
      known: [try .strings(grams.map { $0[...] }, "n-gram", "from this word on", sources: sources)])
  }

  private func ragged(
    _ node: PrepareContext, _ words: [[UInt8]], _ output: TensorType
  ) throws(KernelError) -> Prepared {
    var splits: [[Int]] = []
    for position in 1..<node.inputs.count {
      let input = try node.input(position)
      try input.expect(.int64, .input(position))
      guard input.shape.rank == 1, input.shape.elementCount > 0 else {
        throw .invalid("shape \(input.shape), wanted beginnings of rows", .input(position))
      }
      splits.append(try node.integers(position))
    }
    let (grams, sources, starts) = try grams(of: words, splits.removeLast())
    var types = [output.with(shape: try Shape.checked([grams.count]))]
    var outputs = [
      try KnownOutput.strings(
        grams.map { $0[...] }, "n-gram", "from this word on", sources: sources)
    ]
    for (index, values) in (splits + [starts]).enumerated() {
      types.append(
        try node.declaredOutput(index + 1).with(shape: try Shape.checked([values.count])))
      outputs.append(
        try .integers(values, [.int64], node, at: index + 1, "split", "rows or n-grams before"))
    }
    return Prepared(types, known: outputs)
  }

  /// The n-grams of rows of words, the first word of each, and where each row's n-grams begin.
  private func grams(
    of words: [[UInt8]], _ splits: [Int]
  ) throws(KernelError) -> (grams: [[UInt8]], sources: [Int32], starts: [Int]) {
    var (grams, sources, starts): ([[UInt8]], [Int32], [Int]) = ([], [], [])
    var byteCount = 0
    for (start, end) in zip(splits, splits.dropFirst()) {
      starts.append(grams.count)
      guard start < end else { continue }
      guard start >= 0, end <= words.count else {
        throw .invalid("row \(start)..<\(end) of \(words.count) words", .input(0))
      }
      for first in 0..<max(0, end - start - width + 1) {
        let row = words[start + first..<start + first + width]
        // A word counts as a byte more, so that empty ones take no time without limit.
        byteCount += row.reduce(width) { $0 + $1.count } + (width - 1) * separator.count
        try TextLimits.check(stringCount: grams.count + 1, byteCount: byteCount)
        grams.append(Array(row.joined(separator: separator)))
        sources.append(Int32(truncatingIfNeeded: start + first))
      }
    }
    return (grams, sources, starts + [grams.count])
  }
}
