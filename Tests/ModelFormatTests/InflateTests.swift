// SPDX-License-Identifier: Apache-2.0

import Compression
import Testing

/// Inflate, deflate and digests.
@Suite struct InflateTests {
  /// `zlib.compress(b"hello hello hello hello\n")` in Python.
  static let zlib: [UInt8] = [
    120, 156, 203, 72, 205, 201, 201, 87, 200, 64, 39, 185, 0, 112, 190, 8, 187,
  ]
  static let text = Array("hello hello hello hello\n".utf8)

  @Test(arguments: 1...17)
  func `data that another program compressed, in pieces of any size`(size: Int) throws {
    let inflater = try Inflater(.zlib, outputLimit: 24)
    var output: [UInt8] = []
    for start in stride(from: 0, to: Self.zlib.count, by: size) {
      let piece = Array(Self.zlib[start..<min(start + size, Self.zlib.count)])
      try inflater.append(piece.span, to: &output)
    }
    try inflater.finish()
    #expect(output == Self.text)
    #expect(inflater.inputCount == Self.zlib.count)
    #expect(inflater.outputCount == 24)
  }

  @Test(arguments: 0..<24)
  func `output stops at the limit`(limit: Int) throws {
    let inflater = try Inflater(.zlib, outputLimit: limit)
    var output: [UInt8] = []
    #expect(throws: CompressionError.tooLarge(limit: limit)) {
      try inflater.append(Self.zlib.span, to: &output)
    }
    #expect(output.count <= limit)
  }

  @Test(arguments: 0..<17)
  func `every shorter stream is reported as cut off`(length: Int) {
    let bytes = Array(Self.zlib.prefix(length))
    #expect(throws: CompressionError.truncated) {
      try Inflate.expand(bytes.span, .zlib, outputLimit: 100)
    }
  }

  @Test func `wrong headers, blocks and checksums are reported`() {
    for (position, value) in [(0, 0x79), (2, 0xff), (16, 0)] {
      var bytes = Self.zlib
      bytes[position] = UInt8(value)
      let error = #expect(throws: CompressionError.self) {
        try Inflate.expand(bytes.span, .zlib, outputLimit: 100)
      }
      guard case .invalidData = error else {
        Issue.record("unexpected error \(String(describing: error))")
        continue
      }
    }
    let dictionary: [UInt8] = [0x78, 0xbb, 1, 2, 3, 4, 3, 0]
    #expect(throws: CompressionError.needsDictionary) {
      try Inflate.expand(dictionary.span, .zlib, outputLimit: 100)
    }
  }

  @Test(arguments: [0, 1, 100, 65_536, 300_001])
  func `what is compressed expands to itself`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    for format in [DeflateFormat.raw, .zlib] {
      for level in [0, 6, 9] {
        let compressed = try Deflate.compress(bytes.span, format, level: level)
        #expect(try Inflate.expand(compressed.span, format, outputLimit: count) == bytes)
      }
    }
  }

  @Test func `checksums agree with published ones`() {
    let digits = Array("123456789".utf8)
    #expect(Checksum.crc32(digits.span) == 0xcbf4_3926)
    #expect(Checksum.adler32(digits.span) == 0x091e_01de)
    let first = Array(digits[..<4])
    let second = Array(digits[4...])
    let beginning = Checksum.crc32(first.span)
    #expect(Checksum.crc32(second.span, continuing: beginning) == 0xcbf4_3926)
    let empty: [UInt8] = []
    #expect(Checksum.crc32(empty.span, continuing: 5) == 5)
    #expect(Checksum.adler32(empty.span) == 1)
  }

  static let digests: [(String, String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]

  @Test(arguments: digests)
  func `SHA-256 of the standard's examples`(text: String, expected: String) {
    let bytes = Array(text.utf8)
    #expect(SHA256.hexadecimalDigest(bytes.span) == expected)
  }

  @Test func `SHA-256 of a million letters that arrive in pieces`() {
    let piece = [UInt8](repeating: 0x61, count: 1000 - 1)
    let single: [UInt8] = [0x61]
    var hash = SHA256()
    for _ in 0..<1000 {
      hash.update(piece.span)
      hash.update(single.span)
    }
    #expect(
      SHA256.hexadecimal(hash.finalize())
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}
