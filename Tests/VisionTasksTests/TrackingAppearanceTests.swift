// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing
import VisionTasks

/// Looks of objects.
@Suite struct TrackingAppearanceTests {
  static let whole = ImageRect(x: 0, y: 0, width: 40, height: 40)

  static func image(
    _ format: PixelFormat = .rgb8, _ upper: PixelColor, _ lower: PixelColor
  ) throws -> PixelBuffer {
    var image = try PixelBuffer(width: 40, height: 40, format: format, filledWith: lower)
    image.fill(ImageRect(x: 0, y: 0, width: 40, height: 20), with: upper)
    return image
  }

  static func look(
    _ upper: PixelColor, _ lower: PixelColor, format: PixelFormat = .rgb8
  ) throws -> Appearance {
    try #require(Appearance(of: whole, in: image(format, upper, lower)))
  }

  @Test func `equal images look equal, other colors entirely different`() throws {
    let red = PixelColor(red: 255, green: 0, blue: 0)
    let blue = PixelColor(red: 0, green: 0, blue: 255)
    let look = try Self.look(red, red)
    #expect(look.distance(to: look) < 0.001)
    #expect(look.distance(to: try Self.look(blue, blue)) > 0.999)
    let mixed = try Self.look(red, blue)
    #expect((0.3...0.8).contains(look.distance(to: mixed)))
    #expect(mixed.distance(to: try Self.look(blue, red)) > 0.4, "up and down are the same")
  }

  @Test func `formats do not matter`() throws {
    let orange = PixelColor(red: 240, green: 130, blue: 20)
    let look = try Self.look(orange, .white)
    for format in [PixelFormat.rgba8, .bgra8] {
      #expect(look.distance(to: try Self.look(orange, .white, format: format)) < 0.001)
    }
    _ = try Self.look(orange, .white, format: .grey8)
  }

  @Test func `a slightly different color looks slightly different`() throws {
    let dark = PixelColor(red: 30, green: 30, blue: 30)
    let start = try Self.look(dark, dark)
    for step in UInt8(1)...5 {
      let level = 30 + 4 * step
      let grey = PixelColor(red: level, green: level, blue: level)
      let distance = start.distance(to: try Self.look(grey, grey))
      #expect(distance > 0 && distance <= 0.1 * Double(step))
    }
    let bright = PixelColor(red: 200, green: 200, blue: 200)
    #expect(start.distance(to: try Self.look(bright, bright)) > 0.9)
  }

  @Test func `parts outside the image do not count, nothing has no look`() throws {
    let image = try Self.image(.rgb8, .white, .black)
    #expect(Appearance(of: ImageRect(x: 40, y: 0, width: 9, height: 9), in: image) == nil)
    #expect(Appearance(of: ImageRect(x: .nan, y: 0, width: 9, height: 9), in: image) == nil)
    let corner = Appearance(of: ImageRect(x: -500, y: -500, width: 501, height: 501), in: image)
    let white = try Self.look(.white, .white)
    #expect(try #require(corner).distance(to: white) < 0.3)
    let large = Appearance(of: ImageRect(x: -1e9, y: -1e9, width: 3e9, height: 3e9), in: image)
    #expect(try #require(large).distance(to: try Self.look(.white, .black)) < 0.001)
  }
}
