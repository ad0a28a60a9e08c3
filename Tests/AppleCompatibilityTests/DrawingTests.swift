// SPDX-License-Identifier: Apache-2.0

import AppleCompatibility
import Foundation
import Imaging
import Testing

/// Core Graphics' substitutes.
@Suite struct DrawingTests {
  /// Two by two pixels: red, green / blue, half-transparent white.
  private func makeImage() throws -> CGImage {
    CGImage(
      try PixelBuffer(
        width: 2, height: 2, format: .rgba8,
        bytes: [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 128]))
  }

  private func makeContext(
    _ info: CGImageAlphaInfo, width: Int = 2, height: Int = 2, bytesPerRow: Int = 0
  ) throws -> CGContext {
    let context = unsafe CGContext(
      data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: bytesPerRow,
      space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info.rawValue)
    return try #require(context)
  }

  private func bytes(_ context: CGContext) -> [UInt8] {
    guard let data = unsafe context.data else { return [] }
    return (0..<context.height * context.bytesPerRow).map {
      unsafe data.load(fromByteOffset: $0, as: UInt8.self)
    }
  }

  static let layouts: [(CGImageAlphaInfo, [UInt8])] = [
    (.noneSkipFirst, [0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 128, 128, 128]),
    (.noneSkipLast, [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 128, 128, 128, 0]),
    (.premultipliedFirst, [255, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 128, 128, 128, 128]),
    (.premultipliedLast, [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 128, 128, 128, 128]),
  ]

  @Test(arguments: layouts)
  func `pixels lie row by row from the top, in the order of the layout`(
    info: CGImageAlphaInfo, expected: [UInt8]
  ) throws {
    let context = try makeContext(info)
    context.draw(try makeImage(), in: CGRect(x: 0, y: 0, width: 2, height: 2))
    #expect(bytes(context) == expected)
  }

  @Test func `rectangles count from the bottom left corner, and what reaches over is cut off`()
    throws
  {
    let context = try makeContext(.noneSkipLast, width: 3, height: 3)
    context.draw(try makeImage(), in: CGRect(x: 1, y: -1, width: 2, height: 2))
    // The image's upper row is the surface's lowest, from column 1.
    var expected = [UInt8](repeating: 0, count: 36)
    expected.replaceSubrange(28..<36, with: [255, 0, 0, 0, 0, 255, 0, 0])
    #expect(bytes(context) == expected)
  }

  @Test func `images are scaled to the rectangle`() throws {
    let grey = CGImage(
      try PixelBuffer(
        width: 1, height: 1, format: .rgba8, bytes: [9, 8, 7, 255]))
    let context = try makeContext(.noneSkipFirst, width: 5, height: 4)
    context.draw(grey, in: CGRect(x: 0, y: 0, width: 5, height: 4))
    #expect(bytes(context) == [[UInt8]](repeating: [0, 9, 8, 7], count: 20).flatMap { $0 })
  }

  @Test(arguments: [
    CGRect.null, .infinite, .zero, CGRect(x: Double.nan, y: 0, width: 1, height: 1),
    CGRect(x: 0, y: 0, width: 1e300, height: 1),
  ])
  func `rectangles that mean nothing draw nothing`(rect: CGRect) throws {
    let context = try makeContext(.noneSkipFirst)
    context.draw(try makeImage(), in: rect)
    #expect(bytes(context) == [UInt8](repeating: 0, count: 16))
  }

  @Test func `what no surface can be is refused`() {
    func make(
      _ width: Int, _ height: Int, bits: Int = 8, row: Int = 0,
      info: UInt32 = CGImageAlphaInfo.noneSkipFirst.rawValue
    ) -> CGContext? {
      unsafe CGContext(
        data: nil, width: width, height: height, bitsPerComponent: bits, bytesPerRow: row,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info)
    }
    #expect(make(2, 2) != nil)
    #expect(make(0, 2) == nil)
    #expect(make(2, -1) == nil)
    #expect(make(Int.max, Int.max) == nil)
    #expect(make(65_535, 65_535) == nil)
    #expect(make(2, 2, bits: 16) == nil)
    #expect(make(2, 2, row: 7) == nil)
    #expect(make(2, 2, info: CGImageAlphaInfo.last.rawValue) == nil)
    #expect(make(2, 2, info: 99) == nil)
  }

  @Test func `a surface becomes an image of straight alpha`() throws {
    let context = try makeContext(.premultipliedLast, bytesPerRow: 12)
    context.draw(try makeImage(), in: CGRect(x: 0, y: 0, width: 2, height: 2))
    let image = try #require(context.makeImage())
    #expect(image.pixels == (try makeImage().pixels))
  }
}
