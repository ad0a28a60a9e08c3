// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import ResourceLimits
import Testing

/// PNM.
@Suite struct PNMTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]
    var width: Int
    /// A grey value, or red, green, blue, of each pixel.
    var pixels: [[UInt8]]

    init(_ text: String, _ data: [UInt8] = [], width: Int, _ pixels: [[UInt8]]) {
      testDescription = text.split(whereSeparator: \.isNewline).joined(separator: " ")
      file = text.utf8 + data
      self.width = width
      self.pixels = pixels
    }
  }

  @Test(arguments: rows)
  func pixels(row: Row) throws {
    let image = try PNM.decode(row.file)
    #expect(image.width == row.width)
    #expect(image.width * image.height == row.pixels.count)
    #expect(
      image.pixels == row.pixels.flatMap { $0 + ($0.count == 1 ? [$0[0], $0[0]] : []) + [255] })
    #expect(!image.hasAlpha)
  }

  static let rows: [Row] = [
    Row("P1 3 2 101 0 1 1", width: 3, [[0], [255], [0], [255], [0], [0]]),
    Row("P1\n# a comment\n1 # another\n1\n0", width: 1, [[255]]),
    Row("P2\n3 1\n15\n0 7 15\n", width: 3, [[0], [119], [255]]),
    Row("P3 1 2 255 1 2 3\n255 254 253", width: 1, [[1, 2, 3], [255, 254, 253]]),
    // Rows begin with a whole byte.
    Row(
      "P4 9 2\n", [0b1000_0001, 0x80, 0, 0x7F], width: 9,
      [[0]] + Array(repeating: [255], count: 6) + [[0], [0]] + Array(repeating: [255], count: 9)),
    Row("P5 2 1 255\n", [7, 10], width: 2, [[7], [10]]),
    // 3 × 255 / 100 is 7.65; 50 is 127.5, which is rounded up.
    Row("P5 3 1 100 ", [3, 50, 100], width: 3, [[8], [128], [255]]),
    // Of two bytes the high one is kept, when they can have any value.
    Row("P5 2 1 65535\n", [0x12, 0xFF, 0xFF, 0], width: 2, [[0x12], [0xFF]]),
    // 512 × 255 / 1023 is 127.6.
    Row("P5 1 1 1023\n", [2, 0], width: 1, [[128]]),
    Row("P6 1 1 255\n", [1, 2, 3, 99], width: 1, [[1, 2, 3]]),
    Row("P6\n#c\n1 1\n#c\n1\n", [1, 0, 1], width: 1, [[255, 0, 255]]),
  ]

  @Test(arguments: [
    ("", "the file ends early at byte 0"), ("P", "the file ends early at byte 0"),
    ("P7 1 1", "not a PBM, PGM or PPM file at byte 0"),
    ("P5", "the file ends early at byte 2"), ("P5 x", "no number where one is due at byte 3"),
    ("P5 2 2 255", "the file ends early at byte 10"),
    ("P5 2 2 255\n123", "the file ends early at byte 14"),
    ("P5 0 2 255\n", "impossible size 0x2 at byte 2"),
    ("P5 4294967296 1 255\n", "impossible size 4294967296x1 at byte 2"),
    ("P5 99999999999 1 255\n", "impossible size 9999999999x9 at byte 2"),
    ("P5 1 1 0\n1", "largest sample 0, wanted 1 to 65535 at byte 8"),
    ("P5 1 1 65536\n1", "largest sample 65536, wanted 1 to 65535 at byte 12"),
    ("P5 1 1 255x1", "no number where one is due at byte 10"),
    ("P5 1 1 48\n1", "sample 49 of at most 48 at byte 10"),
    ("P2 1 1 9\n10", "sample 10 of at most 9 at byte 11"),
    ("P2 2 1 9\n3  ", "the file ends early at byte 12"),
    ("P1 2 1\n12", "sample 2 of at most 1 at byte 8"),
    ("P1 2 1\n1#", "the file ends early at byte 9"),
    ("P5 2147483647 2147483647 255\n", "size 2147483647x2147483647 beyond the limits at byte 2"),
  ])
  func `what is wrong is said`(text: String, message: String) {
    let error = #expect(throws: PNMError.self) { try PNM.decode(Array(text.utf8)) }
    #expect(error?.description == message)
  }

  @Test func `a changed byte is refused or changes the image, and every prefix is refused`() {
    for row in PNMTests.rows where row.file.first == UInt8(ascii: "P") {
      for index in row.file.indices {
        for change: UInt8 in [0x01, 0x04, 0x10, 0x40, 0xFF] {
          var changed = row.file
          changed[index] ^= change
          _ = try? PNM.decode(changed)
        }
        _ = try? PNM.decode(Array(row.file.prefix(index)))
      }
    }
  }

  @Test func `limits are the caller's`() throws {
    let file = Array("P1 2 1 11".utf8)
    for limits in [
      Limits(imageSide: 1), Limits(imagePixelCount: 1),
      Limits(imageByteCount: 7), Limits(imageByteCount: .min),
    ] {
      let error = #expect(throws: PNMError.self) { try PNM.decode(file, limits: limits) }
      #expect(error?.reason == .tooLarge(width: 2, height: 1))
    }
    let boundless = Limits(
      imageSide: .max, imagePixelCount: .max, imageByteCount: .max)
    #expect(try PNM.decode(file, limits: boundless).width == 2)
    for kind in 1...6 {
      let huge = "P\(kind) 2147483647 2147483647 65535 "
      #expect(throws: PNMError.self) { try PNM.decode(Array(huge.utf8), limits: boundless) }
    }
  }
}
