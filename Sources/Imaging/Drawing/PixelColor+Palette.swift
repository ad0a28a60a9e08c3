// SPDX-License-Identifier: Apache-2.0

extension PixelColor {
  /// A color that is easily told from those of neighboring indices; they repeat after 16.
  ///
  /// - Parameter index: Any number: a class, a tracking ID, a rank.
  /// - Returns: An opaque color.
  public static func distinct(_ index: Int) -> PixelColor {
    let location = index % palette.count
    return palette[location < 0 ? location + palette.count : location]
  }

  /// Black or white, whichever is easier to read on this color.
  public var legibleTextColor: PixelColor { luma >= 128 ? .black : .white }

  /// Hues far apart come first, their light and dark relatives later.
  private static let palette: [PixelColor] =
    [
      0xE6_194B, 0x3C_B44B, 0x43_63D8, 0xFF_E119, 0xF5_8231, 0x91_1EB4, 0x42_D4F4, 0xF0_32E6,
      0xBF_EF45, 0x46_9990, 0xFA_BED4, 0x9A_6324, 0x80_0000, 0xAA_FFC3, 0x00_0075, 0xDC_BEFF,
    ].map { (code: UInt32) in
      PixelColor(
        red: UInt8(truncatingIfNeeded: code >> 16), green: UInt8(truncatingIfNeeded: code >> 8),
        blue: UInt8(truncatingIfNeeded: code))
    }
}
