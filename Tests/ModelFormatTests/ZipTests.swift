// SPDX-License-Identifier: Apache-2.0

import Compression
import ResourceLimits
import Testing

/// Zip archives.
@Suite struct ZipTests {
  /// Written by Python's `zipfile`: `a.txt` stored, `b/c.txt` deflated.
  static let archive: [UInt8] = [
    80, 75, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 33, 0, 78, 129, 136, 71, 4, 0, 0, 0, 4, 0, 0, 0, 5, 0,
    0, 0, 97, 46, 116, 120, 116, 97, 98, 99, 10,
    80, 75, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 33, 0, 0, 136, 89, 11, 11, 0, 0, 0, 24, 0, 0, 0, 7, 0,
    0, 0, 98, 47, 99, 46, 116, 120, 116, 203, 72, 205, 201, 201, 87, 200, 64, 39, 185, 0,
    80, 75, 1, 2, 20, 3, 20, 0, 0, 0, 0, 0, 0, 0, 33, 0, 78, 129, 136, 71, 4, 0, 0, 0, 4, 0, 0, 0,
    5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 1, 0, 0, 0, 0, 97, 46, 116, 120, 116,
    80, 75, 1, 2, 20, 3, 20, 0, 0, 0, 8, 0, 0, 0, 33, 0, 0, 136, 89, 11, 11, 0, 0, 0, 24, 0, 0, 0,
    7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 1, 39, 0, 0, 0, 98, 47, 99, 46, 116, 120, 116,
    80, 75, 5, 6, 0, 0, 0, 0, 2, 0, 2, 0, 104, 0, 0, 0, 87, 0, 0, 0, 0, 0,
  ]
  /// Where the second local header, the directory, its second entry and the end record lie.
  static let (secondHeader, directory, secondEntry, end) = (39, 87, 138, 191)

  static func changed(_ changes: [Int: UInt8]) -> [UInt8] {
    var bytes = archive
    for (position, value) in changes { bytes[position] = value }
    return bytes
  }

  static func contents(
    _ bytes: [UInt8], _ name: String = "b/c.txt", limits: Limits = Limits()
  ) throws(ZipError) -> [UInt8] {
    try ZipArchive(bytes.span, limits: limits).contents(of: name, in: bytes.span)
  }

  @Test func `stored and deflated entries are read`() throws {
    let archive = try ZipArchive(Self.archive.span)
    #expect(archive.entries.map(\.name) == ["a.txt", "b/c.txt"])
    #expect(archive.entries.map(\.byteCount) == [4, 24])
    #expect(archive.entries.map(\.compressedByteCount) == [4, 11])
    #expect(try Self.contents(Self.archive, "a.txt") == Array("abc\n".utf8))
    #expect(try Self.contents(Self.archive) == InflateTests.text)
  }

  @Test func `data may come before an archive, and a comment or more data after it`() throws {
    let filler = [UInt8](repeating: 7, count: 100)
    #expect(try Self.contents(filler + Self.archive) == InflateTests.text)
    let comment = Self.changed([Self.end + 20: 3]) + [1, 2, 3]
    #expect(try Self.contents(filler + comment) == InflateTests.text)
    #expect(try Self.contents(Self.archive + filler) == InflateTests.text)
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let error: ZipError
  }

  static let rows = [
    Row(
      testDescription: "no archive", bytes: [UInt8](repeating: 0, count: 99),
      error: .missingEndRecord),
    Row(
      testDescription: "a wrong checksum", bytes: changed([secondEntry + 16: 1]),
      error: .wrongChecksum(name: "b/c.txt")),
    Row(
      testDescription: "a stated size too small", bytes: changed([secondEntry + 24: 23]),
      error: .compression(.tooLarge(limit: 23), name: "b/c.txt")),
    Row(
      testDescription: "a stated size too large", bytes: changed([secondEntry + 24: 25]),
      error: .wrongSize(name: "b/c.txt")),
    Row(
      testDescription: "compressed data cut off", bytes: changed([secondEntry + 20: 10]),
      error: .compression(.truncated, name: "b/c.txt")),
    Row(
      testDescription: "compressed data beyond the end", bytes: changed([secondEntry + 20: 200]),
      error: .malformed(offset: secondHeader)),
    Row(
      testDescription: "an unknown method", bytes: changed([secondEntry + 10: 99]),
      error: .unsupportedMethod(99, name: "b/c.txt")),
    Row(
      testDescription: "encryption", bytes: changed([secondEntry + 8: 1]),
      error: .encrypted(name: "b/c.txt")),
    Row(
      testDescription: "a size that needs the 64-bit extension",
      bytes: changed(
        [24: 0xff, 25: 0xff, 26: 0xff, 27: 0xff].reduce(into: [:]) {
          $0[$1.key + secondEntry] = $1.value
        }), error: .zip64),
    Row(testDescription: "several parts", bytes: changed([end + 4: 1]), error: .multipleDisks),
    Row(
      testDescription: "a directory that starts too late", bytes: changed([end + 16: 255]),
      error: .malformed(offset: end)),
    Row(
      testDescription: "a directory with a bad entry", bytes: changed([secondEntry: 0]),
      error: .malformed(offset: secondEntry)),
    Row(
      testDescription: "more entries than there are", bytes: changed([end + 10: 3]),
      error: .malformed(offset: end)),
    Row(
      testDescription: "a missing local header", bytes: changed([secondHeader + 3: 9]),
      error: .malformed(offset: secondHeader)),
    Row(
      testDescription: "two entries with the same bytes", bytes: changed([secondEntry + 42: 0]),
      error: .overlappingEntries(name: "b/c.txt")),
  ]

  @Test(arguments: rows)
  func `bad archives are reported`(row: Row) {
    #expect(throws: row.error) { try Self.contents(row.bytes) }
  }

  @Test func `limits hold`() {
    #expect(throws: ZipError.tooManyEntries(limit: 1)) {
      try Self.contents(Self.archive, limits: Limits(archiveEntryCount: 1))
    }
    #expect(throws: ZipError.tooLarge(name: "b/c.txt", limit: 23)) {
      try Self.contents(Self.archive, limits: Limits(archiveEntryByteCount: 23))
    }
  }

  @Test func `an entry may not expand too much`() throws {
    let zeros = [UInt8](repeating: 0, count: 3 << 20)
    var writer = ZipWriter()
    try writer.add("b/c.txt", zeros.span)
    let archive = try writer.finish()
    #expect(throws: ZipError.expandsTooMuch(name: "b/c.txt", ratio: 250)) {
      try Self.contents(archive)
    }
    #expect(try Self.contents(archive, limits: Limits(expansionRatio: 2_000)) == zeros)
  }

  @Test(arguments: 0..<213)
  func `every prefix is reported as cut off`(length: Int) {
    #expect(throws: ZipError.missingEndRecord) {
      try Self.contents(Array(Self.archive.prefix(length)))
    }
  }

  @Test func `every changed byte gives the same contents or an error`() {
    for position in Self.archive.indices {
      for value in [0, 1, 0x7f, 0x80, 0xff, Self.archive[position] ^ 1] {
        do {
          let contents = try Self.contents(Self.changed([position: value]))
          #expect(contents == InflateTests.text)
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
    }
  }

  @Test func `what is written can be read`() throws {
    var writer = ZipWriter()
    let empty: [UInt8] = []
    let large = [UInt8](repeating: 3, count: 100_000)
    try writer.add("empty", empty.span)
    try writer.add("stored", large.span, method: .stored)
    try writer.add("dé/deflated", large.span)
    let bytes = try writer.finish()
    let archive = try ZipArchive(bytes.span)
    #expect(archive.entries.map(\.name) == ["empty", "stored", "dé/deflated"])
    #expect(try archive.contents(of: "empty", in: bytes.span) == [])
    #expect(try archive.contents(of: "stored", in: bytes.span) == large)
    #expect(try archive.contents(of: "dé/deflated", in: bytes.span) == large)
    #expect(bytes.count < 102_000)
  }

  @Test func `the last of several entries with one name counts`() throws {
    var writer = ZipWriter()
    let (first, second): ([UInt8], [UInt8]) = ([1], [2])
    try writer.add("name", first.span)
    try writer.add("name", second.span)
    #expect(try Self.contents(try writer.finish(), "name") == [2])
  }

  static let paths: [(String, Bool)] = [
    ("labels.txt", true), ("a/b.txt", true), ("..", false), ("../a", false), ("a/../../b", false),
    ("/etc/passwd", false), ("a\\b", false), ("a\0b", false), ("", false), ("a..b", true),
  ]

  @Test(arguments: paths)
  func `names that leave the folder are marked`(name: String, isSafe: Bool) throws {
    var writer = ZipWriter()
    let empty: [UInt8] = []
    try writer.add(name, empty.span)
    let bytes = try writer.finish()
    #expect(try ZipArchive(bytes.span).entries.first?.isSafePath == isSafe)
  }
}
