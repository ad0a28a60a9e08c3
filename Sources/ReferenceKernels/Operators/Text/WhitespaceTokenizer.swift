// SPDX-License-Identifier: Apache-2.0

import Tensors

extension CatalogEntry {
  static let whitespaceTokenizer = CatalogEntry(
    custom: "tftext:WhitespaceTokenizer", chapter: .text,
    formula: "y[s…, i] = word i of x[s…],   \"\" beyond the last",
    variants: "str", optimized: "",
    work: .nothing, reads: .everything
  ) { _ in WhitespaceTokenizer() }
}

/// `tftext:WhitespaceTokenizer`: the words of texts.
///
/// - Input 0: texts, strings of any shape.
/// - Output 0: with one output, the words along a new last axis, as many as the longest text has.
///   With more, the words of all texts one after the other.
/// - Outputs 1 to the input's rank: where each row begins along each axis, int64, with the end of
///   the last one; those of the last axis are rows of words.
///
/// White space is tab, line feed, the spaces U+0020, U+00A0, U+2000 to U+200B and U+3000, U+2028,
/// U+2029 and U+FEFF, as Plan 9's library has it. A text ends at U+FFFD, and at bytes that are no
/// UTF-8. TensorFlow Lite Support: `whitespace_tokenizer.cc`; libutf: `runetype.c`.
struct WhitespaceTokenizer: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let shape = try node.input(0).shape
    let isPadded = node.declaredOutputs.count == 1
    try node.expect(inputs: 1...1, outputs: isPadded ? 1 : shape.rank + 1)
    let output = try node.declaredOutput()
    try output.expect(.string, .output(0))
    let texts = try node.strings(0)
    guard texts.count == shape.elementCount else {
      throw .invalid("\(texts.count) strings for the shape \(shape)", .input(0))
    }
    let rows = texts.map { Self.words(of: $0) }
    let (words, sources) = try Self.joined(rows, width: isPadded ? rows.map(\.count).max() ?? 0 : 0)
    let strings = try KnownOutput.strings(
      words, "word", "of the text, none beyond its last", sources: sources)
    if isPadded {
      let width = rows.map(\.count).max() ?? 0
      let type = output.with(shape: try Shape.checked(shape.dimensions + [width]))
      return Prepared([type], known: [strings])
    }
    var types = [output.with(shape: try Shape.checked([words.count]))]
    var outputs = [strings]
    for (axis, splits) in Self.splits(shape, rows.map(\.count)).enumerated() {
      types.append(
        try node.declaredOutput(axis + 1).with(shape: try Shape.checked([splits.count])))
      outputs.append(
        try .integers(
          splits, [.int64], node, at: axis + 1, "split", "rows or words before this one"))
    }
    return Prepared(types, known: outputs)
  }

  /// The words of a text.
  static func words(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var start: Int?
    var rest = text[...]
    while !rest.isEmpty {
      let (rune, count) = Rune.first(of: rest)
      if rune == .error { break }
      if isSpace(rune) {
        if let start { words.append(text[start..<rest.startIndex]) }
        start = nil
      } else if start == nil {
        start = rest.startIndex
      }
      rest = rest.dropFirst(count)
    }
    if let start { words.append(text[start..<rest.startIndex]) }
    return words
  }

  private static func isSpace(_ rune: Rune) -> Bool {
    switch rune.value {
    case 0x9, 0xa, 0x20, 0xa0, 0x2000...0x200b, 0x2028, 0x2029, 0x3000, 0xfeff: true
    default: false
    }
  }

  /// The words of all rows, each row filled up to `width`, and the row of each.
  private static func joined(
    _ rows: [[ArraySlice<UInt8>]], width: Int
  ) throws(KernelError) -> (words: [ArraySlice<UInt8>], rows: [Int32]) {
    let count = rows.reduce(0) { $0 + $1.count }
    try TextLimits.check(stringCount: max(count, try rows.count.times(width)))
    var (words, sources): ([ArraySlice<UInt8>], [Int32]) = ([], [])
    for (number, row) in rows.enumerated() {
      words += row
      for _ in 0..<max(0, width - row.count) { words.append([]) }
      for _ in 0..<max(width, row.count) { sources.append(Int32(truncatingIfNeeded: number)) }
    }
    return (words, sources)
  }

  /// Where rows begin along each axis; there is a row of words for each text.
  private static func splits(_ shape: Shape, _ counts: [Int]) -> [[Int]] {
    var splits: [[Int]] = []
    var rowCount = 1
    for (axis, length) in shape.dimensions.enumerated() {
      rowCount *= length
      if axis + 1 < shape.rank {
        let step = shape[axis + 1]
        splits.append((0...rowCount).map { $0 * step })
      } else {
        splits.append(counts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) })
      }
    }
    return splits
  }
}
