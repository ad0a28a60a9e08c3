// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import ResourceLimits
import SeededRandom
import Testing

/// Nothing that a file contains may trap, hang or take memory that the file does not pay for.
@Suite struct PNGHostileBytesTests {
  static let files: [[UInt8]] = [
    PNGPair(colorType: 2, bitDepth: 8), PNGPair(colorType: 3, bitDepth: 4),
    PNGPair(colorType: 0, bitDepth: 16),
  ].flatMap { pair in
    [false, true].map { isInterlaced in
      var writer = pair.writer(width: 5, height: 4, isInterlaced: isInterlaced)
      writer.filters = [4, 2]
      return writer.file
    }
  }

  @Test(arguments: files)
  func `every prefix is refused`(file: [UInt8]) {
    for count in 0..<file.count {
      #expect(throws: PNGError.self) { try PNG.decode(Array(file.prefix(count))) }
    }
  }

  @Test(arguments: files)
  func `a flipped byte is refused or, in an ancillary chunk, passed over`(file: [UInt8]) {
    for index in file.indices {
      for change: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
        var changed = file
        changed[index] ^= change
        _ = try? PNG.decode(changed)
      }
    }
  }

  /// The checksums made right again, so that the change reaches what lies behind them.
  @Test(arguments: files)
  func `a flipped byte under a right checksum`(file: [UInt8]) {
    for index in 8..<file.count {
      for change: UInt8 in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80] {
        var changed = file
        changed[index] ^= change
        _ = try? PNG.decode(rightingChecksums(changed))
      }
    }
  }

  private func rightingChecksums(_ file: [UInt8]) -> [UInt8] {
    var righted = Array(file.prefix(8))
    var rest = file.dropFirst(8)
    while rest.count >= 12 {
      let start = rest.startIndex
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length <= rest.count - 12 else { break }
      let body = rest[start + 4..<start + 8 + length]
      righted += rest.prefix(4) + body + PNGWriter.bytes(Int(PNGWriter.checksum(Array(body))))
      rest = rest.dropFirst(12 + length)
    }
    return righted + rest
  }

  @Test(arguments: 1...4)
  func `random bytes behind a signature`(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    for _ in 0..<500 {
      let count = Int.random(in: 0..<64, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      #expect(throws: PNGError.self) { try PNG.decode(PNGWriter.signature + bytes) }
    }
  }

  private func bomb(width: Int, height: Int, stream: [UInt8]) -> [UInt8] {
    let writer = PNGWriter(width: width, height: height, bitDepth: 1, colorType: 0, samples: [])
    return PNGWriter.file([writer.header, PNGWriter.chunk("IDAT", stream), PNGWriter.end])
  }

  @Test func `what a file compresses beyond its image is not inflated`() throws {
    let zeros = PNGWriter.zlibZeros(repetitions: 10_000)
    #expect(try PNG.decode(bomb(width: 8, height: 1, stream: zeros)).pixels.count == 32)
    // Not even looked at: here the stream behind the image is broken.
    let broken = zeros.prefix(5000) + [0xFF, 0xFF, 0xFF, 0xFF]
    #expect(try PNG.decode(bomb(width: 8, height: 1, stream: Array(broken))).pixels.count == 32)
  }

  @Test func `bytes behind the compressed stream and behind IEND are ignored`() throws {
    let grey = PNGBadFileTests.grey
    let stream = PNGWriter.zlibStream(grey.scanlines) + [1, 2, 3]
    let file = PNGWriter.file([grey.header, PNGWriter.chunk("IDAT", stream), PNGWriter.end])
    let expected = try PNG.decode(grey.file)
    #expect(try PNG.decode(file) == expected)
    #expect(try PNG.decode(grey.file + [9, 9, 9]) == expected)
  }

  @Test func `limits are the caller's`() throws {
    let file = PNGWriter(
      width: 100, height: 50, bitDepth: 8, colorType: 0,
      samples: Array(repeating: 3, count: 5000)
    ).file
    #expect(try PNG.decode(file, limits: Limits(imagePixelCount: 5000)).width == 100)
    let refusing = [
      Limits(imagePixelCount: 4999), Limits(imageSide: 99),
      Limits(imageByteCount: 20_000), Limits(imageByteCount: 0),
      Limits(imageByteCount: .min), Limits(imagePixelCount: .min),
    ]
    for limits in refusing {
      let error = #expect(throws: PNGError.self) { try PNG.decode(file, limits: limits) }
      #expect(error?.reason == .tooLarge(width: 100, height: 50))
    }
    let boundless = Limits(
      imageSide: .max, imagePixelCount: .max, imageByteCount: .max)
    #expect(try PNG.decode(file, limits: boundless).height == 50)
    let huge = bomb(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, stream: [0])
    #expect(throws: PNGError.self) { try PNG.decode(huge, limits: boundless) }
  }

  @Test func `a large image that its data pays for is decoded`() throws {
    // 3000 rows of 1 + 375 bytes.
    let stream = PNGWriter.zlibZeros(repetitions: (3000 * 376 + 257) / 258)
    let image = try PNG.decode(bomb(width: 3000, height: 3000, stream: stream))
    #expect(image.pixels.count == 36_000_000)
  }

  @Test func `ancillary chunks that are unknown, compressed or damaged are passed over`() throws {
    var writer = PNGBadFileTests.grey
    let expected = try PNG.decode(writer.file)
    var damaged = PNGWriter.chunk("gAMA", [0, 0, 0xB1, 0x8F])
    damaged[damaged.count - 2] ^= 1
    writer.chunksBeforeData = [
      PNGWriter.chunk("gAMA", [1]), damaged, PNGWriter.chunk("abCd", [1, 2, 3]),
      PNGWriter.chunk("zTXt", Array("k\0\0".utf8) + PNGWriter.zlibZeros(repetitions: 5000)),
      PNGWriter.chunk("iCCP", [0]), PNGWriter.chunk("acTL", [0, 0, 0, 9, 0, 0, 0, 0]),
      PNGWriter.chunk("PLTE", [1, 2, 3]),
    ]
    #expect(try PNG.decode(writer.file) == expected)
  }
}
