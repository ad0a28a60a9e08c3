// SPDX-License-Identifier: Apache-2.0

/// The order of a pixel's bytes, one per channel.
public enum PixelFormat: Sendable, Hashable, CaseIterable {
  /// Grey.
  case grey8
  /// Red, green, blue.
  case rgb8
  /// Red, green, blue, alpha.
  case rgba8
  /// Blue, green, red, alpha.
  case bgra8

  /// Bytes per pixel.
  public var channelCount: Int {
    switch self {
    case .grey8: 1
    case .rgb8: 3
    case .rgba8, .bgra8: 4
    }
  }

  /// The position of alpha in a pixel, where there is one.
  var alphaOffset: Int? {
    switch self {
    case .grey8, .rgb8: nil
    case .rgba8, .bgra8: 3
    }
  }

  /// The positions of red, green and blue in a pixel; all the same for grey.
  var colorOffsets: (red: Int, green: Int, blue: Int) {
    switch self {
    case .grey8: (0, 0, 0)
    case .rgb8, .rgba8: (0, 1, 2)
    case .bgra8: (2, 1, 0)
    }
  }
}

/// A color of 8-bit channels; alpha is straight, 255 being opaque.
public struct PixelColor: Sendable, Hashable {
  /// Red.
  public var red: UInt8
  /// Green.
  public var green: UInt8
  /// Blue.
  public var blue: UInt8
  /// Opacity.
  public var alpha: UInt8

  /// A color, opaque unless told otherwise.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Opaque black.
  public static let black = PixelColor(red: 0, green: 0, blue: 0)

  /// Opaque white.
  public static let white = PixelColor(red: 255, green: 255, blue: 255)

  /// The grey of the same brightness: 0.299 red + 0.587 green + 0.114 blue in 16-bit fixed point,
  /// rounded to nearest, as Pillow's conversion to `L`.
  public var luma: UInt8 {
    // The weights' sum is 65536: at most 255 × 65536 + 32768.
    let weighted = 19_595 * Int32(red) + 38_470 * Int32(green) + 7471 * Int32(blue)
    return UInt8(truncatingIfNeeded: (weighted + 0x8000) >> 16)
  }

  /// The color's bytes in `format`.
  func bytes(_ format: PixelFormat) -> [UInt8] {
    switch format {
    case .grey8: [luma]
    case .rgb8: [red, green, blue]
    case .rgba8: [red, green, blue, alpha]
    case .bgra8: [blue, green, red, alpha]
    }
  }
}
