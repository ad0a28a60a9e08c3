// SPDX-License-Identifier: Apache-2.0

extension CategoryMask {
  /// The mask as a PNG file whose pixels are the categories and whose palette has their colors.
  ///
  /// - Parameter style: The colors; opacity, outlines and hidden categories do not count.
  /// - Returns: The bytes of the file, the same for the same mask and colors.
  /// - Throws: `PNGError` when zlib has no memory.
  public func encodedAsPNG(style: MaskStyle = MaskStyle()) throws(PNGError) -> [UInt8] {
    let last = categories.max() ?? 0
    let palette = (0...last).map { category in
      let color = style.color(category)
      return (red: color.red, green: color.green, blue: color.blue)
    }
    return try PNG.encode(indices: categories, width: width, height: height, palette: palette)
  }
}
