// SPDX-License-Identifier: Apache-2.0

extension PNGBadFileTests {
  static func paletted(_ before: [[UInt8]], after: [[UInt8]] = []) -> [[UInt8]] {
    [indexed.header] + before + [data(indexed)] + after + [PNGWriter.end]
  }

  static let twoColors = PNGWriter.chunk("PLTE", [1, 2, 3, 4, 5, 6])

  static let palettes: [Row] = [
    Row("no palette before it in chunk IDAT at byte 33", chunks: paletted([])),
    Row(
      "misplaced data after IDAT in chunk PLTE at byte 60",
      chunks: paletted([], after: [twoColors])),
    Row("second occurrence in chunk PLTE at byte 51", chunks: paletted([twoColors, twoColors])),
    Row(
      "length 0 instead of 3 to 768 bytes, three per color in chunk PLTE at byte 33",
      chunks: paletted([PNGWriter.chunk("PLTE", [])])),
    Row(
      "length 5 instead of 3 to 768 bytes, three per color in chunk PLTE at byte 33",
      chunks: paletted([PNGWriter.chunk("PLTE", [1, 2, 3, 4, 5])])),
    Row(
      "length 771 instead of 3 to 768 bytes, three per color in chunk PLTE at byte 33",
      chunks: paletted([PNGWriter.chunk("PLTE", Array(repeating: 1, count: 771))])),
    Row(
      "palette index 1 of 1 colors (row 0) in chunk IDAT at byte 48",
      chunks: paletted([PNGWriter.chunk("PLTE", [1, 2, 3])])),
    Row(
      "length 3 instead of 1 to 2, one per color in chunk tRNS at byte 51",
      chunks: paletted([twoColors, PNGWriter.chunk("tRNS", [1, 2, 3])])),
    Row(
      "length 0 instead of 1 to 2, one per color in chunk tRNS at byte 51",
      chunks: paletted([twoColors, PNGWriter.chunk("tRNS", [])])),
    Row(
      "no palette before it in chunk tRNS at byte 33",
      chunks: paletted([PNGWriter.chunk("tRNS", [1]), twoColors])),
    Row(
      "length 1 instead of 2 in chunk tRNS at byte 33",
      chunks: [grey.header, PNGWriter.chunk("tRNS", [1]), data(grey), PNGWriter.end]),
    Row(
      "length 5 instead of 6 in chunk tRNS at byte 33",
      chunks: [rgb.header, PNGWriter.chunk("tRNS", [1, 2, 3, 4, 5]), data(rgb), PNGWriter.end]),
    Row(
      "second occurrence in chunk tRNS at byte 47",
      chunks: [grey.header, PNGWriter.chunk("tRNS", [0, 1]), PNGWriter.chunk("tRNS", [0, 1])]),
    Row(
      "misplaced data after IDAT in chunk tRNS at byte 62",
      chunks: [grey.header, data(grey), PNGWriter.chunk("tRNS", [0, 1]), PNGWriter.end]),
  ]

  static func stream(_ bytes: [UInt8]) -> [[UInt8]] {
    [grey.header, PNGWriter.chunk("IDAT", bytes), PNGWriter.end]
  }

  static func pixels(_ bytes: [UInt8]) -> [[UInt8]] { stream(PNGWriter.zlibStream(bytes)) }

  static let good = PNGWriter.zlibStream(grey.scanlines)

  static let streams: [Row] = [
    Row(
      "bad compressed data (incorrect header check) in chunk IDAT at byte 33",
      chunks: stream([0x78, 0x02] + good.dropFirst(2))),
    Row(
      "bad compressed data (unknown compression method) in chunk IDAT at byte 33",
      chunks: stream([0x79, 0x18] + good.dropFirst(2))),
    Row(
      "bad compressed data (invalid window size) in chunk IDAT at byte 33",
      chunks: stream([0x88, 0x1C] + good.dropFirst(2))),
    Row(
      "bad compressed data (preset dictionary) in chunk IDAT at byte 33",
      chunks: stream([0x78, 0x20, 0, 0, 0, 1] + good.dropFirst(2))),
    Row(
      "bad compressed data (invalid block type) in chunk IDAT at byte 33",
      chunks: stream([0x78, 0x01, 0x07])),
    Row(
      "bad compressed data (invalid stored block lengths) in chunk IDAT at byte 33",
      chunks: stream([0x78, 0x01, 1, 6, 0, 0, 0] + good.dropFirst(7))),
    // Fixed codes: a length of 3 at distance 1 before any byte.
    Row(
      "bad compressed data (invalid distance too far back) in chunk IDAT at byte 33",
      chunks: stream([0x78, 0x01, 0x03, 0x02, 0x00, 0x00])),
    Row(
      "bad compressed data (incorrect data check) in chunk IDAT at byte 33",
      chunks: stream(good.dropLast() + [good[good.count - 1] ^ 1])),
    Row(
      "image data ends early (row 2) in chunk IDAT at byte 33",
      chunks: stream(good.dropLast(1))),
    Row(
      "image data ends early (row 2) in chunk IDAT at byte 33",
      chunks: stream(good.dropLast(4))),
    Row(
      "image data ends early (row 1) in chunk IDAT at byte 33",
      chunks: stream(good.dropLast(5))),
    Row(
      "6 bytes of image data for a size of 2x7812",
      chunks: [
        PNGWriter.chunk("IHDR", [0, 0, 0, 2, 0, 0, 0x1E, 0x84, 8, 0, 0, 0, 0]),
        PNGWriter.chunk("IDAT", [1, 2, 3, 4, 5, 6]), PNGWriter.end,
      ]),
    Row("image data ends early (row 0) in chunk IDAT at byte 33", chunks: stream([])),
    Row("image data ends early (row 0) in chunk IDAT at byte 33", chunks: pixels([])),
    Row("image data ends early (row 1) in chunk IDAT at byte 33", chunks: pixels([0, 1, 2])),
    Row("image data ends early (row 1) in chunk IDAT at byte 33", chunks: pixels([0, 1, 2, 0, 3])),
    Row(
      "unknown filter type 5 (row 1) in chunk IDAT at byte 33",
      chunks: pixels([0, 1, 2, 5, 3, 4])),
    Row(
      "unknown filter type 255 (row 0) in chunk IDAT at byte 33",
      chunks: pixels([255, 1, 2, 0, 3, 4])),
  ]
}
