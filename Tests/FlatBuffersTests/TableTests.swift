// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Testing

/// Reading tables.
@Suite struct TableTests {
  /// Two fields, written out by hand: slot 0 is the byte 7, slot 2 the 16-bit number 500.
  static let byHand: [UInt8] = [
    20, 0, 0, 0,  // the root table lies at 20
    0x54, 0x45, 0x53, 0x54,  // "TEST"
    10, 0, 8, 0,  // virtual table at 8: 10 bytes long, table of 8 bytes
    4, 0, 0, 0, 6, 0,  // slot 0 at 4, slot 1 missing, slot 2 at 6
    0, 0,  // filler
    12, 0, 0, 0,  // the virtual table lies 12 before
    7, 0, 244, 1,  // the fields
  ]

  @Test func `fields of a buffer written by hand`() throws {
    let table = try Table(root: Self.byHand.span, identifier: "TEST")
    #expect(try table.scalar(0, default: UInt8(1)) == 7)
    #expect(try table.scalar(1, default: Int32(-3)) == -3)
    #expect(try table.scalar(2, default: UInt16(0)) == 500)
    #expect(try table.scalar(9, default: Int64(5)) == 5)
    #expect(try table.has(0))
    #expect(try !table.has(1))
  }

  @Test(arguments: 0..<28)
  func `every prefix of it is reported as too short`(length: Int) throws {
    let bytes = Array(Self.byHand.prefix(length))
    #expect(throws: FlatBufferError.self) { try Self.sum(bytes) }
  }

  private static func sum(_ bytes: [UInt8]) throws -> Int {
    let table = try Table(root: bytes.span, identifier: "TEST")
    return Int(try table.scalar(0, default: UInt8(0))) + Int(try table.scalar(2, default: Int16(0)))
  }

  @Test func `another identifier is refused`() {
    let error = #expect(throws: FlatBufferError.self) {
      _ = try Table(root: Self.byHand.span, identifier: "TFL3").position
    }
    #expect(error?.reason == .wrongIdentifier(found: "TEST", wanted: "TFL3"))
    #expect(error?.offset == 4)
  }

  @Test func `a field beyond the end of its table is refused`() {
    var bytes = Self.byHand
    bytes[16] = 8
    let error = #expect(throws: FlatBufferError.self) { try Self.sum(bytes) }
    #expect(error?.reason == .fieldOutsideTable(slot: 2))
  }

  @Test(arguments: [0, 2, 3, 9, 255])
  func `virtual tables of impossible length are refused`(length: UInt8) {
    var bytes = Self.byHand
    bytes[8] = length
    #expect(throws: FlatBufferError.self) { try Self.sum(bytes) }
  }

  @Test(arguments: [0, 20])
  func `a root or virtual table far away is refused`(position: Int) {
    for byte: UInt8 in [0x7f, 0x80, 0xff] {
      var bytes = Self.byHand
      bytes.replaceSubrange(position..<position + 4, with: [0xff, 0xff, 0xff, byte])
      #expect(throws: FlatBufferError.self) { try Self.sum(bytes) }
    }
  }

  @Test func `the only number of a vector is told from several and none`() throws {
    let bytes = FlatTable([
      0: .floats([0.25]), 1: .floats([0.25, 1]), 2: .floats([]), 4: .ints([Int64(-9)]),
      5: .ints([Int64(1), 2]),
    ]).serialized(identifier: "TEST")
    let table = try Table(root: bytes.span, identifier: "TEST")
    #expect(try table.onlyFloat(0) == 0.25)
    #expect(try table.onlyFloat(1) == nil)
    #expect(try table.onlyFloat(2) == nil)
    #expect(try table.onlyFloat(3) == nil)
    #expect(try table.onlyInt64(4) == -9)
    #expect(try table.onlyInt64(5) == nil)
  }

  @Test func `all kinds of field come back as written`() throws {
    let inner = FlatTable([0: .string("inner")])
    let bytes = FlatTable([
      0: .int(Int64.min), 1: .float(1.5), 2: .bool(true), 3: .string("héllo"),
      4: .ints([Int32.min, 0, .max]), 5: .floats([0.25, -1]), 6: .strings(["a", "", "ccc"]),
      7: .int(UInt8(2)), 8: .table(inner), 9: .tables([inner, FlatTable()]),
      10: .bytes(inner.serialized(identifier: "NEST"), alignment: 16), 11: .bools([true, false]),
      12: .int(Double.pi.bitPattern),
    ]).serialized(identifier: "TEST")
    let table = try Table(root: bytes.span, identifier: "TEST")
    #expect(try table.scalar(0, default: Int64(0)) == .min)
    #expect(try table.float(1) == 1.5)
    #expect(try table.bool(2))
    #expect(try table.string(3) == "héllo")
    #expect(try table.int32s(4) == [.min, 0, .max])
    #expect(try table.floats(5) == [0.25, -1])
    #expect(try table.strings(6) == ["a", "", "ccc"])
    #expect(try table.scalar(7, default: UInt8(0)) == 2)
    #expect(try table.table(8)?.string(0) == "inner")
    let tables = try table.tables(9)
    #expect(tables.count == 2)
    #expect(try tables.table(at: 0).string(0) == "inner")
    #expect(try tables.table(at: 1).string(0) == nil)
    #expect(try table.nested(10)?.string(0) == "inner")
    #expect(try table.byteRange(10)?.lowerBound.isMultiple(of: 16) == true)
    #expect(try table.bools(11) == [true, false])
    #expect(try table.double(12) == .pi)
  }

  @Test func `fields left out are nil, empty or the default`() throws {
    let bytes = FlatTable().serialized(identifier: "TEST")
    let table = try Table(root: bytes.span)
    #expect(try table.string(0) == nil)
    #expect(try table.table(1)?.position == nil)
    #expect(try table.int64s(2) == nil)
    #expect(try table.tables(3).count == 0)
    #expect(try table.byteRange(4) == nil)
    #expect(try table.bool(5, default: true))
    #expect(try table.double(6, default: 2.5) == 2.5)
  }

  @Test func `inline structures and vectors with 64-bit lengths`() throws {
    // Slot 0 is a structure of a byte and a 32-bit number; slot 1 a vector of 3 bytes.
    let bytes: [UInt8] = [
      12, 0, 0, 0, 8, 0, 20, 0, 12, 0, 4, 0,  // root at 12, virtual table at 4
      8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0,  // the vector lies 16 after its field
      9, 0, 0, 0, 1, 1, 0, 0,  // the structure
      3, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7,
    ]
    let table = try Table(root: bytes.span)
    let structure = try #require(try Self.structure(table))
    #expect(structure == [9, 257])
    #expect(try table.byteRange64(1) == 40..<43)
    var longer = bytes
    longer[39] = 0xff
    let hostile = try Table(root: longer.span)
    #expect(throws: FlatBufferError.self) { try hostile.byteRange64(1) }
  }

  private static func structure(_ table: Table) throws -> [Int]? {
    guard let structure = try table.structure(0, byteCount: 8) else { return nil }
    #expect(throws: FlatBufferError.self) { let _: Int32 = try structure.scalar(at: 6) }
    let byte: UInt8 = try structure.scalar(at: 0)
    let number: Int32 = try structure.scalar(at: 4)
    return [Int(byte), Int(number)]
  }

  @Test func `invalid UTF-8 is repaired`() throws {
    let bytes = FlatTable([0: .bytes([0x61, 0xff, 0x62])]).serialized(identifier: "TEST")
    let table = try Table(root: bytes.span)
    #expect(try table.string(0) == "a\u{fffd}b")
  }

  @Test func `an unknown number of an enumeration is named`() throws {
    let bytes = FlatTable([0: .int(Int8(7))]).serialized(identifier: "TEST")
    let table = try Table(root: bytes.span)
    let error = #expect(throws: FlatBufferError.self) {
      try table.enumeration(0, default: Side.left, field: "side")
    }
    #expect(error?.reason == .unknownValue(field: "side", value: 7))
    #expect(try table.enumeration(1, default: Side.right, field: "side") == .right)
  }

  enum Side: Int8 { case left = 0, right = 1 }
}
