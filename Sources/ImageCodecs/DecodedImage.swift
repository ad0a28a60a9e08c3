// SPDX-License-Identifier: Apache-2.0

/// A decoded image: red, green, blue and alpha of every pixel, row by row from the top.
///
/// Alpha is straight (not premultiplied). Colors are as stored: gamma, ICC profiles and the
/// orientation are reported or ignored, never applied.
public struct DecodedImage: Sendable, Equatable {
  /// Columns.
  public let width: Int

  /// Rows.
  public let height: Int

  /// Four bytes per pixel: red, green, blue, alpha.
  ///
  /// Of 16-bit samples this is the high byte.
  public let pixels: [UInt8]

  /// The same four samples at 16 bits, where the file has them and the caller asked for them.
  public let deepPixels: [UInt16]?

  /// Whether the file can express transparency, by an alpha channel or a transparent color.
  public let hasAlpha: Bool

  /// The orientation that the file's Exif data gives.
  public let orientation: ImageOrientation?

  init(
    width: Int, height: Int, pixels: [UInt8], deepPixels: [UInt16]?, hasAlpha: Bool,
    orientation: ImageOrientation?
  ) {
    self.width = width
    self.height = height
    self.pixels = pixels
    self.deepPixels = deepPixels
    self.hasAlpha = hasAlpha
    self.orientation = orientation
  }
}
