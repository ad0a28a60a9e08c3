// SPDX-License-Identifier: Apache-2.0

/// How a category mask is drawn over an image.
public struct MaskStyle: Sendable, Hashable {
  /// How much of the categories' colors is seen, from 0 to 1.
  public var opacity: Double = 0.5
  /// Categories that leave the image as it is: the background and what is unlabeled.
  public var hidden: Set<UInt8> = [0, CategoryMask.unlabeled]
  /// Colors in place of `PixelColor.segmentation(_:)`.
  public var colors: [UInt8: PixelColor] = [:]
  /// How many pixels wide the edges of categories are, in their full colors; 0 for none.
  public var outlineWidth = 0

  /// Half transparent, without outlines; categories 0 and 255 are not drawn.
  public init() {}

  /// The color of a category.
  public func color(_ category: UInt8) -> PixelColor {
    colors[category] ?? .segmentation(Int(category))
  }
}

extension PixelBuffer {
  /// The image with the categories of its pixels drawn over it.
  ///
  /// - Parameters:
  ///   - mask: The categories; in another size than the image it is resized to that, nearest.
  ///   - style: Colors and outlines.
  /// - Returns: The image, in the same format.
  public func overlaid(
    with mask: CategoryMask, style: MaskStyle = MaskStyle()
  ) -> PixelBuffer {
    let opacity = min(max(style.opacity.isNaN ? 0 : style.opacity, 0), 1)
    let alpha = UInt8((opacity * 255).rounded())
    let paints = (0...255).map { (category: Int) -> (fill: PixelColor, line: PixelColor)? in
      let category = UInt8(truncatingIfNeeded: category)
      guard !style.hidden.contains(category) else { return nil }
      let line = style.color(category)
      var fill = line
      fill.alpha = alpha
      return (fill, line)
    }
    let placement = MaskPlacement(width: width, height: height)
    let columns = (0..<width).map { placement.nearestColumn($0, of: mask.width) ?? 0 }
    let rows = (0..<height).map { placement.nearestRow($0, of: mask.height) ?? 0 }
    let reach = min(max(style.outlineWidth, 0), 64)
    var image = self
    for row in 0..<height {
      let start = rows[row] * mask.width
      var column = 0
      while column < width {
        // Neighboring pixels of one category are filled at once.
        let category = mask.categories[start + columns[column]]
        let onEdge = reach > 0 && mask.isEdge(column, row, columns, rows, reach: reach)
        var end = column + 1
        while end < width, mask.categories[start + columns[end]] == category,
          reach == 0 || mask.isEdge(end, row, columns, rows, reach: reach) == onEdge
        {
          end += 1
        }
        if let paint = paints[Int(category)] {
          image.fill(
            PixelRect(x: column, y: row, width: end - column, height: 1),
            with: onEdge ? paint.line : paint.fill)
        }
        column = end
      }
    }
    return image
  }

  /// The image with a list of names and their colors in its top left corner.
  ///
  /// - Parameter entries: What the list says, from the top; as many as fit are drawn.
  /// - Returns: The image, in the same format.
  public func withLegend(_ entries: [(name: String, color: PixelColor)]) -> PixelBuffer {
    let scale = max(1, min(width, height) / 240)
    let line = 11 * scale
    let room = max(0, (height - 2 * scale) / line)
    let letters = max(0, (width - line - 4 * scale) / (6 * scale))
    var image = self
    for (index, entry) in entries.prefix(room).enumerated() {
      let text = String(entry.name.prefix(letters))
      let top = scale + index * line
      let textWidth = text.count * 6 * scale
      image.fill(
        ImageRect(
          x: Double(scale), y: Double(top), width: Double(line + textWidth + 2 * scale),
          height: Double(line)), with: .white)
      image.fill(
        ImageRect(
          x: Double(2 * scale), y: Double(top + scale), width: Double(line - 2 * scale),
          height: Double(line - 2 * scale)), with: entry.color)
      image.draw(text, x: scale + line, y: top + 2 * scale, scale: scale, color: .black)
    }
    return image
  }
}

extension CategoryMask {
  /// Whether a pixel within `reach` to the right, left, above or below has another category.
  fileprivate func isEdge(
    _ column: Int, _ row: Int, _ columns: [Int], _ rows: [Int], reach: Int
  ) -> Bool {
    let own = categories[rows[row] * width + columns[column]]
    let (left, right) = (max(column - reach, 0), min(column + reach, columns.count - 1))
    let (top, bottom) = (max(row - reach, 0), min(row + reach, rows.count - 1))
    return categories[rows[row] * width + columns[left]] != own
      || categories[rows[row] * width + columns[right]] != own
      || categories[rows[top] * width + columns[column]] != own
      || categories[rows[bottom] * width + columns[column]] != own
  }
}
