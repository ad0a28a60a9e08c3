// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ResourceLimits
import Testing

/// Limits on what a buffer may make its reader do.
@Suite struct LimitTests {
  /// The number of tables below `table`, counted by visiting all of them.
  static func count(_ table: Table) throws -> Int {
    var sum = 1
    let children = try table.tables(0)
    for index in 0..<children.count { sum += try count(try children.table(at: index)) }
    return sum
  }

  static func chain(_ depth: Int) -> FlatTable {
    var table = FlatTable()
    for _ in 1..<depth { table = FlatTable([0: .tables([table])]) }
    return table
  }

  @Test func `64 nested tables are read, 65 are not`() throws {
    let deep = Self.chain(64).serialized(identifier: "TEST")
    #expect(try Self.count(try Table(root: deep.span)) == 64)
    let tooDeep = Self.chain(65).serialized(identifier: "TEST")
    let error = #expect(throws: FlatBufferError.self) {
      try Self.count(try Table(root: tooDeep.span))
    }
    #expect(error?.reason == .tooDeep(limit: 64))
  }

  /// Levels of a vector of 16 elements that all refer to the next level: 16 to the power of
  /// the levels tables, in a few hundred bytes.
  static func bomb(levels: Int) -> [UInt8] {
    var bytes: [UInt8] = [12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0]
    func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255), 0, 0] }
    for level in 0..<levels {
      // The table, whose slot 0 refers to the vector right behind it.
      bytes += word(bytes.count - 4) + word(4)
      let end = bytes.count + 4 + 4 * 16
      bytes += word(level == levels - 1 ? 0 : 16)
      for _ in 0..<16 { bytes += word(end - bytes.count) }
    }
    return bytes
  }

  @Test func `a bomb of shared tables stops at the limit`() throws {
    let small = Self.bomb(levels: 3)
    #expect(try Self.count(try Table(root: small.span)) == 1 + 16 + 256)
    let bomb = Self.bomb(levels: 20)
    let error = #expect(throws: FlatBufferError.self) {
      try Self.count(try Table(root: bomb.span))
    }
    #expect(error?.reason == .tooManyTables(limit: 1_000_000))
  }

  @Test func `bytes that are decoded again and again stop at the limit`() throws {
    let bytes = FlatTable([0: .bytes([UInt8](repeating: 1, count: 1000))])
      .serialized(identifier: "TEST")
    let table = try Table(root: bytes.span, limits: Limits(repeatedByteCount: 0))
    for _ in 0..<8 { #expect(try table.bytes(0)?.count == 1000) }
    let error = #expect(throws: FlatBufferError.self) { try table.bytes(0) }
    #expect(error?.reason == .tooMuchData(limit: 8 * bytes.count))
  }

  @Test func `numbers count by the memory that they take`() throws {
    let bytes = FlatTable([0: .ints([UInt16](repeating: 1, count: 1000))])
      .serialized(identifier: "TEST")
    let table = try Table(root: bytes.span, limits: Limits(repeatedByteCount: 0))
    for _ in 0..<2 { #expect(try table.uint16s(0)?.count == 1000) }
    #expect(throws: FlatBufferError.self) { try table.uint16s(0) }
  }
}
