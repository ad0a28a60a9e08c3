// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Testing

/// Files that are wrong in one position, and what is said about them.
@Suite struct PNGBadFileTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]

    init(_ error: String, _ file: [UInt8]) {
      testDescription = error
      self.file = file
    }

    init(_ error: String, chunks: [[UInt8]]) {
      self.init(error, PNGWriter.file(chunks))
    }
  }

  @Test(arguments: starts + headers + chunks + palettes + streams)
  func isRefused(row: Row) {
    let error = #expect(throws: PNGError.self) { try PNG.decode(row.file) }
    #expect(error?.description == row.testDescription)
  }

  static let grey = PNGWriter(
    width: 2, height: 2, bitDepth: 8, colorType: 0, samples: [1, 2, 3, 4])
  static let indexed = PNGWriter(
    width: 2, height: 2, bitDepth: 2, colorType: 3, samples: [0, 1, 1, 0])
  static let rgb = PNGWriter(width: 1, height: 1, bitDepth: 8, colorType: 2, samples: [1, 2, 3])

  static func data(_ writer: PNGWriter) -> [UInt8] {
    PNGWriter.chunk("IDAT", PNGWriter.zlibStream(writer.scanlines))
  }

  static func header(_ bytes: [UInt8]) -> [[UInt8]] {
    [PNGWriter.chunk("IHDR", bytes), data(grey), PNGWriter.end]
  }

  static func damaged(_ chunk: [UInt8]) -> [UInt8] {
    chunk.dropLast() + [~chunk[chunk.count - 1]]
  }

  static let starts: [Row] = [
    Row("not a PNG file", []),
    Row("not a PNG file", [0x89]),
    Row("not a PNG file", [0x88] + grey.file.dropFirst()),
    Row("not a PNG file", Array("<html>".utf8)),
    Row("JPEG data, not a PNG file", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]),
    Row("GIF data, not a PNG file", Array("GIF89a".utf8)),
    Row("a PNG file damaged by a transfer as text", [0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A]),
    Row("the file ends early at byte 8", PNGWriter.signature),
    Row("the file ends early at byte 8", PNGWriter.signature + [0, 0, 0, 13, 0x49]),
    Row("the file ends early in chunk IHDR at byte 8", Array(grey.file.prefix(32))),
    Row("the file ends early at byte 33", Array(grey.file.prefix(33))),
    Row("the file ends early in chunk IEND at byte 62", Array(grey.file.dropLast())),
    Row(
      "Apple's private variant of PNG in chunk CgBI at byte 8",
      chunks: [PNGWriter.chunk("CgBI", [0x50, 0, 0x20, 2])] + [grey.header]),
  ]

  static let headers: [Row] = [
    Row(
      "length 12 instead of 13 in chunk IHDR at byte 8",
      chunks: header([0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0])),
    Row(
      "impossible size 0x2 in chunk IHDR at byte 8",
      chunks: header([0, 0, 0, 0, 0, 0, 0, 2, 8, 0, 0, 0, 0])),
    Row(
      "impossible size 2x0 in chunk IHDR at byte 8",
      chunks: header([0, 0, 0, 2, 0, 0, 0, 0, 8, 0, 0, 0, 0])),
    Row(
      "impossible size 2147483648x2 in chunk IHDR at byte 8",
      chunks: header([0x80, 0, 0, 0, 0, 0, 0, 2, 8, 0, 0, 0, 0])),
    Row(
      "size 2147483647x2147483647 beyond the limits",
      chunks: header([0x7F, 255, 255, 255, 0x7F, 255, 255, 255, 8, 0, 0, 0, 0])),
    Row(
      "size 60000x60000 beyond the limits",
      chunks: header([0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 1, 0, 0, 0, 0])),
    Row(
      "size 1000001x1 beyond the limits",
      chunks: header([0, 0x0F, 0x42, 0x41, 0, 0, 0, 1, 1, 0, 0, 0, 0])),
    Row(
      "17 bytes of image data for a size of 13000x13000",
      chunks: header([0, 0, 0x32, 0xC8, 0, 0, 0x32, 0xC8, 8, 0, 0, 0, 0])),
    Row(
      "unknown color type 5 in chunk IHDR at byte 8",
      chunks: header([0, 0, 0, 2, 0, 0, 0, 2, 8, 5, 0, 0, 0])),
    Row(
      "bit depth 4 with color type 2 in chunk IHDR at byte 8",
      chunks: header([0, 0, 0, 2, 0, 0, 0, 2, 4, 2, 0, 0, 0])),
    Row(
      "bit depth 16 with color type 3 in chunk IHDR at byte 8",
      chunks: header([0, 0, 0, 2, 0, 0, 0, 2, 16, 3, 0, 0, 0])),
    Row(
      "bit depth 3 with color type 0 in chunk IHDR at byte 8",
      chunks: header([0, 0, 0, 2, 0, 0, 0, 2, 3, 0, 0, 0, 0])),
    Row(
      "unknown compression method 1 in chunk IHDR at byte 8",
      chunks: header([0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 1, 0, 0])),
    Row(
      "unknown filter method 64 in chunk IHDR at byte 8",
      chunks: header([0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 64, 0])),
    Row(
      "unknown interlace method 2 in chunk IHDR at byte 8",
      chunks: header([0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0, 2])),
  ]

  static let chunks: [Row] = [
    Row(
      "no IHDR chunk at the start but something else in chunk IDAT at byte 8",
      chunks: [data(grey), PNGWriter.end]),
    Row("second occurrence in chunk IHDR at byte 33", chunks: [grey.header, grey.header]),
    Row(
      "second occurrence in chunk IHDR at byte 62",
      chunks: [grey.header, data(grey), grey.header, PNGWriter.end]),
    Row("no image data in chunk IEND at byte 33", chunks: [grey.header, PNGWriter.end]),
    Row("the file ends early at byte 62", chunks: [grey.header, data(grey)]),
    Row(
      "length 1 instead of 0 in chunk IEND at byte 62",
      chunks: [grey.header, data(grey), PNGWriter.chunk("IEND", [0])]),
    Row(
      "misplaced data after IDAT in chunk IDAT at byte 74",
      chunks: [grey.header, data(grey), PNGWriter.chunk("tEXt", []), data(grey), PNGWriter.end]),
    Row(
      "unknown critical data in chunk ABCD at byte 33",
      chunks: [grey.header, PNGWriter.chunk("ABCD", []), data(grey), PNGWriter.end]),
    Row(
      "name that is not four letters in chunk 0x41000a1b at byte 33",
      chunks: [grey.header, [0, 0, 0, 0, 0x41, 0, 0x0A, 0x1B, 0, 0, 0, 0]]),
    Row(
      "length 2147483648 instead of less than 2^31 in chunk IDAT at byte 33",
      chunks: [grey.header, [0x80, 0, 0, 0] + Array("IDAT".utf8) + [0, 0, 0, 0]]),
    Row(
      "the file ends early in chunk IDAT at byte 33",
      chunks: [grey.header, [0x7F, 255, 255, 255] + Array("IDAT".utf8) + [0, 0, 0, 0]]),
    Row("bad CRC in chunk IHDR at byte 8", chunks: [damaged(grey.header), data(grey)]),
    Row("bad CRC in chunk IDAT at byte 33", chunks: [grey.header, damaged(data(grey))]),
    Row(
      "bad CRC in chunk IEND at byte 62",
      chunks: [grey.header, data(grey), damaged(PNGWriter.end)]),
    Row(
      "bad CRC in chunk PLTE at byte 33",
      chunks: [grey.header, damaged(PNGWriter.chunk("PLTE", [1, 2, 3]))]),
  ]
}
