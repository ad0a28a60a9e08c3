// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ReferenceKernels
import Tensors
import Testing

/// A trie of byte strings as Darts lays it out, made by trying one place after the other.
private func trie(_ strings: [(text: [UInt8], number: Int)]) -> [UInt32] {
  var nodes: [UInt32?] = [0]
  // No two nodes may share one, or the children of one would be the other's.
  var bases: Set<Int> = []
  // Strings with a common beginning, and the node that this ends at.
  var groups = [(node: 0, depth: 0, members: strings)]
  while let group = groups.popLast() {
    let ended = group.members.first { $0.text.count == group.depth }
    let rest = Dictionary(grouping: group.members.filter { $0.text.count > group.depth }) {
      $0.text[group.depth]
    }
    let labels = (ended == nil ? [] : [0]) + rest.keys.map(Int.init)
    let base = (1...).first { base in
      !bases.contains(base)
        && labels.allSatisfy {
          base ^ $0 != 0 && (base ^ $0 >= nodes.count || nodes[base ^ $0] == nil)
        }
    }
    guard let base else { return [] }
    bases.insert(base)
    while nodes.count <= base | 0xff { nodes.append(nil) }
    nodes[group.node] = (nodes[group.node] ?? 0) | UInt32(base ^ group.node) << 10
    if let ended {
      nodes[group.node] = (nodes[group.node] ?? 0) | 0x100
      nodes[base] = 0x8000_0000 | UInt32(ended.number)
    }
    for (label, members) in rest {
      nodes[base ^ Int(label)] = UInt32(label)
      groups.append((base ^ Int(label), group.depth + 1, members))
    }
  }
  // Bytes of 0 end nothing here; a free node has a label that nothing leads to.
  return nodes.enumerated().map { $1 ?? UInt32(truncatingIfNeeded: ~$0 & 0xff) }
}

/// `TFSentencepieceTokenizeOp` and `TFSentencepieceDetokenizeOp`; expectations from
/// `optimized_encoder_test.cc` and `double_array_trie_test.cc` of TensorFlow Lite Support.
@Suite struct SentencepieceTests {
  /// The configuration of an encoder; pieces are numbered from 0 on.
  private static func encoder(
    _ pieces: [(String, Float)], _ fields: [Int: FlatField] = [:],
    replacements: [(String, String)] = []
  ) -> [UInt8] {
    let texts = pieces.enumerated().map { (text: Array($1.0.utf8), number: $0) }
    var table: [Int: FlatField] = [
      6: .table(FlatTable([0: .ints(trie(texts))])), 7: .floats(pieces.map(\.1)),
    ]
    if !replacements.isEmpty {
      var bytes: [UInt8] = []
      var prefixes: [(text: [UInt8], number: Int)] = []
      for (old, new) in replacements {
        prefixes.append((Array(old.utf8), bytes.count))
        bytes += Array(new.utf8) + [0]
      }
      table[11] = .table(FlatTable([0: .ints(trie(prefixes))]))
      table[12] = .bytes(bytes)
    }
    table.merge(fields) { $1 }
    return FlatTable(table).serialized(identifier: "")
  }

  static func tokenized(
    _ model: [UInt8], _ texts: [[UInt8]], begins: Bool = false, ends: Bool = false,
    reverse: Bool = false
  ) throws -> (codes: [Int32], splits: [Int32]) {
    let flags = [begins, ends, reverse].map { TextTensor([], [BoolByte($0)]) }
    let output = try text(
      "TFSentencepieceTokenizeOp",
      [
        TextTensor([model.count], model), TextTensor([texts.count], texts),
        TextTensor([], [0 as Int32]), TextTensor([], [1 as Float]),
      ] + flags, outputs: [.int32, .int32])
    return (output[0].values(), output[1].values())
  }

  /// What becomes of a text: every byte is a piece of its own, whose number is the byte.
  private static func normalized(
    _ input: String, _ fields: [Int: FlatField], replacements: [(String, String)] = []
  ) throws -> String {
    let bytes = (0...255).map { (text: [UInt8($0)], number: $0) }.dropFirst()
    let pieces: [Int: FlatField] = [
      6: .table(FlatTable([0: .ints(trie(Array(bytes)))])),
      7: .floats([Float](repeating: -1, count: 256)),
    ]
    let model = encoder([], fields.merging(pieces) { $1 }, replacements: replacements)
    let (codes, _) = try tokenized(model, [Array(input.utf8)])
    return String(decoding: codes.map { UInt8($0) }, as: UTF8.self)
  }

  private static let spaces: [Int: FlatField] = [8: .bool(true), 9: .bool(true), 10: .bool(true)]

  @Test(arguments: [
    ("x  y", "▁x▁y"), ("\tx  y\n", "▁x▁y"), ("", ""), (" ", ""), ("a\tb", "▁a▁b"),
  ])
  func `white space is made uniform`(input: String, expected: String) throws {
    #expect(try Self.normalized(input, Self.spaces) == expected)
  }

  @Test func `the longest prefixes are replaced`() throws {
    let rules = [("A", "A1"), ("AA", "A2"), ("AAA", "A3"), ("AAAA", "A4")]
    #expect(
      try Self.normalized("ABAABAAABAAAA", [:], replacements: rules) == "A1BA2BA3BA4")
    #expect(
      try Self.normalized(
        "XXABAABAAABAAAA", [8: .bool(true)], replacements: rules + [("X", " ")])
        == " A1BA2BA3BA4")
    #expect(try Self.normalized("aAb", [:], replacements: [("A", "")]) == "ab")
  }

  @Test func `the pieces with the largest sum of scores are taken`() throws {
    let pieces: [(String, Float)] = [
      ("a", -1), ("b", -1), ("ab", -1.5), ("abc", -4), ("c", -2), ("▁", -3), ("▁ab", -3.25),
    ]
    let model = Self.encoder(pieces, Self.spaces)
    let (codes, splits) = try Self.tokenized(model, ["ab", "abc", "", "b"].map { Array($0.utf8) })
    #expect(codes == [6, 6, 4, 5, 1])
    #expect(splits == [0, 1, 3, 3, 5])
  }

  @Test func `bytes of no piece are one unknown piece`() throws {
    let fields: [Int: FlatField] = [
      1: .int(101 as Int32), 2: .int(102 as Int32), 3: .int(7 as Int32), 4: .float(-20),
      5: .int(50 as Int32),
    ]
    let model = Self.encoder([("a", -1), ("aa", -1)], fields)
    let text = Array("aaaéüa".utf8)
    #expect(try Self.tokenized(model, [text]).codes == [50, 51, 7, 50])
    #expect(
      try Self.tokenized(model, [text], begins: true, ends: true).codes
        == [101, 50, 51, 7, 50, 102])
    #expect(
      try Self.tokenized(model, [text], begins: true, reverse: true).codes
        == [50, 7, 51, 50, 101])
    #expect(
      try Self.tokenized(model, [[], []], begins: true, ends: true)
        == ([101, 102, 101, 102], [0, 2, 4]))
    // Without an unknown piece, such a text has none at all.
    #expect(try Self.tokenized(Self.encoder([("a", -1)]), [text]).codes == [])
  }

  @Test func `texts of a megabyte are divided`() throws {
    let model = Self.encoder([("▁a", -1), ("b", -2)], Self.spaces)
    let text = Array(repeating: Array("a bb ".utf8), count: 2_000).flatMap { $0 }
    let unknown = Self.encoder([("a", -1)], [3: .int(0 as Int32)])
    #expect(try Self.tokenized(unknown, [[UInt8](repeating: 0xff, count: 1 << 20)]).codes == [0])
    #expect(try Self.tokenized(model, [text]).codes == [])
  }

  /// Every node leads back to itself, and every beginning of the text is a piece.
  @Test func `tries that loop end`() {
    let model = Self.encoder(
      [],
      [
        6: .table(FlatTable([0: .ints([UInt32](repeating: 0x161, count: 256))])),
        7: .floats([Float](repeating: -1, count: 0x162)),
      ])
    #expect(throws: KernelError.self) {
      try Self.tokenized(model, [[UInt8](repeating: 0x61, count: 1 << 14)])
    }
  }

  @Test(
    arguments: [
      [0: .int(1 as Int8)], [7: .floats([])], [12: .bytes([0x63])], [6: .table(FlatTable([:]))],
    ] as [[Int: FlatField]])
  func `vocabularies that lack something are refused`(fields: [Int: FlatField]) throws {
    let pieces: [(String, Float)] = [("ac", -1)]
    let model = Self.encoder(pieces, fields, replacements: [("b", "c")])
    let text = [Array("abab".utf8)]
    #expect(throws: KernelError.self) { try Self.tokenized(model, text) }
    let whole = Self.encoder(pieces, replacements: [("b", "c")])
    #expect(try Self.tokenized(whole, text).codes == [0, 0])
  }

  @Test func `damaged vocabularies end in an error or in a result`() {
    let model = Self.encoder([("ac", -1)], replacements: [("b", "c")])
    let text = [Array("abab".utf8)]
    var outcomes = Set<Bool>()
    for length in stride(from: 0, to: model.count, by: 7) {
      outcomes.insert((try? Self.tokenized(Array(model[..<length]), text)) != nil)
    }
    for index in stride(from: 0, to: model.count, by: 3) {
      var damaged = model
      damaged[index] ^= 1 << UInt8(index % 8)
      outcomes.insert((try? Self.tokenized(damaged, text)) != nil)
    }
    #expect(outcomes == [true, false])
  }

  @Test func `scores that are no numbers end`() throws {
    let model = Self.encoder([("a", .nan), ("b", .infinity)], [3: .int(9 as Int32)])
    // A comparison with NaN fails, and so does one of infinities.
    #expect(try Self.tokenized(model, [Array("abab".utf8)]).codes == [9, 1, 9])
  }

  @Test func `replacements without limit are refused`() {
    let model = Self.encoder(
      [("a", -1)], replacements: [("a", String(repeating: "a", count: 100_000))])
    #expect(throws: KernelError.self) {
      try Self.tokenized(model, [[UInt8](repeating: 0x61, count: 1 << 20)])
    }
  }

  private static func joined(
    _ model: [UInt8], _ codes: [Int32], _ splits: [Int32]
  ) throws -> [String] {
    try text(
      "TFSentencepieceDetokenizeOp",
      [
        TextTensor([model.count], model), TextTensor([codes.count], codes),
        TextTensor([splits.count], splits),
      ], outputs: [.string])[0].strings()
  }

  private static func decoder(_ pieces: [String], offset: Int32, drops: Bool) -> [UInt8] {
    FlatTable([1: .int(offset), 2: .strings(pieces), 5: .bool(drops)]).serialized(identifier: "")
  }

  @Test func `texts are made of their pieces`() throws {
    let pieces = [" ⁇ ", "", " a", "b\0c"]
    let codes: [Int32] = [12, 13, 12, 10, 11]
    #expect(
      try Self.joined(Self.decoder(pieces, offset: 10, drops: true), codes, [0, 3, 3, 5])
        == ["ab a", "", "⁇ "])
    #expect(
      try Self.joined(Self.decoder(pieces, offset: 10, drops: false), codes, [5, 7, 10])
        == [" ab", " a ⁇ "])
  }

  @Test(
    arguments: [
      ([14], [0, 1]), ([9], [0, 1]), ([10], [0, 2]), ([10], [1, 0]), ([10], [-1, 0]),
      ([.min], [0, 1]), ([.max], [0, 1]), ([10], [0, .max]),
    ] as [([Int32], [Int32])])
  func `pieces that are not there are refused`(codes: [Int32], splits: [Int32]) {
    #expect(throws: KernelError.self) {
      try Self.joined(
        Self.decoder(["a", "b", "c", "d"], offset: 10, drops: true), codes, splits)
    }
  }
}
