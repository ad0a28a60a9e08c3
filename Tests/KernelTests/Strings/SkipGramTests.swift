// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import ReferenceKernels
import Tensors
import Testing

@Suite struct SkipGramTests {
  static func grams(_ sentence: String, _ size: Int32, skip: Int32, all: Bool) throws -> [UInt8] {
    var options = SkipGramOptions()
    options.ngramSize = size
    options.maximumSkip = skip
    options.includesAllNgrams = all
    return try StringMovementTests.move(
      .skipGram, options: options, [StringMovementTests.tensor([1], [sentence])]
    ).bytes
  }

  static let rows: [(String, Int32, Int32, Bool, [String])] = [
    ("a b c", 2, 0, false, ["a b", "b c"]),
    ("a b c", 2, 1, false, ["a b", "a c", "b c"]),
    ("a b c", 2, 1, true, ["a b", "a c", "a", "b c", "b", "c"]),
    (" a b  c ", 1, 0, false, ["b", "c"]),
    ("a b", 3, 9, true, []),
    ("a b", 0, 9, true, []),
    ("a b", .min, .max, true, []),
  ]

  @Test(arguments: rows)
  func `n-grams of a sentence`(row: (String, Int32, Int32, Bool, [String])) throws {
    let expected = StringMovementTests.tensor(try Shape([row.4.count]), row.4).values(
      as: UInt8.self)
    #expect(try Self.grams(row.0, row.1, skip: row.2, all: row.3) == expected)
  }

  @Test func `more n-grams than memory holds are refused`() {
    let sentence = Array(repeating: "w", count: 60).joined(separator: " ")
    #expect(throws: KernelError.self) {
      try Self.grams(sentence, 30, skip: .max, all: false)
    }
  }

  @Test func `a tensor without a sentence is refused`() {
    #expect(throws: KernelError.self) {
      try StringMovementTests.move(.skipGram, [StringMovementTests.tensor([0], [])])
    }
  }
}
