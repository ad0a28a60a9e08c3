// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

/// Pixel buffers.
@Suite struct PixelBufferTests {
  @Test func `bytes and sizes have to agree`() {
    #expect(throws: ImagingError.byteCount(5, wanted: 6)) {
      try PixelBuffer(width: 2, height: 1, format: .rgb8, bytes: [1, 2, 3, 4, 5])
    }
    #expect(throws: ImagingError.size(width: 0, height: 1)) {
      try PixelBuffer(width: 0, height: 1, format: .rgb8, bytes: [])
    }
    #expect(throws: ImagingError.size(width: .max, height: .max)) {
      try PixelBuffer(width: .max, height: .max, format: .grey8, bytes: [])
    }
    #expect(throws: ImagingError.size(width: 1 << 20, height: 1 << 20)) {
      try PixelBuffer(width: 1 << 20, height: 1 << 20, format: .grey8, filledWith: .black)
    }
  }

  @Test func `an image of one color`() throws {
    let color = PixelColor(red: 1, green: 2, blue: 3, alpha: 4)
    let expected: [(PixelFormat, [UInt8])] = [
      (.grey8, [2, 2]), (.rgb8, [1, 2, 3, 1, 2, 3]), (.rgba8, [1, 2, 3, 4, 1, 2, 3, 4]),
      (.bgra8, [3, 2, 1, 4, 3, 2, 1, 4]),
    ]
    for (format, bytes) in expected {
      let image = try PixelBuffer(width: 1, height: 2, format: format, filledWith: color)
      #expect(image.bytes == bytes)
    }
  }

  @Test func `conversions between all formats`() throws {
    // 0.299 × 10 + 0.587 × 20 + 0.114 × 30 = 18.15
    let pixels: [PixelFormat: [UInt8]] = [
      .grey8: [18], .rgb8: [10, 20, 30], .rgba8: [10, 20, 30, 40], .bgra8: [30, 20, 10, 40],
    ]
    for (from, bytes) in pixels {
      let image = try PixelBuffer(width: 1, height: 1, format: from, bytes: bytes)
      for (to, same) in pixels {
        var expected = from == .grey8 ? same.map { _ in 18 } : same
        if to.channelCount == 4, from.channelCount < 4 { expected[3] = 255 }
        #expect(image.converted(to: to).bytes == expected, "\(from) to \(to)")
      }
    }
  }

  @Test func `grey is Pillow's L`() {
    // From Image.fromarray(…).convert("L").
    let rows: [(PixelColor, UInt8)] = [
      (.black, 0), (.white, 255), (PixelColor(red: 255, green: 0, blue: 0), 76),
      (PixelColor(red: 0, green: 255, blue: 0), 150), (PixelColor(red: 0, green: 0, blue: 255), 29),
      (PixelColor(red: 1, green: 1, blue: 0), 1), (PixelColor(red: 200, green: 100, blue: 7), 119),
    ]
    for (color, luma) in rows { #expect(color.luma == luma, "\(color)") }
  }

  @Test func `alpha is dropped, or colors are laid over a background`() throws {
    let image = try PixelBuffer(
      width: 3, height: 1, format: .rgba8,
      bytes: [100, 0, 255, 255, 100, 0, 255, 0, 100, 0, 255, 51])
    #expect(image.converted(to: .rgb8).bytes == [100, 0, 255, 100, 0, 255, 100, 0, 255])
    // One fifth of the color: 20 + 204, 204, 51 + 204.
    let composited = image.converted(to: .rgb8, alpha: .composited(over: .white))
    #expect(composited.bytes == [100, 0, 255, 255, 255, 255, 224, 204, 255])
    let kept = image.converted(to: .bgra8, alpha: .composited(over: .white))
    #expect(kept.bytes == [255, 0, 100, 255, 255, 0, 100, 0, 255, 0, 100, 51])
  }

  @Test func `a decoded image`() throws {
    let file = try PNG.encode([1, 2, 3, 4, 5, 6], width: 2, height: 1, layout: .rgb)
    let image = PixelBuffer(try PNG.decode(file))
    #expect(image.format == .rgba8)
    #expect(image.bytes == [1, 2, 3, 255, 4, 5, 6, 255])
  }

  @Test(arguments: PixelFormat.allCases)
  func `written as PNG and read again`(format: PixelFormat) throws {
    let image = try PixelBuffer(
      width: 2, height: 2, format: format,
      bytes: (0..<4 * format.channelCount).map { UInt8($0 * 13) })
    let read = PixelBuffer(try PNG.decode(try image.encodedAsPNG()))
    #expect(read.converted(to: format) == image)
  }

  @Test func `cropping`() throws {
    let image = try PixelBuffer(width: 4, height: 3, format: .grey8, bytes: Array(0..<12))
    let part = try image.cropped(to: PixelRect(x: 1, y: 1, width: 2, height: 2))
    #expect(part.bytes == [5, 6, 9, 10])
    let outside = [
      PixelRect(x: -1, y: 0, width: 1, height: 1), PixelRect(x: 3, y: 0, width: 2, height: 1),
      PixelRect(x: 0, y: 0, width: 0, height: 1), PixelRect(x: 0, y: 3, width: 1, height: 1),
      PixelRect(x: .max, y: 0, width: .max, height: 1), PixelRect(x: 0, y: 0, width: 1, height: -2),
    ]
    for rect in outside {
      #expect(throws: ImagingError.outside(rect, width: 4, height: 3)) {
        try image.cropped(to: rect)
      }
    }
  }
}
