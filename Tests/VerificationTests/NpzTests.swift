// SPDX-License-Identifier: Apache-2.0

import Compression
import FileAccess
import Npy
import Tensors
import Testing

/// Npz files.
@Suite struct NpzTests {
  /// What `numpy.savez` writes, with 64-bit local headers: `int16` 1 and 2 as `x`.
  static let stored = bytesOf(
    "504b03042d0000000000000021009d32853affffffffffffffff05001400782e6e707901001000840000"
      + "00000000008400000000000000934e554d5059010076007b276465736372273a20273c6932272c202766"
      + "6f727472616e5f6f72646572273a2046616c73652c20277368617065273a2028322c292c207d20202020"
      + "202020202020202020202020202020202020202020202020202020202020202020202020202020202020"
      + "20202020202020202020202020200a01000200504b01022d032d0000000000000021009d32853a840000"
      + "0084000000050000000000000000000000800100000000782e6e7079504b050600000000010001003300"
      + "0000bb0000000000")

  /// The same, compressed, of `numpy.zeros((8,), numpy.float32)` and of `7` as `b`.
  static let compressed = bytesOf(
    "504b03042d0000000800000021004e17c529ffffffffffffffff05001400622e6e707901001000810000"
      + "000000000045000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a05e536aa8aea3a09e"
      + "965f54529498179f5f94920a12774bcc294e058a17672416a402f91a863a9a3a0ab50a14002e7600504b"
      + "03042d0000000800000021002c180b77ffffffffffffffff090014006172725f302e6e707901001000a0"
      + "0000000000000047000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3"
      + "a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a163a9a3a0ab50a14002e0602"
      + "0000504b01022d032d0000000800000021004e17c5294500000081000000050000000000000000000000"
      + "800100000000622e6e7079504b01022d032d0000000800000021002c180b7747000000a0000000090000"
      + "00000000000000000080017c0000006172725f302e6e7079504b050600000000020002006a000000fe00"
      + "00000000")

  @Test func `stored arrays are read`() throws {
    let archive = try NpzArchive(parsing: Self.stored)
    #expect(archive.arrays.map(\.name) == ["x"])
    #expect(archive["x"]?.values(as: Int16.self) == [1, 2])
    #expect(archive["y"] == nil)
  }

  @Test func `compressed arrays are read in the archive's order`() throws {
    let archive = try NpzArchive(parsing: Self.compressed)
    #expect(archive.arrays.map(\.name) == ["b", "arr_0"])
    #expect(archive["b"]?.values(as: UInt8.self) == [7])
    #expect(archive["arr_0"]?.values(as: Float.self) == [Float](repeating: 0, count: 8))
  }

  @Test(arguments: [true, false])
  func `what is written is read again`(isCompressed: Bool) throws {
    let arrays = [
      (name: "a", array: try NpyArray([Int8(1), 2])), (name: "b", array: try NpyArray([0.5])),
    ]
    let bytes = try NpzArchive(arrays).encoded(isCompressed: isCompressed)
    let archive = try NpzArchive(parsing: bytes)
    #expect(archive.arrays.map(\.name) == ["a", "b"])
    #expect(archive.arrays.map(\.array) == arrays.map(\.array))
  }

  @Test(arguments: [stored, compressed])
  func `every prefix is refused`(file: [UInt8]) {
    for length in file.indices {
      #expect(throws: NpyError.self) { _ = try NpzArchive(parsing: Array(file.prefix(length))) }
    }
  }

  @Test(arguments: [stored, compressed])
  func `no single flipped bit traps`(file: [UInt8]) {
    for position in file.indices {
      for bit in 0..<8 {
        var bytes = file
        bytes[position] ^= 1 << bit
        _ = try? NpzArchive(parsing: bytes)
      }
    }
  }

  @Test func `a small file that would expand to more than 256 MiB is refused before it does`() {
    var bytes = Self.compressed
    let entry = bytes.indices.first { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) } ?? 0
    // The size that the directory tells of the first entry: 256 MiB, where another one follows.
    bytes.replaceSubrange(entry + 24..<entry + 28, with: [0, 0, 0, 0x10])
    #expect(throws: NpyError("npz file expands to more than 268435456 bytes")) {
      _ = try NpzArchive(parsing: bytes)
    }
  }

  @Test func `an entry that is no array is refused by name`() throws {
    var writer = ZipWriter()
    try writer.add("readme.txt", Array("hello".utf8).span)
    let text = try writer.finish()
    #expect(throws: NpyError("entry 'readme.txt' is no npy file")) {
      _ = try NpzArchive(parsing: text)
    }
    writer = ZipWriter()
    try writer.add("x.npy", Array("hello".utf8).span)
    let damaged = try writer.finish()
    #expect(throws: NpyError("entry 'x.npy': not an npy file: wrong magic number (byte 0)")) {
      _ = try NpzArchive(parsing: damaged)
    }
  }

  @Test(arguments: [true, false])
  func `arrays written one by one give the same file`(isCompressed: Bool) throws {
    let arrays = [
      (name: "a", array: try NpyArray([Int8(1), 2])),
      (name: "b", array: try NpyArray([Float](repeating: 0.5, count: 3000))),
      (name: "c", array: try NpyArray([Double]())),
    ]
    var bytes: [UInt8] = []
    let writer = NpzWriter(isCompressed: isCompressed) { (piece) throws(FileSystemError) in
      bytes += piece
    }
    for (name, array) in arrays { try writer.add(name, array) }
    try writer.finish()
    #expect(try NpzArchive(arrays).encoded(isCompressed: isCompressed) == bytes)
    let file = try NpzFile(parsing: bytes)
    #expect(file.names == ["a", "b", "c"])
    for (name, array) in arrays { #expect(try file.array(name) == array) }
    #expect(try file.array("d") == nil)
  }

  @Test(arguments: [stored])
  func `no prefix and no flipped bit of a file that is read lazily traps`(file: [UInt8]) {
    for length in file.indices {
      #expect(throws: NpzFileError.self) { _ = try NpzFile(parsing: Array(file.prefix(length))) }
    }
    for position in file.indices {
      for bit in 0..<8 {
        var bytes = file
        bytes[position] ^= 1 << bit
        if let damaged = try? NpzFile(parsing: bytes) {
          for name in damaged.names { _ = try? damaged.array(name) }
        }
      }
    }
  }
}
