// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Draws a line of text in the built-in fixed-width font.
  ///
  /// A character takes 6 × 9 pixels, capitals 5 × 7 of them. Letters with accents lose them;
  /// what is neither Latin nor ASCII is shown as a box.
  ///
  /// - Parameters:
  ///   - text: The characters; white space of any kind is blank.
  ///   - x: The left edge of the first character; may lie outside the image.
  ///   - y: The top edge of capitals; may lie outside the image.
  ///   - scale: How many pixels a dot of the font is wide and high; at least 1.
  ///   - color: The color of the dots.
  public mutating func draw(_ text: String, x: Int, y: Int, scale: Int = 1, color: PixelColor) {
    // With these bounds no product or sum below can overflow.
    let scale = min(max(scale, 1), Self.largestLocation)
    let top = min(max(y, -Self.largestLocation), Self.largestLocation)
    var left = min(max(x, -Self.largestLocation), Self.largestLocation)
    for character in text {
      guard left < width else { return }
      if left > -BitmapFont.advance * scale {
        draw(BitmapFont.glyph(for: character), x: left, y: top, scale: scale, color: color)
      }
      left += BitmapFont.advance * scale
    }
  }

  private mutating func draw(
    _ glyph: BitmapFont.Glyph, x: Int, y: Int, scale: Int, color: PixelColor
  ) {
    for (row, bits) in glyph.enumerated() {
      var column = 0
      while column < BitmapFont.glyphWidth {
        // Neighboring dots are filled at once.
        let run = (~(bits >> column)).trailingZeroBitCount
        if run > 0 {
          fill(
            ImageRect(
              x: Double(x + column * scale), y: Double(y + row * scale),
              width: Double(run * scale), height: Double(scale)), with: color)
        }
        column += max(run, 1)
      }
    }
  }

  private static let largestLocation = 1 << 30
}
