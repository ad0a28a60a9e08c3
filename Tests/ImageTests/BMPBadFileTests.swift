// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import ResourceLimits
import Testing

/// Files that are wrong in one position, and what is said about them.
@Suite struct BMPBadFileTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]

    init(_ error: String, _ file: [UInt8]) {
      testDescription = error
      self.file = file
    }

    init(_ error: String, _ change: (inout BMPWriter) -> Void) {
      var writer = BMPBadFileTests.whole
      change(&writer)
      self.init(error, writer.file)
    }
  }

  @Test(arguments: rows)
  func isRefused(row: Row) {
    let error = #expect(throws: BMPError.self) { try BMP.decode(row.file) }
    #expect(error?.description == row.testDescription)
  }

  static let whole = BMPWriter(
    width: 2, height: 2, bits: 8, palette: [[1, 2, 3], [4, 5, 6]], declaredPaletteCount: 2,
    data: [0, 1, 0, 0, 1, 1, 0, 0])

  static let rows: [Row] = [
    Row("the file ends early at byte 0", []),
    Row("not a BMP file at byte 0", Array("BA".utf8)),
    Row("the file ends early at byte 17", Array(whole.file.prefix(17))),
    Row("the file ends early at byte 30", Array(whole.file.prefix(30))),
    Row("header of unknown length 41 at byte 14") { $0.headerByteCount = 41 },
    Row("impossible size 0x2 at byte 18") { $0.width = 0 },
    Row("impossible size 2x0 at byte 18") { $0.height = 0 },
    Row("impossible size -2x2 at byte 18") { $0.width = -2 },
    Row("2 planes, wanted 1 at byte 26") { $0.planes = 2 },
    Row("7 bits per pixel with compression 0 at byte 28") { $0.bits = 7 },
    Row("8 bits per pixel with compression 2 at byte 28") { $0.compression = 2 },
    Row("unsupported compression 5 at byte 30") { $0.compression = 5 },
    Row("unsupported compression 3 at byte 30") {
      $0.headerByteCount = 64
      $0.compression = 3
    },
    Row("bit mask 0x505 with gaps at byte 58") {
      $0.bits = 16
      $0.compression = 3
      $0.masks = [0xF800, 0x505, 0x1F]
    },
    Row("pixels that begin at byte 20, inside the headers at byte 10") { $0.dataOffset = 20 },
    Row("palette index 2 of 2 colors at byte 63") { $0.data[1] = 2 },
    Row("palette index 3 of 0 colors at byte 54") { $0.dataOffset = 54 },
    Row("the file ends early at byte 67") { $0.data.removeLast(3) },
    Row("the file ends early at byte 70") { $0.dataOffset = 0xFFFF_FFFF },
    Row("size 2147483647x2 beyond the limits at byte 18") { $0.width = 0x7FFF_FFFF },
    Row("size 2x2147483648 beyond the limits at byte 18") { $0.height = -0x8000_0000 },
    Row("2 bytes of run lengths for a size of 10000x10000 at byte 62") {
      $0.width = 10_000
      $0.height = 10_000
      $0.compression = 1
      $0.data = [0, 1]
    },
    Row("the file ends early at byte 66") {
      $0.compression = 1
      $0.data = [2, 0, 0, 0]
    },
    Row("the file ends early at byte 65") {
      $0.compression = 1
      $0.data = [0, 3, 1]
    },
    Row("palette index 7 of 2 colors at byte 62") {
      $0.compression = 1
      $0.data = [2, 7, 0, 1]
    },
  ]

  private static let files: [[UInt8]] = [
    whole.file,
    BMPWriter(
      width: 2, height: 2, bits: 4, compression: 2, palette: [[1, 2, 3], [4, 5, 6]],
      data: [2, 1, 0, 0, 0, 2, 1, 0, 0, 1]
    ).file,
    BMPWriter(
      width: 1, height: 2, bits: 32, compression: 3, headerByteCount: 108,
      masks: [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000], data: [1, 2, 3, 4, 5, 6, 7, 8]
    ).file,
  ]

  @Test(arguments: files)
  func `every prefix is refused, but for what fills up the last row`(file: [UInt8]) {
    for count in 0..<file.count - 2 {
      #expect(throws: BMPError.self) { try BMP.decode(Array(file.prefix(count))) }
    }
  }

  @Test(arguments: files)
  func `a changed byte is refused or changes the image`(file: [UInt8]) {
    for index in file.indices {
      for change: UInt8 in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] {
        var changed = file
        changed[index] ^= change
        _ = try? BMP.decode(changed)
      }
    }
  }

  @Test func `limits are the caller's`() throws {
    let file = BMPBadFileTests.whole.file
    for limits in [
      Limits(imageSide: 1), Limits(imagePixelCount: 3),
      Limits(imageByteCount: 15), Limits(imageByteCount: .min),
    ] {
      let error = #expect(throws: BMPError.self) { try BMP.decode(file, limits: limits) }
      #expect(error?.reason == .tooLarge(width: 2, height: 2))
    }
    let boundless = Limits(
      imageSide: .max, imagePixelCount: .max, imageByteCount: .max)
    #expect(try BMP.decode(file, limits: boundless).height == 2)
    var huge = BMPBadFileTests.whole
    huge.width = 0x7FFF_FFFF
    huge.height = -0x8000_0000
    #expect(throws: BMPError.self) { try BMP.decode(huge.file, limits: boundless) }
  }
}
