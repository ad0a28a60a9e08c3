// SPDX-License-Identifier: Apache-2.0

extension ImageRect {
  /// Whether all four numbers are finite.
  package var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }

  /// The part inside an image; nil where nothing is left or a number is not finite.
  package func clipped(toWidth imageWidth: Int, height imageHeight: Int) -> ImageRect? {
    guard isFinite else { return nil }
    let left = max(x, 0)
    let top = max(y, 0)
    let right = min(x + width, Double(imageWidth))
    let bottom = min(y + height, Double(imageHeight))
    guard left < right, top < bottom else { return nil }
    return ImageRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The pixels that the rectangle touches.
  ///
  /// - Parameters:
  ///   - imageWidth: columns of the image.
  ///   - imageHeight: rows of the image.
  /// - Returns: whole pixels inside the image; nil where there are none.
  package func touchedPixels(inWidth imageWidth: Int, height imageHeight: Int) -> PixelRect? {
    guard let inside = clipped(toWidth: imageWidth, height: imageHeight) else { return nil }
    let left = Int(inside.x.rounded(.down))
    let top = Int(inside.y.rounded(.down))
    return PixelRect(
      x: left, y: top, width: Int((inside.x + inside.width).rounded(.up)) - left,
      height: Int((inside.y + inside.height).rounded(.up)) - top)
  }
}
