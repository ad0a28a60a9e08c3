// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Testing

/// A color type and bit depth of the specification's table.
struct PNGPair: Sendable, CustomTestStringConvertible {
  var colorType: UInt8
  var bitDepth: Int

  var testDescription: String { "color type \(colorType), \(bitDepth) bits" }

  /// The bit depths of every color type.
  private static let bitDepths: KeyValuePairs<UInt8, [Int]> = [
    0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
  ]

  static let all: [PNGPair] = bitDepths.flatMap { colorType, bitDepths in
    bitDepths.map { PNGPair(colorType: colorType, bitDepth: $0) }
  }

  /// An image with samples that look random but are not.
  func writer(width: Int, height: Int, isInterlaced: Bool) -> PNGWriter {
    var writer = PNGWriter(
      width: width, height: height, bitDepth: bitDepth, colorType: colorType,
      isInterlaced: isInterlaced, samples: [])
    let largest = (1 << bitDepth) - 1
    writer.samples = (0..<width * height * writer.channelCount).map { index -> UInt16 in
      let mixed = index * (40_503 + index * 77)
      return UInt16(mixed % (largest + 1))
    }
    if colorType == 3 { writer.chunksBeforeData = [PNGWriter.chunk("PLTE", palette)] }
    return writer
  }

  /// A color for every index.
  var palette: [UInt8] {
    (0..<3 << bitDepth).map { UInt8(truncatingIfNeeded: $0 * 91 + 17) }
  }

  /// The 16-bit red, green, blue and alpha that the samples of a pixel mean.
  func rgba(_ samples: ArraySlice<UInt16>) -> [UInt16] {
    let largest = (1 << bitDepth) - 1
    let scaled = samples.map { UInt16(Int($0) * 65_535 / largest) }
    switch colorType {
    case 0: return [scaled[0], scaled[0], scaled[0], 65_535]
    case 2: return scaled + [65_535]
    case 4: return [scaled[0], scaled[0], scaled[0], scaled[1]]
    case 6: return scaled
    default:
      let entry = 3 * Int(samples[samples.startIndex])
      return palette[entry..<entry + 3].map { UInt16($0) * 257 } + [65_535]
    }
  }

  func pixels(_ writer: PNGWriter) -> [UInt16] {
    let count = writer.channelCount
    return stride(from: 0, to: writer.samples.count, by: count).flatMap {
      rgba(writer.samples[$0..<$0 + count])
    }
  }
}

/// PNG formats.
@Suite struct PNGFormatTests {
  @Test(arguments: PNGPair.all, [false, true])
  func `every format gives its pixels`(pair: PNGPair, isInterlaced: Bool) throws {
    let writer = pair.writer(width: 19, height: 13, isInterlaced: isInterlaced)
    let image = try PNG.decode(writer.file, keepingDeepPixels: true)
    let expected = pair.pixels(writer)
    #expect(image.width == 19)
    #expect(image.height == 13)
    #expect(image.pixels == expected.map { UInt8($0 >> 8) })
    #expect(image.deepPixels == (pair.bitDepth == 16 ? expected : nil))
    #expect(image.hasAlpha == (pair.colorType >= 4))
  }

  @Test(arguments: PNGPair.all, [[1], [2], [3], [4], [4, 3, 2, 1, 0]])
  func `every filter is undone`(pair: PNGPair, filters: [UInt8]) throws {
    var writer = pair.writer(width: 11, height: 9, isInterlaced: false)
    writer.filters = filters
    let image = try PNG.decode(writer.file)
    #expect(image.pixels == pair.pixels(writer).map { UInt8($0 >> 8) })
    writer.isInterlaced = true
    #expect(try PNG.decode(writer.file).pixels == image.pixels)
  }

  @Test(arguments: 1...9, 1...9)
  func `sizes that leave interlace passes empty`(width: Int, height: Int) throws {
    for pair in [PNGPair(colorType: 3, bitDepth: 2), PNGPair(colorType: 2, bitDepth: 8)] {
      var writer = pair.writer(width: width, height: height, isInterlaced: true)
      writer.filters = [4, 1, 3]
      let image = try PNG.decode(writer.file)
      #expect(image.pixels == pair.pixels(writer).map { UInt8($0 >> 8) })
    }
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `image data may be cut anywhere, even into empty chunks`(size: Int) throws {
    let pair = PNGPair(colorType: 6, bitDepth: 8)
    var writer = pair.writer(width: 8, height: 8, isInterlaced: false)
    let expected = try PNG.decode(writer.file)
    writer.dataChunkSize = size
    #expect(try PNG.decode(writer.file) == expected)
    let empty = PNGWriter.chunk("IDAT", [])
    let data = PNGWriter.zlibStream(writer.scanlines)
    let file = PNGWriter.file([
      writer.header, empty, PNGWriter.chunk("IDAT", Array(data[..<5])), empty,
      PNGWriter.chunk("IDAT", Array(data[5...])), empty, PNGWriter.end,
    ])
    #expect(try PNG.decode(file) == expected)
  }

  @Test func `rows longer than the decoder's buffer`() throws {
    let pair = PNGPair(colorType: 6, bitDepth: 16)
    var writer = pair.writer(width: 20_000, height: 3, isInterlaced: false)
    writer.filters = [3, 4, 1]
    let image = try PNG.decode(writer.file, keepingDeepPixels: true)
    #expect(image.deepPixels == pair.pixels(writer))
  }

  @Test func `the header is read from the first 33 bytes`() throws {
    let file = PNGPair(colorType: 3, bitDepth: 4).writer(width: 7, height: 5, isInterlaced: true)
      .file
    let header = try PNG.header(of: Array(file.prefix(33)).span)
    #expect(header.width == 7)
    #expect(header.height == 5)
    #expect(header.bitDepth == 4)
    #expect(header.colorType == .indexed)
    #expect(header.isInterlaced)
    #expect(throws: PNGError.self) { try PNG.header(of: Array(file.prefix(32)).span) }
  }
}
