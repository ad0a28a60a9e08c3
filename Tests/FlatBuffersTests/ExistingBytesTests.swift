// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Testing

/// Tables in front of others.
@Suite struct ExistingBytesTests {
  static let old = FlatTable([
    0: .int(UInt8(7)), 1: .string("old"), 2: .tables([FlatTable([0: .int(Int32(1))])]),
    3: .int(UInt32(0xDEAD_BEEF)),
  ]).serialized(identifier: "TEST")

  /// A table that uses the old one's text and table, and its number where that stands.
  private func front(_ header: [UInt8] = []) throws -> [UInt8] {
    let root = try Table(root: Self.old.span)
    let text = try #require(try root.target(1))
    let number = try #require(try root.field(3, byteCount: 4))
    let element = try root.tables(2).table(at: 0).position
    return try FlatTable([
      0: .int(UInt8(8)), 1: .existing(text),
      2: .elements([.existing(element), .table(FlatTable([0: .int(Int32(2))]))]),
      3: .inPlace(number, end: root.position + root.length),
    ]).serialized(identifier: "TEST", header: header, alignment: 64)
  }

  @Test func `fields lead to what lies behind`() throws {
    let front = try front([1, 2, 3, 4])
    #expect(front.count.isMultiple(of: 64))
    #expect(Array(front[8..<12]) == [1, 2, 3, 4])
    let bytes = front + Self.old
    let root = try Table(root: bytes.span, identifier: "TEST")
    #expect(try root.scalar(0, default: UInt8(0)) == 8)
    #expect(try root.string(1) == "old")
    #expect(try root.scalar(3, default: UInt32(0)) == 0xDEAD_BEEF)
    let tables = try root.tables(2)
    var numbers: [Int32] = []
    for index in 0..<tables.count { numbers.append(try tables.table(at: index).scalar(0)) }
    #expect(numbers == [1, 2])
  }

  @Test func `what is too far away is refused`() {
    let field = FlatTable([0: .inPlace(0x10000, end: 0x10004)])
    #expect(throws: FlatBufferError.self) {
      try field.serialized(identifier: "TEST", header: [], alignment: 64)
    }
    #expect(throws: FlatBufferError.self) {
      try FlatTable([0: .existing(Int(Int32.max))])
        .serialized(identifier: "TEST", header: [], alignment: 64)
    }
  }
}
