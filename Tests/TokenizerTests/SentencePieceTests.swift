// SPDX-License-Identifier: Apache-2.0

import Testing
import Tokenizers

/// Small models whose results are worked out by hand, and broken ones.
@Suite struct SentencePieceTests {
  typealias Bytes = SentencePieceBytes

  static func pieces(_ model: [UInt8], _ text: String) throws -> [String] {
    try SentencePieceTokenizer(model: model).tokens(of: text).map(\.piece)
  }

  @Test func `the greatest sum of scores wins`() throws {
    let pieces = [
      Bytes.unknown, Bytes.piece("▁a", -1), Bytes.piece("b", -2), Bytes.piece("▁ab", -4),
      Bytes.piece("▁abb", -4.5),
    ]
    // −1 − 2 beats −4, and −4.5 beats −1 − 2 − 2.
    #expect(try Self.pieces(Bytes.model(pieces), "ab") == ["▁a", "b"])
    #expect(try Self.pieces(Bytes.model(pieces), "abb") == ["▁abb"])
    let tokenizer = try SentencePieceTokenizer(model: Bytes.model(pieces))
    let tokens = try tokenizer.tokens(of: "  ab  xyb ")
    #expect(tokens.map(\.piece) == ["▁a", "b", "▁xy", "b"])
    #expect(tokens.map(\.id) == [1, 2, 0, 2])
    #expect(tokens.map(\.range) == [2..<3, 3..<4, 4..<8, 8..<9])
    #expect(try tokenizer.text(of: [1, 2, 0, 3]) == "ab ⁇  ab")
    #expect(throws: TokenizerError.noSuchID(5)) { try tokenizer.text(of: [1, 5]) }
    #expect(throws: TokenizerError.noSuchID(-1)) { try tokenizer.text(of: [-1]) }
    #expect(tokenizer.id(of: "nothing") == 0)
    #expect(try tokenizer.tokens(of: "").isEmpty)
    #expect(try tokenizer.tokens(of: "   ").isEmpty)
  }

  @Test func `the best pair is joined first, and unused pieces are parted again`() throws {
    let pieces = [
      Bytes.unknown, Bytes.piece("a", -9), Bytes.piece("b", -9), Bytes.piece("c", -9),
      Bytes.piece("bc", -1), Bytes.piece("ab", -2), Bytes.piece("abc", -3, kind: 5),
    ]
    let plain = Bytes.field(3, 0)
    let model = Bytes.model(pieces, kind: 2, normalization: plain)
    #expect(try Self.pieces(model, "abc") == ["a", "bc"])
    #expect(try Self.pieces(model, "abab") == ["ab", "ab"])
  }

  @Test func `what is unknown falls back to bytes`() throws {
    let bytes = (0..<256).map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return Bytes.piece("<0x\(digits.count < 2 ? "0" : "")\(digits)>", kind: 6)
    }
    let model = Bytes.model(
      [Bytes.unknown] + bytes + [Bytes.piece("▁a", -1)], training: Bytes.field(35, 1))
    let tokenizer = try SentencePieceTokenizer(model: model)
    let tokens = try tokenizer.tokens(of: "aé")
    #expect(tokens.map(\.piece) == ["▁a", "<0xC3>", "<0xA9>"])
    #expect(tokens.map(\.range) == [0..<1, 1..<1, 1..<3])
    #expect(try tokenizer.text(of: [257, 0xC3 + 1, 0xA9 + 1]) == "aé")
    #expect(try tokenizer.text(of: [0xA9 + 1, 257, 0xC3 + 1]) == "\u{FFFD} a\u{FFFD}")
    #expect(throws: TokenizerError.malformedModel(.missingBytes, offset: 0)) {
      try SentencePieceTokenizer(
        model: Bytes.model([Bytes.unknown] + bytes.dropLast(), training: Bytes.field(35, 1)))
    }
  }

  @Test(arguments: [
    ([], TokenizerError.emptyVocabulary),
    ([Bytes.piece("a")], .malformedModel(.missingUnknown, offset: 0)),
    ([Bytes.unknown, Bytes.unknown], .malformedPiece(.secondUnknown, index: 1)),
    ([Bytes.unknown, Bytes.piece("")], .malformedPiece(.emptyPiece, index: 1)),
    (
      [Bytes.unknown, Bytes.piece("a"), Bytes.piece("b"), Bytes.piece("a", -1)],
      .malformedPiece(.duplicatePiece, index: 3)
    ),
    ([Bytes.unknown, Bytes.piece("a", .nan)], .malformedPiece(.score, index: 1)),
    ([Bytes.unknown, Bytes.piece("a", kind: 7)], .malformedPiece(.unknownKind, index: 1)),
    ([Bytes.unknown, Bytes.piece("<0x41>", kind: 6)], .malformedPiece(.bytePiece, index: 1)),
    (
      [Bytes.unknown, Bytes.piece(String(repeating: "a", count: 1025))],
      .malformedPiece(.pieceTooLong, index: 1)
    ),
  ])
  func `broken pieces are refused`(pieces: [[UInt8]], error: TokenizerError) {
    #expect(throws: error) { try SentencePieceTokenizer(model: Bytes.model(pieces)) }
  }

  @Test func `models of unknown kinds are refused`() {
    #expect(throws: TokenizerError.self) {
      try SentencePieceTokenizer(model: Bytes.model([Bytes.unknown], kind: 9))
    }
  }

  /// Prefixes are refused or are models with fewer pieces, and no changed byte is fatal.
  @Test func `models that are cut or changed`() throws {
    let model = try GoldenFolder.own.bytes("pairs.model")
    var accepted = 0
    let text = "a été, İ 中 <user> ▁▁"
    for length in stride(from: 0, to: model.count, by: 487) {
      guard let tokenizer = try? SentencePieceTokenizer(model: Array(model[..<length])) else {
        continue
      }
      accepted += 1
      let tokens = try tokenizer.tokens(of: text)
      #expect(tokens.allSatisfy { 0..<tokenizer.count ~= $0.id })
    }
    #expect(accepted > 0)
    for index in stride(from: 0, to: model.count, by: 479) {
      var changed = model
      changed[index] ^= 0xFF
      guard let tokenizer = try? SentencePieceTokenizer(model: changed) else { continue }
      let ids = try tokenizer.tokens(of: text).map(\.id)
      _ = try tokenizer.text(of: ids)
    }
  }

  @Test func `small models are cut at every byte`() throws {
    let map = Bytes.characterMap([0x400], "x")
    let model = Bytes.model(
      [Bytes.unknown, Bytes.piece("▁a", -1), Bytes.piece("<s>", kind: 3)],
      training: Bytes.field(44, [0x3F]), normalization: Bytes.field(2, map))
    #expect(try SentencePieceTokenizer(model: model).count == 3)
    for length in 0..<model.count {
      guard let tokenizer = try? SentencePieceTokenizer(model: Array(model[..<length])) else {
        continue
      }
      #expect((1...3).contains(tokenizer.count))
    }
  }

  /// Tries whose units point anywhere.
  @Test(
    arguments: [
      [0xFFFF_FFFF], [0x7FFF_FC00], [0x0000_0200 | 0xFFFF_FC00], [61 << 10, 0x8000_0161],
    ] as [[UInt32]])
  func `tries that point out of their array`(units: [UInt32]) throws {
    for label in stride(from: UInt32(0), to: 256, by: 15) {
      var all = units + [UInt32](repeating: 0, count: 256 - units.count)
      for index in units.count..<256 { all[index] = label | 0xFFFF_FF00 & (label &* 0x9E37_79B1) }
      let map = Bytes.characterMap(all, "xy")
      let model = Bytes.model(
        [Bytes.unknown, Bytes.piece("a")], normalization: Bytes.field(2, map))
      let tokenizer = try SentencePieceTokenizer(model: model)
      #expect(!(try tokenizer.tokens(of: "abc é中👩 =~").isEmpty))
    }
  }

  @Test func `broken tables of replacements are refused`() {
    let good = Bytes.characterMap([0], "x")
    let broken: [[UInt8]] = [
      [1, 2, 3], good.dropLast() + [1], [0xFF, 0xFF, 0xFF, 0xFF] + good.dropFirst(4),
      [1, 4] + good.dropFirst(2), [0, 0, 0, 0] + good.dropFirst(4), Array(good[..<900]),
    ]
    for map in broken {
      #expect(throws: TokenizerError.self) {
        try SentencePieceTokenizer(
          model: Bytes.model([Bytes.unknown], normalization: Bytes.field(2, map)))
      }
    }
  }

  /// A trie in which `a`, followed by what has a value at unit 96 + 1, becomes a long text.
  @Test func `texts that grow beyond measure are refused`() throws {
    // The root leads to unit 0x61 ^ 1 for `a`; its leaf lies one unit from it.
    var units = [UInt32](repeating: 0, count: 256)
    units[0] = 1 << 10
    units[0x60] = 1 << 10 | 0x100 | 0x61
    units[0x61] = 0x8000_0000
    let map = Bytes.characterMap(units, String(repeating: "x", count: 1000))
    let model = Bytes.model(
      [Bytes.unknown, Bytes.piece("x", -1)], normalization: Bytes.field(2, map))
    let tokenizer = try SentencePieceTokenizer(model: model)
    #expect(try tokenizer.tokens(of: "a").count == 1001)
    #expect(throws: TokenizerError.normalizedTextTooLong(limit: 64 * 100 + 1024)) {
      try tokenizer.tokens(of: String(repeating: "a", count: 100))
    }
  }
}
