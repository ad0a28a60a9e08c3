// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Testing

/// Exif orientation.
@Suite struct ExifOrientationTests {
  private func orientation(_ exif: [UInt8]) throws -> ImageOrientation? {
    var writer = PNGBadFileTests.grey
    writer.chunksBeforeData = [PNGWriter.chunk("eXIf", exif)]
    return try PNG.decode(writer.file).orientation
  }

  private func bigEndian(_ value: UInt8) -> [UInt8] {
    Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 2]
      + [0x01, 0x0F, 0, 2, 0, 0, 0, 1, 0x41, 0, 0, 0]  // a maker's name
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0] + [0, 0, 0, 0]
  }

  private func littleEndian(_ value: UInt8) -> [UInt8] {
    Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0]
  }

  @Test(arguments: 1...8)
  func `both byte orders, with and without JPEG's prefix`(number: Int) throws {
    let expected = ImageOrientation(rawValue: number)
    #expect(expected != nil)
    #expect(try orientation(bigEndian(UInt8(number))) == expected)
    #expect(try orientation(littleEndian(UInt8(number))) == expected)
    #expect(try orientation(Array("Exif\0\0".utf8) + littleEndian(UInt8(number))) == expected)
  }

  @Test func `what is malformed is no orientation, and no reason to refuse the image`() throws {
    #expect(try orientation(bigEndian(0)) == nil)
    #expect(try orientation(bigEndian(9)) == nil)
    #expect(try orientation(Array("XX*\0".utf8) + bigEndian(6).dropFirst(4)) == nil)
    #expect(try orientation([0x49, 0x49, 0x2A, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0]) == nil)
    let file = bigEndian(6)
    for count in file.indices where count < 32 {
      #expect(try orientation(Array(file.prefix(count))) == nil)
    }
    var wrongType = littleEndian(6)
    wrongType[12] = 4
    #expect(try orientation(wrongType) == nil)
  }

  @Test func `an image without Exif data has none`() throws {
    #expect(try PNG.decode(PNGBadFileTests.grey.file).orientation == nil)
  }

  @Test func `a damaged chunk is passed over`() throws {
    var chunk = PNGWriter.chunk("eXIf", bigEndian(6))
    chunk[chunk.count - 1] ^= 1
    var writer = PNGBadFileTests.grey
    writer.chunksBeforeData = [chunk]
    #expect(try PNG.decode(writer.file).orientation == nil)
  }
}
