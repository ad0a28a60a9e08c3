// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Testing
import VisionTasks

/// Masks and what is drawn with them.
@Suite struct MaskTests {
  private static let mask = Result {
    try CategoryMask(width: 3, height: 2, categories: [0, 1, 1, 0, 0, 2])
  }

  /// The first lines of the task library's table.
  @Test func `categories have the colors of PASCAL VOC`() {
    let wanted: [(Int, UInt8, UInt8, UInt8)] = [
      (0, 0, 0, 0), (1, 128, 0, 0), (2, 0, 128, 0), (3, 128, 128, 0), (4, 0, 0, 128),
      (8, 64, 0, 0), (15, 192, 128, 128), (64, 32, 0, 0), (127, 224, 192, 192),
      (255, 224, 224, 192),
    ]
    for (category, red, green, blue) in wanted {
      #expect(
        PixelColor.segmentation(category) == PixelColor(red: red, green: green, blue: blue))
    }
  }

  @Test func `nearest sizes and placements`() throws {
    let mask = try Self.mask.get()
    #expect(
      try mask.resized(toWidth: 6, height: 2).categories == [0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2])
    let placed = try mask.placed(
      by: MaskPlacement(width: 4, height: 2, frame: ImageRect(x: 1, y: 0, width: 3, height: 2)))
    #expect(placed.categories == [255, 0, 1, 1, 255, 0, 0, 2])
    #expect(mask.pixelCounts.prefix(4) == [3, 2, 1, 0])
    #expect(throws: ImagingError.self) { try mask.resized(toWidth: 0, height: 2) }
    #expect(throws: ImagingError.self) {
      try CategoryMask(width: 2, height: 2, categories: [0])
    }
  }

  @Test(arguments: ImageOrientation.allCases)
  func `every orientation has its inverse`(orientation: ImageOrientation) throws {
    let mask = try Self.mask.get()
    #expect(mask.upright(from: orientation).upright(from: orientation.inverse) == mask)
    let values = try ConfidenceMask(
      width: 3, height: 2, values: mask.categories.map { Float($0) })
    #expect(
      values.upright(from: orientation).values
        == mask.upright(from: orientation).categories.map { Float($0) })
  }

  /// As `ResizeFilter.bilinear` does with bytes.
  @Test func `confidences are resized as images are`() throws {
    let bytes: [UInt8] = [0, 255, 51, 102, 153, 204]
    let image = try PixelBuffer(width: 3, height: 2, format: .grey8, bytes: bytes)
    let mask = try ConfidenceMask(width: 3, height: 2, values: bytes.map { Float($0) / 255 })
    let resized = try mask.resized(toWidth: 7, height: 5).image
    let wanted = try image.resized(toWidth: 7, height: 5, filter: .bilinear)
    for (byte, wanted) in zip(resized.bytes, wanted.bytes) {
      #expect(abs(Int(byte) - Int(wanted)) <= 1)
    }
    let odd = try ConfidenceMask(width: 2, height: 2, values: [.nan, .infinity, -1, 0.5])
    #expect(odd.image.bytes == [0, 255, 0, 128])
  }

  @Test func `a palette file holds the categories`() throws {
    let mask = try Self.mask.get()
    let file = try mask.encodedAsPNG()
    #expect(try PNG.header(of: file.span).colorType == .indexed)
    let decoded = PixelBuffer(try PNG.decode(file))
    for (pixel, category) in mask.categories.enumerated() {
      #expect(
        decoded.color(column: pixel % 3, row: pixel / 3) == .segmentation(Int(category)))
    }
    #expect(throws: PNGError.self) {
      try PNG.encode(indices: [1], width: 1, height: 1, palette: [(red: 0, green: 0, blue: 0)])
    }
    #expect(throws: PNGError.self) {
      try PNG.encode(indices: [0], width: 1, height: 1, palette: [])
    }
  }

  /// Half of 255 and half of (128, 0, 0): (191 or 192, 127 or 128, …).
  @Test func `overlays mix colors, and hide the background`() throws {
    let image = try PixelBuffer(width: 6, height: 4, format: .rgb8, filledWith: .white)
    let overlaid = image.overlaid(with: try Self.mask.get())
    #expect(overlaid.color(column: 0, row: 0) == .white)
    let mixed = overlaid.color(column: 4, row: 0)
    #expect((190...193).contains(mixed.red))
    #expect((126...129).contains(mixed.green))
    var style = MaskStyle()
    style.outlineWidth = 1
    style.opacity = 0
    let outlined = image.overlaid(with: try Self.mask.get(), style: style)
    #expect(outlined.color(column: 2, row: 0) == .segmentation(1))
    #expect(outlined.color(column: 4, row: 0) == .white)
  }

  @Test func `the foreground before another background`() throws {
    let image = try PixelBuffer(
      width: 2, height: 1, format: .rgb8, bytes: [200, 100, 0, 200, 100, 0])
    let mask = try ConfidenceMask(width: 2, height: 1, values: [1, 0])
    let black = try PixelBuffer(width: 9, height: 5, format: .rgba8, filledWith: .black)
    #expect(try image.composited(over: black, by: mask).bytes == [200, 100, 0, 0, 0, 0])
    #expect(try image.cutOut(by: mask).bytes == [200, 100, 0, 255, 200, 100, 0, 0])
  }

  /// The means over five pixels, three times, by their definition.
  @Test func `blurring is three means in each direction`() throws {
    let bytes: [UInt8] = (0..<7 * 3).map { UInt8(($0 * 89) % 251) }
    let image = try PixelBuffer(width: 7, height: 3, format: .grey8, bytes: bytes)
    var wanted = bytes.map { Int($0) }
    func mean(_ at: (Int) -> Int) -> Int {
      var sum = 0
      for shift in -2...2 { sum += at(shift) }
      return (sum + 2) / 5
    }
    for _ in 0..<3 {
      var next = wanted
      for row in 0..<3 {
        for column in 0..<7 {
          next[row * 7 + column] = mean { wanted[row * 7 + min(max(column + $0, 0), 6)] }
        }
      }
      wanted = next
      for row in 0..<3 {
        for column in 0..<7 {
          next[row * 7 + column] = mean { wanted[min(max(row + $0, 0), 2) * 7 + column] }
        }
      }
      wanted = next
    }
    #expect(image.blurred(radius: 2).bytes.map { Int($0) } == wanted)
    #expect(image.blurred(radius: 0) == image)
    #expect(image.blurred(radius: .max).width == 7)
  }
}
