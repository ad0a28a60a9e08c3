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
    let turned = TurnedGrid(width: width, height: height, orientation: orientation).elements(
      of: bytes.span, length: format.channelCount, fill: 0)
    return PixelBuffer(
      checkedWidth: uprightWidth, height: uprightHeight, format: format, bytes: turned)
  }
}

/// How to walk over a stored grid in the order of the upright one.
struct TurnedGrid {
  /// Columns and rows of the upright grid.
  let columns: Int
  let rows: Int
  /// The stored element that comes first.
  private var first: Int
  /// From an element to its right neighbor.
  private var columnStep: Int
  /// From an element to the one below.
  private var rowStep: Int

  /// The walk over `width` stored columns and `height` stored rows.
  init(width: Int, height: Int, orientation: ImageOrientation) {
    columns = orientation.swapsAxes ? height : width
    rows = orientation.swapsAxes ? width : height
    let right = width - 1
    let bottom = (height - 1) * width
    (first, columnStep, rowStep) =
      switch orientation {
      case .up: (0, 1, width)
      case .upMirrored: (right, -1, width)
      case .down: (bottom + right, -1, -width)
      case .downMirrored: (bottom, 1, -width)
      case .leftMirrored: (0, width, 1)
      case .right: (bottom, -width, 1)
      case .rightMirrored: (bottom + right, -width, -1)
      case .left: (right, width, -1)
      }
  }

  /// The elements in upright order, each of `length` neighboring values.
  func elements<Value: BitwiseCopyable>(
    of source: Span<Value>, length: Int, fill: Value
  ) -> [Value] {
    var turned = [Value](repeating: fill, count: columns * rows * length)
    var target = turned.mutableSpan
    var location = 0
    for row in 0..<rows {
      var start = (first + row * rowStep) * length
      for _ in 0..<columns {
        for index in 0..<length { target[location + index] = source[start + index] }
        location += length
        start += columnStep * length
      }
    }
    return turned
  }
}

extension ImageOrientation {
  /// The orientation that undoes this one: what `upright(from:)` turned, it turns back.
  public var inverse: ImageOrientation {
    switch self {
    case .right: .left
    case .left: .right
    case .up, .upMirrored, .down, .downMirrored, .leftMirrored, .rightMirrored: self
    }
  }

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
