// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Testing

/// Pixels that are computed by hand.
@Suite struct BMPTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var writer: BMPWriter
    /// Red, green, blue and, where it is not 255, alpha of each pixel.
    var pixels: [[UInt8]]
  }

  @Test(arguments: uncompressed + headers + fields + runs)
  func pixels(row: Row) throws {
    let image = try BMP.decode(row.writer.file)
    #expect(image.width == row.writer.width)
    #expect(image.height == abs(row.writer.height))
    #expect(image.pixels == row.pixels.flatMap { $0 + ($0.count == 3 ? [255] : []) })
    #expect(image.hasAlpha == row.pixels.contains { $0.count == 4 })
  }

  private static let red: [UInt8] = [255, 0, 0]
  private static let green: [UInt8] = [0, 255, 0]
  private static let blue: [UInt8] = [0, 0, 255]
  private static let white: [UInt8] = [255, 255, 255]

  private static let four = BMPWriter(
    width: 3, height: 1, bits: 4, palette: [red, green, blue, white], data: [0x01, 0x20, 0, 0])

  private static func changed(
    _ writer: BMPWriter, _ change: (inout BMPWriter) -> Void
  ) -> BMPWriter {
    var writer = writer
    change(&writer)
    return writer
  }

  /// Two rows of a pixel: the lower one is stored first.
  private static let column = BMPWriter(
    width: 1, height: 2, data: [0, 0, 255, 9, 255, 0, 0, 9])

  static let uncompressed: [Row] = [
    Row(testDescription: "24 bits, bottom row first", writer: column, pixels: [blue, red]),
    Row(
      testDescription: "24 bits, top row first", writer: changed(column) { $0.height = -2 },
      pixels: [red, blue]),
    Row(
      testDescription: "the last row without its filling",
      writer: changed(column) { $0.data.removeLast() }, pixels: [blue, red]),
    Row(testDescription: "4 bits", writer: four, pixels: [red, green, blue]),
    Row(
      testDescription: "1 bit",
      writer: changed(four) {
        $0.bits = 1
        $0.data = [0b0110_0000, 0, 0, 0]
      }, pixels: [red, green, green]),
    Row(
      testDescription: "2 bits",
      writer: changed(four) {
        $0.bits = 2
        $0.data = [0b1101_1000, 0, 0, 0]
      }, pixels: [white, green, blue]),
    Row(
      testDescription: "8 bits",
      writer: changed(four) {
        $0.bits = 8
        $0.data = [3, 2, 0, 0]
        $0.declaredPaletteCount = 4
      }, pixels: [white, blue, red]),
  ]

  static let headers: [Row] = [
    Row(
      testDescription: "OS/2's header of 12 bytes, whose colors have three",
      writer: changed(four) { $0.headerByteCount = 12 }, pixels: [red, green, blue]),
    Row(
      testDescription: "OS/2's header of 16 bytes",
      writer: changed(four) { $0.headerByteCount = 16 }, pixels: [red, green, blue]),
    Row(
      testDescription: "version 4", writer: changed(four) { $0.headerByteCount = 108 },
      pixels: [red, green, blue]),
    Row(
      testDescription: "version 5", writer: changed(four) { $0.headerByteCount = 124 },
      pixels: [red, green, blue]),
    Row(
      testDescription: "a location of 0 means behind the palette",
      writer: changed(four) {
        $0.bits = 2
        $0.data = [0b0001_1000, 0, 0, 0]
        $0.dataOffset = 0
      }, pixels: [red, green, blue]),
  ]

  private static func pixel(
    _ bits: Int, _ compression: Int, _ header: Int, _ masks: [UInt32], _ value: Int
  ) -> BMPWriter {
    BMPWriter(
      width: 1, height: 1, bits: bits, compression: compression, headerByteCount: header,
      masks: masks, data: BMPWriter.bytes(value, 4))
  }

  static let fields: [Row] = [
    // 10000, 00001 and 01010 of 31: 131.6, 8.2 and 82.3 of 255.
    Row(
      testDescription: "16 bits are 5, 5 and 5",
      writer: pixel(16, 0, 40, [], 0b0_10000_00001_01010), pixels: [[132, 8, 82]]),
    // 100001 of 63 is 133.6.
    Row(
      testDescription: "masks of 5, 6 and 5 bits behind the header",
      writer: pixel(16, 3, 40, [0xF800, 0x07E0, 0x001F], 0b11111_100001_00000),
      pixels: [[255, 134, 0]]),
    Row(
      testDescription: "the fourth byte of 32 bits is nothing",
      writer: pixel(32, 0, 40, [], 0x0003_0201), pixels: [[3, 2, 1]]),
    Row(
      testDescription: "any order of masks, in the header",
      writer: pixel(32, 3, 52, [0xFF, 0xFF00, 0xFF_0000], 0x0003_0201), pixels: [[1, 2, 3]]),
    Row(
      testDescription: "alpha, in the header of version 4",
      writer: pixel(32, 3, 108, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000], 0x8003_0201),
      pixels: [[3, 2, 1, 128]]),
    Row(
      testDescription: "four masks behind the header",
      writer: pixel(16, 6, 40, [0xF00, 0xF0, 0xF, 0xF000], 0x2841), pixels: [[136, 68, 17, 34]]),
    Row(
      testDescription: "a mask of no alpha",
      writer: pixel(32, 3, 56, [0xFF_0000, 0xFF00, 0xFF, 0], 0x8003_0201), pixels: [[3, 2, 1]]),
    // 1023 × 255 / 2047 is 127.4.
    Row(
      testDescription: "fields of more than 8 bits",
      writer: pixel(32, 3, 40, [0xFFE0_0000, 0x001F_FC00, 0x3FF], 1023 << 21 | 2047 << 10),
      pixels: [[127, 255, 0]]),
    Row(
      testDescription: "a color without bits",
      writer: pixel(32, 3, 40, [0xFF, 0, 0xFF00], 0x2010), pixels: [[16, 0, 32]]),
  ]

  private static let runs8 = BMPWriter(
    width: 4, height: 2, bits: 8, compression: 1, palette: [red, green, blue, white])

  private static func runs8(_ data: [UInt8]) -> BMPWriter { changed(runs8) { $0.data = data } }

  private static func runs4(_ data: [UInt8]) -> BMPWriter {
    changed(runs8) {
      $0.bits = 4
      $0.compression = 2
      $0.data = data
    }
  }

  static let runs: [Row] = [
    Row(
      testDescription: "runs and indices as they are",
      writer: runs8([4, 1, 0, 0, 0, 3, 3, 2, 1, 0, 1, 3, 0, 1]),
      pixels: [white, blue, green, white, green, green, green, green]),
    Row(
      testDescription: "an end that leaves out pixels",
      writer: runs8([2, 1, 0, 1]), pixels: [red, red, red, red, green, green, red, red]),
    Row(
      testDescription: "a location to go on at",
      writer: runs8([0, 2, 3, 1, 1, 3, 0, 1]),
      pixels: [red, red, red, white] + [red, red, red, red]),
    Row(
      testDescription: "runs beyond the row, and no mark at the end",
      writer: runs8([9, 1, 0, 0, 9, 2]),
      pixels: [blue, blue, blue, blue, green, green, green, green]),
    Row(
      testDescription: "runs of two indices in turn",
      writer: runs4([3, 0x12, 1, 0x30, 0, 0, 0, 4, 0x01, 0x23, 0, 1]),
      pixels: [red, green, blue, white, green, blue, green, white]),
    Row(
      testDescription: "three packed indices as they are",
      writer: runs4([0, 3, 0x12, 0x30, 1, 0, 0, 0, 4, 0x33, 0, 1]),
      pixels: [white, white, white, white, green, blue, white, red]),
  ]

  @Test func `what the header says`() throws {
    let file = BMPTests.column.file
    let header = try BMP.header(of: file.span)
    #expect(header.bitsPerPixel == 24)
    #expect(header.compression == .none)
    #expect(!header.isTopDown)
  }
}
