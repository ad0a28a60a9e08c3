// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Testing

/// PNG transparency.
@Suite struct PNGTransparencyTests {
  /// One row of pixels, its `tRNS` data, and which of the pixels are transparent.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var colorType: UInt8
    var bitDepth: Int
    var samples: [UInt16]
    var key: [UInt8]
    var alphas: [UInt8]
  }

  static let rows = [
    Row(
      testDescription: "grey, 1 bit", colorType: 0, bitDepth: 1, samples: [0, 1, 1],
      key: [0, 1], alphas: [255, 0, 0]),
    Row(
      testDescription: "grey, 2 bits", colorType: 0, bitDepth: 2, samples: [0, 1, 2, 3],
      key: [0, 2], alphas: [255, 255, 0, 255]),
    Row(
      testDescription: "grey, 4 bits, high bits of the key ignored", colorType: 0, bitDepth: 4,
      samples: [5, 6, 15], key: [0xFF, 0xF6], alphas: [255, 0, 255]),
    Row(
      testDescription: "grey, 8 bits", colorType: 0, bitDepth: 8, samples: [1, 200, 201],
      key: [0, 200], alphas: [255, 0, 255]),
    Row(
      testDescription: "grey, 16 bits, low byte compared", colorType: 0, bitDepth: 16,
      samples: [0x1234, 0x1235, 0x1334], key: [0x12, 0x35], alphas: [255, 0, 255]),
    Row(
      testDescription: "color, 8 bits, all three compared", colorType: 2, bitDepth: 8,
      samples: [1, 2, 3, 1, 2, 4, 0, 2, 3, 1, 0, 3], key: [0, 1, 0, 2, 0, 3],
      alphas: [0, 255, 255, 255]),
    Row(
      testDescription: "color, 8 bits, high bytes of the key ignored", colorType: 2, bitDepth: 8,
      samples: [1, 2, 3, 3, 2, 1], key: [9, 1, 9, 2, 9, 3], alphas: [0, 255]),
    Row(
      testDescription: "color, 16 bits, low bytes compared", colorType: 2, bitDepth: 16,
      samples: [0x0101, 0x0202, 0x0303, 0x0101, 0x0202, 0x0304, 0x0102, 0x0202, 0x0303],
      key: [1, 1, 2, 2, 3, 4], alphas: [255, 0, 255]),
  ]

  @Test(arguments: rows, [false, true])
  func key(row: Row, isInterlaced: Bool) throws {
    var writer = PNGWriter(
      width: row.alphas.count, height: 1, bitDepth: row.bitDepth, colorType: row.colorType,
      isInterlaced: isInterlaced, samples: row.samples)
    writer.chunksBeforeData = [PNGWriter.chunk("tRNS", row.key)]
    let image = try PNG.decode(writer.file)
    #expect(stride(from: 3, to: image.pixels.count, by: 4).map { image.pixels[$0] } == row.alphas)
    #expect(image.hasAlpha)
  }

  @Test func `palette entries have their alpha, those behind the list are opaque`() throws {
    let writer = PNGWriter(
      width: 4, height: 1, bitDepth: 2, colorType: 3, samples: [3, 2, 1, 0],
      chunksBeforeData: [
        PNGWriter.chunk("PLTE", [10, 11, 12, 20, 21, 22, 30, 31, 32, 40, 41, 42]),
        PNGWriter.chunk("tRNS", [0, 128]),
      ])
    #expect(
      try PNG.decode(writer.file).pixels == [
        40, 41, 42, 255, 30, 31, 32, 255, 20, 21, 22, 128, 10, 11, 12, 0,
      ])
  }

  @Test func `a transparent pixel keeps its color`() throws {
    let writer = PNGWriter(
      width: 2, height: 1, bitDepth: 8, colorType: 2, samples: [7, 8, 9, 1, 2, 3],
      chunksBeforeData: [PNGWriter.chunk("tRNS", [0, 7, 0, 8, 0, 9])])
    #expect(try PNG.decode(writer.file).pixels == [7, 8, 9, 0, 1, 2, 3, 255])
  }

  @Test func `a key beside an alpha channel is ignored`() throws {
    let writer = PNGWriter(
      width: 1, height: 1, bitDepth: 8, colorType: 4, samples: [5, 6],
      chunksBeforeData: [PNGWriter.chunk("tRNS", [0, 5])])
    #expect(try PNG.decode(writer.file).pixels == [5, 5, 5, 6])
  }

  @Test func `a transparency chunk with a bad checksum is passed over`() throws {
    var chunk = PNGWriter.chunk("tRNS", [0, 5])
    chunk[chunk.count - 1] ^= 1
    let writer = PNGWriter(
      width: 1, height: 1, bitDepth: 8, colorType: 0, samples: [5], chunksBeforeData: [chunk])
    let image = try PNG.decode(writer.file)
    #expect(image.pixels == [5, 5, 5, 255])
    #expect(!image.hasAlpha)
  }
}
