// SPDX-License-Identifier: Apache-2.0

/// A rectangle in an image, in pixels from the top left corner of its top left pixel.
public struct ImageRect: Sendable, Hashable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// From the left edge to the right one.
  public var width: Double
  /// From the top edge to the bottom one.
  public var height: Double

  /// A rectangle from its top left corner and size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Mirrored at the diagonal: x and y change places.
  var transposed: ImageRect { ImageRect(x: y, y: x, width: height, height: width) }

  /// Mirrored within an image of so many columns or rows, where given.
  func flipped(columns: Double?, rows: Double?) -> ImageRect {
    var rect = self
    if let columns { rect.x = columns - x - width }
    if let rows { rect.y = rows - y - height }
    return rect
  }
}

/// A rectangle of whole pixels.
public struct PixelRect: Sendable, Hashable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A rectangle from its top left pixel and size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
