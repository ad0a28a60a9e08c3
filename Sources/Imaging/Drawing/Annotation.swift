// SPDX-License-Identifier: Apache-2.0

/// A box and a label to draw on an image.
public struct Annotation: Sendable, Hashable {
  /// Where the box is; any rectangle, as a model may give it.
  public var frame: ImageRect
  /// The corners of an outline that is drawn in place of the box's; empty for the box's own.
  public var outline: [DrawnPoint]
  /// What the label says, such as `cat 0.64`; empty for a box without a label.
  public var text: String
  /// Which of the palette's colors the box and the label have; see `PixelColor.distinct(_:)`.
  public var colorIndex: Int

  /// A box and a label.
  public init(
    frame: ImageRect, outline: [DrawnPoint] = [], text: String = "", colorIndex: Int = 0
  ) {
    self.frame = frame
    self.outline = outline
    self.text = text
    self.colorIndex = colorIndex
  }
}

extension PixelBuffer {
  /// The image with boxes and labels drawn on it.
  ///
  /// Lines and letters are as large as the image needs: at 640 × 480, 2 pixels and twice the
  /// font's size. Boxes are cut to the image, so that all four sides are seen. A label stands
  /// on its box where there is room, else inside or below it, away from earlier labels where
  /// that is possible, and always inside the image; text too long for the image is cut.
  ///
  /// - Parameters:
  ///   - annotations: Boxes and labels; later ones cover earlier ones. Those outside the image
  ///     are left out.
  ///   - scale: Makes lines and letters larger or smaller than usual.
  /// - Returns: The image, in the same format.
  public func annotated(with annotations: [Annotation], scale: Double = 1) -> PixelBuffer {
    var image = self
    var layout = LabelLayout(width: width, height: height, scale: scale)
    let frames = annotations.map { annotation in
      pixels(of: annotation.frame).map { ImageRect($0) }
    }
    for case (let annotation, let frame?) in zip(annotations, frames) {
      let color = PixelColor.distinct(annotation.colorIndex)
      if annotation.outline.isEmpty {
        image.outline(frame, thickness: layout.lineWidth, color: color)
      } else {
        image.outline(annotation.outline, thickness: layout.lineWidth, color: color)
      }
    }
    for case (let annotation, let frame?) in zip(annotations, frames) {
      guard let label = layout.label(annotation.text, on: frame) else { continue }
      let color = PixelColor.distinct(annotation.colorIndex)
      image.fill(label.background, with: color)
      image.draw(
        label.text, x: label.x, y: label.y, scale: label.scale, color: color.legibleTextColor)
    }
    return image
  }

  /// A colored line with a shadow inside it, which shows on a ground of the same color.
  private mutating func outline(_ frame: ImageRect, thickness: Int, color: PixelColor) {
    let line = Double(thickness)
    if min(frame.width, frame.height) > 4 * line {
      let inner = ImageRect(
        x: frame.x + line, y: frame.y + line, width: frame.width - 2 * line,
        height: frame.height - 2 * line)
      stroke(inner, thickness: (thickness + 1) / 2, color: Self.shadow)
    }
    stroke(frame, thickness: thickness, color: color)
  }

  /// Colored lines from each point to the next and back to the first, on a shadow that is wider.
  private mutating func outline(_ points: [DrawnPoint], thickness: Int, color: PixelColor) {
    let line = Double(thickness)
    let sides = zip(points, points.dropFirst() + points.prefix(1))
    for (start, end) in sides {
      drawLine(from: start, to: end, thickness: 2 * line, color: Self.shadow)
    }
    for (start, end) in sides { drawLine(from: start, to: end, thickness: line, color: color) }
  }

  private static let shadow = PixelColor(red: 0, green: 0, blue: 0, alpha: 110)
}

extension ImageRect {
  /// The area of whole pixels.
  public init(_ pixels: PixelRect) {
    self.init(
      x: Double(pixels.x), y: Double(pixels.y), width: Double(pixels.width),
      height: Double(pixels.height))
  }
}
