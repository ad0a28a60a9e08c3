// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// The image as it is meant to be seen, given how it is stored.
  ///
  /// - Parameter orientation: What the file's Exif data or the camera says about the pixels.
  /// - Returns: The upright image; width and height are swapped where rows were columns.
  public func upright(from orientation: ImageOrientation) -> PixelBuffer {
    guard orientation != .up else { return self }
    let uprightWidth = orientation.swapsAxes ? height : width
    let uprightHeight = orientation.swapsAxes ? width : height
    let walk = walk(for: orientation)
    let channelCount = format.channelCount
    var turned = [UInt8](repeating: 0, count: bytes.count)
    let source = bytes.span
    var target = turned.mutableSpan
    var location = 0
    for row in 0..<uprightHeight {
      var start = (walk.first + row * walk.rowStep) * channelCount
      for _ in 0..<uprightWidth {
        for channel in 0..<channelCount { target[location + channel] = source[start + channel] }
        location += channelCount
        start += walk.columnStep * channelCount
      }
    }
    return PixelBuffer(
      checkedWidth: uprightWidth, height: uprightHeight, format: format, bytes: turned)
  }

  /// How to walk over the stored pixels in the order of the upright ones.
  private struct Walk {
    /// The stored pixel that comes first.
    var first: Int
    /// From a pixel to its right neighbor.
    var columnStep: Int
    /// From a pixel to the one below.
    var rowStep: Int
  }

  private func walk(for orientation: ImageOrientation) -> Walk {
    let right = width - 1
    let bottom = (height - 1) * width
    return switch orientation {
    case .up: Walk(first: 0, columnStep: 1, rowStep: width)
    case .upMirrored: Walk(first: right, columnStep: -1, rowStep: width)
    case .down: Walk(first: bottom + right, columnStep: -1, rowStep: -width)
    case .downMirrored: Walk(first: bottom, columnStep: 1, rowStep: -width)
    case .leftMirrored: Walk(first: 0, columnStep: width, rowStep: 1)
    case .right: Walk(first: bottom, columnStep: -width, rowStep: 1)
    case .rightMirrored: Walk(first: bottom + right, columnStep: -width, rowStep: -1)
    case .left: Walk(first: right, columnStep: width, rowStep: -1)
    }
  }
}

extension ImageOrientation {
  /// Where a rectangle of the upright image lies in the stored one.
  ///
  /// - Parameters:
  ///   - rect: The rectangle in the upright image, in pixels from its top left corner.
  ///   - storedWidth: Columns of the stored image.
  ///   - storedHeight: Rows of the stored image.
  /// - Returns: The rectangle in pixels from the stored image's first.
  public func storedRect(
    _ rect: ImageRect, storedWidth: Double, storedHeight: Double
  ) -> ImageRect {
    let turned = swapsAxes ? rect.transposed : rect
    return turned.flipped(
      columns: flipsColumns ? storedWidth : nil, rows: flipsRows ? storedHeight : nil)
  }

  /// Where a rectangle of the stored image lies in the upright one.
  ///
  /// - Parameters:
  ///   - rect: The rectangle in the stored image, in pixels from its first.
  ///   - storedWidth: Columns of the stored image.
  ///   - storedHeight: Rows of the stored image.
  /// - Returns: The rectangle in pixels from the upright image's top left corner.
  public func uprightRect(
    _ rect: ImageRect, storedWidth: Double, storedHeight: Double
  ) -> ImageRect {
    let flipped = rect.flipped(
      columns: flipsColumns ? storedWidth : nil, rows: flipsRows ? storedHeight : nil)
    return swapsAxes ? flipped.transposed : flipped
  }

  /// Stored columns run against the upright image's rows or columns.
  private var flipsColumns: Bool {
    switch self {
    case .upMirrored, .down, .rightMirrored, .left: true
    case .up, .downMirrored, .leftMirrored, .right: false
    }
  }

  /// Stored rows run against the upright image's rows or columns.
  private var flipsRows: Bool {
    switch self {
    case .down, .downMirrored, .right, .rightMirrored: true
    case .up, .upMirrored, .leftMirrored, .left: false
    }
  }
}
