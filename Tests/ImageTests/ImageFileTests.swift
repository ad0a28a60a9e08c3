// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import ResourceLimits
import Testing

/// Image files of any format.
@Suite struct ImageFileTests {
  static let files: [(ImageFormat, [UInt8])] = [
    (.png, PNGBadFileTests.grey.file), (.jpeg, JPEGWriter.grey.file([3])),
    (.bmp, BMPBadFileTests.whole.file), (.pnm, Array("P2 1 1 9 4".utf8)),
    (.pnm, Array("P1#\n1 1 1".utf8)),
  ]

  @Test(arguments: files)
  func `the first bytes tell the format`(format: ImageFormat, file: [UInt8]) throws {
    #expect(ImageFormat(of: file.span) == format)
    #expect(try ImageFile.header(of: file.span).format == format)
    let image = try ImageFile.decode(file)
    #expect(image.pixels.count == 4 * image.width * image.height)
  }

  @Test(
    arguments: [
      ([], "not a PNG, JPEG, BMP or PNM file"),
      (Array("P5".utf8), "not a PNG, JPEG, BMP or PNM file"),
      (Array("PK\u{3}\u{4}".utf8), "not a PNG, JPEG, BMP or PNM file"),
      (Array("GIF89a".utf8), "GIF data, not a PNG, JPEG, BMP or PNM file"),
      (Array("RIFF....WEBP".utf8), "RIFF (WebP) data, not a PNG, JPEG, BMP or PNM file"),
      (Array("P7\nWIDTH".utf8), "PAM data, not a PNG, JPEG, BMP or PNM file"),
      (Array("BM".utf8), "the file ends early at byte 2"),
      ([0xFF, 0xD8, 0xFF], "the file ends early at byte 3"),
      (Array("P6 1".utf8), "the file ends early at byte 4"),
    ] as [([UInt8], String)])
  func `what is no image, or none that can be read, is said to be so`(
    file: [UInt8], message: String
  ) {
    let error = #expect(throws: ImageFileError.self) { try ImageFile.decode(file) }
    #expect(error?.description == message)
    #expect(throws: ImageFileError.self) { try ImageFile.header(of: file.span) }
  }

  @Test(arguments: files)
  func `limits reach the decoders`(format: ImageFormat, file: [UInt8]) {
    #expect(throws: ImageFileError.self) {
      try ImageFile.decode(file, limits: Limits(imagePixelCount: 0))
    }
  }
}
