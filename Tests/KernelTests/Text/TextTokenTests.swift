// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors
import Testing

/// Words and n-grams of words; expectations from TensorFlow Lite Support's
/// `whitespace_tokenizer_test.cc` and `ngrams_test.cc`, and TensorFlow Text's
/// `whitespace_tokenizer_test.cc`.
@Suite struct TextTokenTests {
  private static func words(_ shape: Shape, _ texts: [String], ragged: Bool = false) throws
    -> [TextTensor]
  {
    let splits = ragged ? [ElementType](repeating: .int64, count: shape.rank) : []
    return try text(
      "tftext:WhitespaceTokenizer", [TextTensor(shape, texts)], outputs: [.string] + splits)
  }

  private static let sentences = [
    "this is a test", "three token sentence", "many more tokens than that sentence",
  ]

  @Test func `words stand along a new axis`() throws {
    let one = try Self.words([1], ["this is a test"])
    #expect(one[0].shape == [1, 4])
    #expect(try one[0].strings() == ["this", "is", "a", "test"])
    let three = try Self.words([3], Self.sentences)
    #expect(three[0].shape == [3, 6])
    #expect(
      try three[0].strings() == [
        "this", "is", "a", "test", "", "", "three", "token", "sentence", "", "", "",
        "many", "more", "tokens", "than", "that", "sentence",
      ])
    let grid = try Self.words([3, 2], ["a b c", "d e f", "g h", "i j k l", "m", "n o p q r"])
    #expect(grid[0].shape == [3, 2, 5])
    #expect(try grid[0].strings().prefix(10) == ["a", "b", "c", "", "", "d", "e", "f", "", ""])
    #expect(try Self.words([], ["a b"])[0].shape == [2])
    #expect(try Self.words([2], ["", " \t\n"])[0].shape == [2, 0])
  }

  @Test func `ragged words have the beginnings of rows`() throws {
    let one = try Self.words([3], Self.sentences, ragged: true)
    #expect(one.count == 2)
    #expect(one[0].shape == [13])
    #expect(one[1].values() == [0, 4, 7, 13] as [Int64])
    let grid = try Self.words(
      [3, 2], ["a b c", "d e f", "g h", "i j k l", "m", "n o p q r"], ragged: true)
    #expect(try grid[0].strings().joined() == "abcdefghijklmnopqr")
    #expect(grid[1].values() == [0, 2, 4, 6] as [Int64])
    #expect(grid[2].values() == [0, 3, 6, 8, 12, 13, 18] as [Int64])
  }

  @Test func `white space is that of Plan 9, and text ends at what is no UTF-8`() throws {
    #expect(
      try Self.words([1], ["a\u{a0}b\u{2003}c\u{3000}d\u{feff}e\u{85}f\rg"])[0].strings()
        == ["a", "b", "c", "d", "e\u{85}f\rg"])
    #expect(try Self.words([1], ["a b\u{fffd} c"])[0].strings() == ["a", "b"])
    let cut = try TextTensor([1], [[0x61, 0x20, 0x62, 0xe3, 0x81] as [UInt8]])
    #expect(
      try text("tftext:WhitespaceTokenizer", [cut], outputs: [.string])[0].strings() == ["a", "b"])
  }

  @Test func `rows that would be filled up without limit are refused`() throws {
    let texts = [String(repeating: "a ", count: 500_000)] + [String](repeating: "", count: 20)
    #expect(try Self.words([1], [texts[0]])[0].shape == [1, 500_000])
    #expect(throws: KernelError.self) { try Self.words([21], texts) }
    #expect(throws: KernelError.self) { try Self.words([3], ["a"]) }
  }

  /// White space as ICU has it: U+0009 to U+000D, U+0020, U+0085, U+00A0, U+3000 among others.
  private static func words(
    _ texts: [[UInt8]], spaces: [UInt32] = [9, 10, 11, 12, 13, 32, 0x85, 0xa0, 0x3000]
  ) throws -> [TextTensor] {
    var set = [UInt8](repeating: 0, count: 0x3000 / 8 + 1)
    for space in spaces { set[Int(space / 8)] |= 1 << UInt8(space % 8) }
    return try text(
      "TFText>WhitespaceTokenizeWithOffsetsV2",
      [TextTensor([texts.count], texts), TextTensor([], [set])],
      outputs: [.string, .int64, .int32, .int32])
  }

  @Test func `words have places`() throws {
    let output = try Self.words([Array("I heard the news today".utf8), [], Array(" a ".utf8)])
    #expect(try output[0].strings() == ["I", "heard", "the", "news", "today", "a"])
    #expect(output[1].values() == [0, 5, 5, 6] as [Int64])
    #expect(output[2].values() == [0, 2, 8, 12, 17, 1] as [Int32])
    #expect(output[3].values() == [1, 7, 11, 16, 22, 2] as [Int32])
    let wide = try Self.words([Array("la灯 灯a 瀮b".utf8)])
    #expect(wide[2].values() == [0, 6, 11] as [Int32])
    #expect(wide[3].values() == [5, 10, 15] as [Int32])
    let invalid = try Self.words([[0xe3]])
    #expect(invalid[2].values() == [0] as [Int32])
    #expect(invalid[3].values() == [1] as [Int32])
  }

  @Test func `a word ends a byte before the last one of white space`() throws {
    let output = try Self.words([Array("a\u{3000}b".utf8)])
    #expect(output[2].values() == [0, 4] as [Int32])
    #expect(output[3].values() == [3, 5] as [Int32])
  }

  private static func grams(
    _ width: Int64, _ separator: String, _ shape: Shape, _ words: [String],
    splits: [[Int64]] = [], name: String = "tftext:Ngrams"
  ) throws -> [TextTensor] {
    var options: [String: TextOption] = [
      "width": .int(width), "string_separator": .string(separator), "axis": .int(-1),
    ]
    if name == "tftext:Ngrams" { options["reduction_type"] = .string("STRING_JOIN") }
    let rows = splits.map { TextTensor([$0.count], $0) }
    return try text(
      name, options: textOptions(options), [TextTensor(shape, words)] + rows,
      outputs: [.string] + rows.map { _ in .int64 })
  }

  private static let test = ["this", "is", "a", "test"]

  @Test(arguments: ["tftext:Ngrams", "TFText>NgramsStringJoin"])
  func `neighboring words are joined`(name: String) throws {
    for (width, separator, expected) in [
      (1, " ", Self.test), (2, " ", ["this is", "is a", "a test"]),
      (3, " ", ["this is a", "is a test"]), (2, "...", ["this...is", "is...a", "a...test"]),
      (5, " ", []),
    ] as [(Int64, String, [String])] {
      let output = try Self.grams(width, separator, [4], Self.test, name: name)
      #expect(output[0].shape == [expected.count])
      #expect(try output[0].strings() == expected)
      let ragged = try Self.grams(
        width, separator, [4], Self.test, splits: [[0, 4]], name: name)
      #expect(try ragged[0].strings() == expected)
      #expect(ragged[1].values() == [0, Int64(expected.count)])
    }
    let grid = try Self.grams(2, " ", [2, 1, 3], ["a", "b", "c", "d", "e", "f"], name: name)
    #expect(grid[0].shape == [2, 1, 2])
    #expect(try grid[0].strings() == ["a b", "b c", "d e", "e f"])
    #expect(try Self.grams(2, " ", [2, 0], [], name: name)[0].shape == [2, 0])
  }

  /// Rows of 5, 4, 3, 2, 2, 3, 4 and 6 words, in groups of 4, 2 and 1.
  @Test func `ragged rows keep their groups`() throws {
    let lengths = [5, 4, 3, 2, 2, 3, 4, 6]
    let words = lengths.enumerated().flatMap { row, length in (0..<length).map { "\(row),\($0)" } }
    let splits: [Int64] = [0, 5, 9, 12, 14, 16, 19, 23, 29]
    let output = try Self.grams(2, " ", [29], words, splits: [[0, 4, 6, 7], splits])
    #expect(
      try output[0].strings()
        == lengths.enumerated().flatMap { row, length in
          (0..<length - 1).map { "\(row),\($0) \(row),\($0 + 1)" }
        })
    #expect(output[1].values() == [0, 4, 6, 7] as [Int64])
    #expect(output[2].values() == [0, 4, 7, 9, 10, 11, 13, 16, 21] as [Int64])
  }

  @Test(arguments: [[0, 5], [-1, 4], [3, .max], [.min, .max], []] as [[Int64]])
  func `rows that are not there are refused`(splits: [Int64]) {
    #expect(throws: KernelError.self) {
      try Self.grams(2, " ", [4], Self.test, splits: [splits])
    }
  }

  @Test(arguments: [0, -2, .min, .max] as [Int64])
  func `widths that make no n-grams are refused`(width: Int64) {
    #expect(throws: KernelError.self) { try Self.grams(width, " ", [4], Self.test) }
  }

  @Test func `n-grams without limit are refused`() {
    let words = [String](repeating: "", count: 20_000)
    #expect(throws: KernelError.self) { try Self.grams(10_000, "", [20_000], words) }
    #expect(throws: KernelError.self) { try Self.grams(10_000, "ab", [20_000], words) }
    let rows: [Int64] = (0..<500).flatMap { _ in [0, 20_000] as [Int64] }
    #expect(throws: KernelError.self) { try Self.grams(1, "", [20_000], words, splits: [rows]) }
  }
}
