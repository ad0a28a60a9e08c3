// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

/// Fitting.
@Suite struct FitTests {
  static let image = try? PixelBuffer(
    width: 6, height: 2, format: .grey8, bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])

  @Test func `stretching changes proportions`() throws {
    let fitted = try #require(Self.image).fitted(
      toWidth: 3, height: 2, mode: .stretch, filter: .nearest)
    #expect(fitted.image.bytes == [2, 4, 6, 8, 10, 12])
    #expect(fitted.mapping == ImageMapping(scaleX: 2, scaleY: 1, offsetX: 0, offsetY: 0))
  }

  @Test func `the center is cut out`() throws {
    let wide = try #require(Self.image).fitted(
      toWidth: 2, height: 2, mode: .centerCrop, filter: .nearest)
    #expect(wide.image.bytes == [3, 4, 9, 10])
    #expect(wide.mapping == ImageMapping(scaleX: 1, scaleY: 1, offsetX: 2, offsetY: 0))

    // Of 6 columns 1.33 would do, so 1; the rest of 5 is cut 2 before and 3 behind.
    let narrow = try #require(Self.image).fitted(
      toWidth: 2, height: 3, mode: .centerCrop, filter: .nearest)
    #expect(narrow.image.bytes == [3, 3, 9, 9, 9, 9])
    #expect(narrow.mapping.offsetX == 2)
    #expect(narrow.mapping.scaleX == 0.5)
  }

  @Test func `letterboxing keeps everything`() throws {
    let fill = PixelColor(red: 99, green: 99, blue: 99)
    let fitted = try #require(Self.image).fitted(
      toWidth: 3, height: 4, mode: .letterbox(fill: fill), filter: .nearest)
    // One row of three, the rest of 3 rows 1 above and 2 below.
    #expect(fitted.image.bytes == [99, 99, 99, 8, 10, 12, 99, 99, 99, 99, 99, 99])
    #expect(fitted.mapping == ImageMapping(scaleX: 2, scaleY: 2, offsetX: 0, offsetY: -2))
    let whole = ImageRect(x: 0, y: 1, width: 3, height: 1)
    let source = fitted.mapping.sourceRect(whole)
    #expect(source == ImageRect(x: 0, y: 0, width: 6, height: 2))
    #expect(fitted.mapping.fittedRect(source) == whole)
  }

  @Test func `extreme proportions leave at least one pixel`() throws {
    let line = try PixelBuffer(width: 1000, height: 1, format: .rgb8, filledWith: .white)
    for mode in [FitMode.stretch, .centerCrop, .letterbox(fill: .black)] {
      let fitted = try line.fitted(toWidth: 1, height: 1000, mode: mode, filter: .bilinear)
      #expect([fitted.image.width, fitted.image.height] == [1, 1000])
      #expect(fitted.image.bytes.contains(255))
      #expect(throws: ImagingError.size(width: 0, height: 3)) {
        try line.fitted(toWidth: 0, height: 3, mode: mode, filter: .nearest)
      }
    }
  }
}
