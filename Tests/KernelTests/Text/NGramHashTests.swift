// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors
import Testing

private let hashes: [(String, UInt64, UInt64)] = [
  ("", 0, 0x0000_0000_0000_0000),
  ("", 7, 0x6e80_9507_82bd_be12),
  ("x", 100, 0xf37d_29c8_5484_344c),
  ("x", 101, 0xd83f_2cd2_6f32_0be4),
  ("deadbeef", 0, 0x7547_95e9_3477_4d27),
  ("deadbeef000---", 3, 0xe3da_3689_bf77_7a3d),
  ("ありがとう、世界", 0xffff_ffff_ffff_ffff, 0xac50_bf8b_54bb_a8a1),
]

/// The operators of MediaPipe's language detector; expectations from `ngram_hash_test.cc`,
/// `ngram_hash_ops_utils_test.cc` and `murmur_test.cc`, and from the tables of `runetypebody.h`.
@Suite struct NGramHashTests {
  /// The numbers of a text's n-grams, and the output's shape.
  static func hashed(
    _ input: [UInt8], lengths: [Int64] = [1, 2], sizes: [Int64] = [100, 200], seed: Int64 = 123,
    splits: Int64? = nil, isLowercased: Bool? = nil
  ) throws -> (shape: Shape, numbers: [Int32]) {
    var options: [String: TextOption] = [
      "seed": .int(seed), "ngram_lengths": .ints(lengths), "vocab_sizes": .ints(sizes),
    ]
    if let splits { options["max_splits"] = .int(splits) }
    if let isLowercased { options["lowercase_input"] = .bool(isLowercased) }
    let output = try text(
      "NGramHash", options: textOptions(options), [TextTensor([1], [input])], outputs: [.int32])
    return (output[0].shape, output[0].values())
  }

  private static func number(_ gram: String, _ size: UInt64, seed: UInt64 = 123) -> Int32 {
    Int32(MurmurHash.of(Array(gram.utf8)[...], seed: seed) % size + 1)
  }

  static let texts: [(String, [String], [String])] = [
    ("hi", ["^", "h", "i", "$"], ["^h", "hi", "i$", "$"]),
    ("wow", ["^", "w", "o", "w", "$"], ["^w", "wo", "ow", "w$", "$"]),
    ("!", ["^", " ", "$"], ["^ ", " $", "$"]),
    ("HI", ["^", "h", "i", "$"], ["^h", "hi", "i$", "$"]),
    ("БЙп", ["^", "б", "й", "п", "$"], ["^б", "бй", "йп", "п$", "$"]),
    ("ありがと", ["^", "あ", "り", "が", "と", "$"], ["^あ", "あり", "りが", "がと", "と$", "$"]),
  ]

  @Test(arguments: texts)
  func `characters and pairs of them are hashed`(row: (String, [String], [String])) throws {
    let (shape, numbers) = try Self.hashed(Array(row.0.utf8))
    #expect(shape == [1, 2, row.1.count])
    #expect(
      numbers == row.1.map { Self.number($0, 100) } + row.2.map { Self.number($0, 200) })
  }

  static let limits: [(Int64, [String], [String])] = [
    (1, ["^", "$"], ["^$", "$"]), (2, ["^", "$"], ["^$", "$"]),
    (3, ["^", "w", "$"], ["^w", "w$", "$"]), (4, ["^", "w", "o", "$"], ["^w", "wo", "o$", "$"]),
    (5, texts[1].1, texts[1].2), (6, texts[1].1, texts[1].2),
  ]

  @Test(arguments: limits)
  func `so many characters are taken`(row: (Int64, [String], [String])) throws {
    let (shape, numbers) = try Self.hashed(Array("wow".utf8), splits: row.0)
    #expect(shape == [1, 2, row.1.count])
    #expect(numbers == row.1.map { Self.number($0, 100) } + row.2.map { Self.number($0, 200) })
  }

  @Test func `128 characters are taken if nothing else is said`() throws {
    #expect(try Self.hashed(Array(repeating: 0x61, count: 4000)).shape == [1, 2, 128])
  }

  @Test func `upper case may stay`() throws {
    let (_, numbers) = try Self.hashed(
      Array("Hi".utf8), lengths: [3], sizes: [1000], isLowercased: false)
    #expect(numbers == ["^Hi", "Hi$", "i$", "$"].map { Self.number($0, 1000) })
  }

  /// Lower case changes the number of bytes.
  ///
  /// The Kelvin sign has three bytes, its lower-case letter one: two zero bytes are read behind it.
  /// Ⱥ has two, its lower-case letter three: the last one is cut off.
  @Test(arguments: [
    ("\u{212a}", ["^", "k", " ", " ", "$"]), ("\u{23a}b", ["^", "\u{2c65}", "$"]),
    ("\u{23a}", ["^", "$"]),
  ])
  func `as many bytes are read as the text had`(input: String, characters: [String]) throws {
    let (_, numbers) = try Self.hashed(Array(input.utf8), lengths: [1], sizes: [1000])
    #expect(numbers == characters.map { Self.number($0, 1000) })
  }

  @Test func `bytes that are no UTF-8 are spaces, and a text may end within a character`() throws {
    let (_, wrong) = try Self.hashed(
      [0x61, 0xff, 0x62, 0x63], lengths: [1], sizes: [1000], isLowercased: false)
    #expect(wrong == ["^", "a", " ", "b", "c", "$"].map { Self.number($0, 1000) })
    for isLowercased in [true, false] {
      let (_, cut) = try Self.hashed(
        [0x61, 0xe3, 0x81], lengths: [1], sizes: [1000], isLowercased: isLowercased)
      let expected = isLowercased ? ["^", "a", " ", " ", "$"] : ["^", "a", "$"]
      #expect(cut == expected.map { Self.number($0, 1000) })
    }
  }

  @Test func `n-grams of any length are hashed`() throws {
    let (_, numbers) = try Self.hashed(
      Array("ab".utf8), lengths: [0, -3, 2_147_483_647], sizes: [9, 9, 9])
    let empty = Array(repeating: Self.number("", 9), count: 8)
    #expect(numbers == empty + ["^ab$", "ab$", "b$", "$"].map { Self.number($0, 9) })
  }

  @Test(
    arguments: [
      ([1, 2, 3], [1, 2], 5), ([1, 2], [1, 2, 3], 5), ([], [], 5), ([1], [0], 5), ([1], [9], 0),
      ([1], [9], -100), ([1 << 40], [9], 5),
    ] as [([Int64], [Int64], Int64)])
  func `options that do not fit are refused`(lengths: [Int64], sizes: [Int64], splits: Int64) {
    #expect(throws: KernelError.self) {
      try Self.hashed([0x61], lengths: lengths, sizes: sizes, splits: splits)
    }
  }

  @Test func `a text is wanted`() throws {
    #expect(throws: KernelError.self) {
      try text(
        "NGramHash",
        options: textOptions(["ngram_lengths": .ints([1]), "vocab_sizes": .ints([5])]),
        [TextTensor([0], [String]())], outputs: [.int32])
    }
  }

  /// Computed with Austin Appleby's `MurmurHash64A` in another language; nothing hashes to 0.
  @Test(arguments: hashes)
  func `hashes are MurmurHash 2`(input: String, seed: UInt64, hash: UInt64) {
    #expect(MurmurHash.of(Array(input.utf8)[...], seed: seed) == hash)
  }
}

/// Plan 9's runes; the sums are FNV-1a of all code points by MediaPipe's tables.
@Suite struct RuneTests {
  private static func sum(_ values: some Sequence<UInt32>) -> UInt64 {
    values.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  @Test func `letters are those of Unicode 6_2`() {
    let letters = (0..<UInt32(0x11_0000)).filter { Rune(value: $0).isLetter }
    #expect(letters.count == 101_013)
    #expect(Self.sum(letters) == 0xe302_28ea_ff64_edf2)
  }

  @Test func `lower-case letters are those of Unicode 6_2`() {
    let runes = (0..<UInt32(0x11_0000)).map { Rune(value: $0) }
    #expect(
      Self.sum(runes.map { $0.isLetter ? $0.lowercased.value : $0.value }) == 0x38cb_0304_9e5d_4b56)
  }

  @Test func `every scalar is read as it was written`() {
    for value in stride(from: UInt32(0), to: 0x11_0000, by: 7) {
      let bytes = Rune(value: value).utf8
      if let scalar = Unicode.Scalar(value) { #expect(bytes == Array(String(scalar).utf8)) }
      let (rune, count) = Rune.first(of: bytes[...])
      #expect(rune.value == value && count == bytes.count)
      for length in 0..<bytes.count { #expect(Rune.first(of: bytes[..<length]).byteCount == 0) }
    }
  }

  @Test(
    arguments: [
      [0x80, 0x80], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf],
      [0xf4, 0x90, 0x80, 0x80], [0xf8, 0x80, 0x80, 0x80], [0xc3, 0x28], [0xff, 0x61],
    ] as [[UInt8]])
  func `wrong bytes are an error of one byte`(bytes: [UInt8]) {
    let (rune, count) = Rune.first(of: bytes[...])
    #expect(rune == .error && count == 1)
  }
}
