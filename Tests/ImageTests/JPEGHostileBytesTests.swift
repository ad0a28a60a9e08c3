// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import ResourceLimits
import SeededRandom
import Testing

/// Nothing that a file contains may trap, hang or take memory that the file does not pay for.
@Suite struct JPEGHostileBytesTests {
  static let names = [
    "baseline-420", "progressive-bits", "scans-reversed", "restart-1-block", "ycck",
    "grey-progressive", "orientation-6",
  ]

  @Test(arguments: names)
  func `every prefix is refused, at its end`(name: String) throws {
    let file = try JPEGImageTests.file(name + ".jpg")
    for count in file.indices {
      let error = #expect(throws: JPEGError.self) { try JPEG.decode(Array(file.prefix(count))) }
      // An image that is too large for what is left of the file is noticed first.
      if case .implausibleSize = error?.reason { continue }
      #expect(error?.reason == .truncated)
      #expect(error?.offset == count || count < 2)
    }
  }

  @Test(arguments: names)
  func `a changed byte is refused or changes the image`(name: String) throws {
    let file = try JPEGImageTests.file(name + ".jpg")
    for index in file.indices {
      for change: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
        var changed = file
        changed[index] ^= change
        _ = try? JPEG.decode(changed, limits: Limits(imagePixelCount: 1 << 20))
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `random changes, insertions and deletions`(seed: UInt64) throws {
    var generator = SeededRandom(seed: seed)
    let files = try JPEGHostileBytesTests.names.map { try JPEGImageTests.file($0 + ".jpg") }
    for turn in 0..<700 {
      var file = files[turn % files.count]
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let location = Int.random(in: 0..<file.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: file[location] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: file.insert(UInt8.random(in: .min ... .max, using: &generator), at: location)
        default: file.removeSubrange(location..<min(file.count, location + 5))
        }
      }
      _ = try? JPEG.decode(file, limits: Limits(imagePixelCount: 1 << 20))
    }
  }

  @Test func `a size without the data for it is refused before anything is allocated`() {
    for process in [0, 2] {
      var writer = JPEGWriter(width: 10_000, height: 10_000)
      writer.process = process
      let file =
        JPEGWriter.start + JPEGWriter.tables + writer.frame
        + writer.scan(last: process == 2 ? 0 : 63)
        + JPEGWriter.blocks([1, 2, 3]) + JPEGWriter.end
      let error = #expect(throws: JPEGError.self) { try JPEG.decode(file) }
      guard case .implausibleSize(width: 10_000, height: 10_000, _) = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func `narrow scans of a large image are counted`() {
    // 65,536 blocks, each scan of which takes six bytes: no block has anything.
    var writer = JPEGWriter(width: 2048, height: 2048)
    writer.process = 2
    var first = JPEGBits()
    for _ in 0..<65_536 { first.first(0) }
    var empty = JPEGBits()
    for _ in 0..<2 {
      // 2¹⁴ + 16,383 blocks without coefficients.
      empty.symbol(0xE0)
      empty.put(16_383, count: 14)
    }
    empty.symbol(0x10)
    empty.put(0, count: 1)
    var file = JPEGWriter.start + JPEGWriter.tables + writer.frame
    file += writer.scan(last: 0) + first.bytes
    for bit in (0...13).reversed() {
      for coefficient in 1...63 {
        let number = UInt8(coefficient)
        let bits: UInt8 = bit == 13 ? 13 : UInt8((bit + 1) << 4 | bit)
        file += writer.scan(first: number, last: number, bits: bits) + empty.bytes
      }
    }
    let error = #expect(throws: JPEGError.self) { try JPEG.decode(file + JPEGWriter.end) }
    // 32 visits of each block and 2²² more, divided by the blocks, are 96.
    #expect(error?.reason == .tooManyScans(97))
  }

  @Test func `limits are the caller's`() throws {
    let file = try JPEGImageTests.file("progressive-420.jpg")
    #expect(try JPEG.decode(file, limits: Limits(imagePixelCount: 777)).width == 37)
    let refusing = [
      Limits(imagePixelCount: 776), Limits(imageSide: 36),
      Limits(imageByteCount: 5_000), Limits(imageByteCount: .min),
      Limits(imagePixelCount: .min),
    ]
    for limits in refusing {
      let error = #expect(throws: JPEGError.self) { try JPEG.decode(file, limits: limits) }
      #expect(error?.reason == .tooLarge(width: 37, height: 21))
    }
    let boundless = Limits(
      imageSide: .max, imagePixelCount: .max, imageByteCount: .max)
    #expect(try JPEG.decode(file, limits: boundless).height == 21)
    let huge = JPEGWriter(width: 65_535, height: 65_535).file([1])
    #expect(throws: JPEGError.self) { try JPEG.decode(huge, limits: boundless) }
  }
}
