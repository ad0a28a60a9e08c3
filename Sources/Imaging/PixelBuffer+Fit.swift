// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// The image made to fill a size.
  ///
  /// - Parameters:
  ///   - newWidth: Columns of the result, 1 or more.
  ///   - newHeight: Rows of the result, 1 or more.
  ///   - mode: What to do about other proportions.
  ///   - filter: How new pixels are computed.
  /// - Returns: The image and where its pixels came from.
  /// - Throws: `ImagingError.size` when the size is impossible.
  public func fitted(
    toWidth newWidth: Int, height newHeight: Int, mode: FitMode, filter: ResizeFilter
  ) throws(ImagingError) -> FittedImage {
    try fitted(
      toWidth: newWidth, height: newHeight, mode: mode, filter: filter,
      rounding: .toNearestOrAwayFromZero)
  }

  /// The image made to fill a size, where sides between padding are rounded by a rule.
  ///
  /// - Parameters:
  ///   - newWidth: Columns of the result, 1 or more.
  ///   - newHeight: Rows of the result, 1 or more.
  ///   - mode: What to do about other proportions.
  ///   - filter: How new pixels are computed.
  ///   - rounding: How the sides of a letterboxed image become pixels.
  /// - Returns: The image and where its pixels came from.
  /// - Throws: `ImagingError.size` when the size is impossible.
  package func fitted(
    toWidth newWidth: Int, height newHeight: Int, mode: FitMode, filter: ResizeFilter,
    rounding: FloatingPointRoundingRule
  ) throws(ImagingError) -> FittedImage {
    _ = try PixelBuffer.byteCount(width: newWidth, height: newHeight, format: format)
    switch mode {
    case .stretch:
      let whole = PixelRect(x: 0, y: 0, width: width, height: height)
      return try filled(with: whole, width: newWidth, height: newHeight, filter: filter)
    case .centerCrop:
      let part = centeredPart(width: newWidth, height: newHeight)
      return try filled(with: part, width: newWidth, height: newHeight, filter: filter)
    case .letterbox(let fill):
      return try letterboxed(
        width: newWidth, height: newHeight, fill: fill, filter: filter, rounding: rounding)
    }
  }

  /// The largest centered part of the proportions of a size.
  private func centeredPart(width newWidth: Int, height newHeight: Int) -> PixelRect {
    let partWidth = min(width, max(1, height * newWidth / newHeight))
    let partHeight = min(height, max(1, width * newHeight / newWidth))
    return PixelRect(
      x: (width - partWidth) / 2, y: (height - partHeight) / 2, width: partWidth,
      height: partHeight)
  }

  private func filled(
    with part: PixelRect, width newWidth: Int, height newHeight: Int, filter: ResizeFilter
  ) throws(ImagingError) -> FittedImage {
    let image = try cropped(to: part).resized(
      toWidth: newWidth, height: newHeight, filter: filter)
    let mapping = ImageMapping(
      scaleX: Double(part.width) / Double(newWidth),
      scaleY: Double(part.height) / Double(newHeight), offsetX: Double(part.x),
      offsetY: Double(part.y))
    return FittedImage(image: image, mapping: mapping)
  }

  private func letterboxed(
    width newWidth: Int, height newHeight: Int, fill: PixelColor, filter: ResizeFilter,
    rounding: FloatingPointRoundingRule
  ) throws(ImagingError) -> FittedImage {
    let scale = min(Double(newWidth) / Double(width), Double(newHeight) / Double(height))
    let innerWidth = min(newWidth, max(1, Int((Double(width) * scale).rounded(rounding))))
    let innerHeight = min(newHeight, max(1, Int((Double(height) * scale).rounded(rounding))))
    let inner = try resized(toWidth: innerWidth, height: innerHeight, filter: filter)
    let x = (newWidth - innerWidth) / 2
    let y = (newHeight - innerHeight) / 2
    var image = try PixelBuffer(
      width: newWidth, height: newHeight, format: format, filledWith: fill)
    image.paste(inner, x: x, y: y)
    let scaleX = Double(width) / Double(innerWidth)
    let scaleY = Double(height) / Double(innerHeight)
    let mapping = ImageMapping(
      scaleX: scaleX, scaleY: scaleY, offsetX: -Double(x) * scaleX, offsetY: -Double(y) * scaleY)
    return FittedImage(image: image, mapping: mapping)
  }
}
