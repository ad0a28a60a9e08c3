// SPDX-License-Identifier: Apache-2.0

/// Chooses sizes and positions of the labels on an image.
struct LabelLayout {
  /// A label whose position is found.
  struct Label {
    /// The characters that fit.
    let text: String
    /// The colored area.
    let background: ImageRect
    /// The left edge of the text.
    let x: Int
    /// The top edge of capitals.
    let y: Int
    /// Pixels per dot of the font.
    let scale: Int
  }

  /// Columns of the image.
  let width: Int
  /// Rows of the image.
  let height: Int
  /// Pixels of a box's outline.
  let lineWidth: Int
  /// Pixels per dot of the font.
  let textScale: Int
  private var taken: [ImageRect] = []

  /// For an image of a size; `scale` multiplies the usual sizes.
  init(width: Int, height: Int, scale: Double) {
    self.width = width
    self.height = height
    let side = (Double(width) * Double(height)).squareRoot()
    // A NaN fails the comparison and gives the smallest size, infinity the largest.
    let wanted = side * scale > 0 ? min(side * scale, 280 * side) : 0
    lineWidth = max(1, Int((wanted / 280).rounded()))
    textScale = max(1, Int((wanted / 350).rounded()))
  }

  /// The label of a box that lies in the image; nil where there is nothing to write.
  mutating func label(_ text: String, on frame: ImageRect) -> Label? {
    guard !text.isEmpty else { return nil }
    let scale = fittingScale(text)
    let margin = 2 * scale
    let room = (width - 2 * margin + scale) / (BitmapFont.advance * scale)
    let visible = String(text.prefix(max(room, 1)))
    let size = ImageRect(
      x: 0, y: 0,
      width: Double(visible.count * BitmapFont.advance * scale - scale + 2 * margin),
      height: Double((BitmapFont.glyphHeight + 3) * scale))

    let background = location(size, on: frame)
    taken.append(background)
    return Label(
      text: visible, background: background, x: Int(background.x) + margin,
      y: Int(background.y) + margin, scale: scale)
  }

  /// The usual scale, or a smaller one at which the text fits into the image.
  private func fittingScale(_ text: String) -> Int {
    // No text of more characters than columns can fit.
    let count = text.prefix(width).count
    let fitting = width / (count * BitmapFont.advance + 3)
    let tall = height / (BitmapFont.glyphHeight + 3)
    return max(1, min(textScale, fitting, tall))
  }

  /// The first free position above, inside and below the frame; above it where none is free.
  private func location(_ size: ImageRect, on frame: ImageRect) -> ImageRect {
    let bottom = frame.y + frame.height
    let inset = Double(lineWidth)
    let candidates = [
      (frame.x, frame.y - size.height),
      (frame.x, frame.y),
      (frame.x, bottom),
      (frame.x + inset, bottom - size.height - inset),
      (frame.x + frame.width - size.width, frame.y - size.height),
      (frame.x + frame.width - size.width, bottom),
    ]
    let largestX = max(Double(width) - size.width, 0)
    let largestY = max(Double(height) - size.height, 0)
    let locations = candidates.map { x, y in
      ImageRect(
        x: min(max(x, 0), largestX), y: min(max(y, 0), largestY), width: size.width,
        height: size.height)
    }
    // Moved up or down into the image, a label may cover the box: others go first.
    let kept = zip(locations, candidates).filter { $0.y == $1.1 }.map { $0.0 }
    return (kept + locations).first { location in !taken.contains { $0.overlaps(location) } }
      ?? kept.first ?? locations[0]
  }
}

extension ImageRect {
  fileprivate func overlaps(_ other: ImageRect) -> Bool {
    x < other.x + other.width && other.x < x + width
      && y < other.y + other.height && other.y < y + height
  }
}
