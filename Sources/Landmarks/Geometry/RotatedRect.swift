// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A rectangle in an image that is turned around its middle, in pixels.
///
/// MediaPipe's `Rect`: x to the right, y down, angles clockwise as one sees them.
public struct RotatedRect: Sendable, Hashable {
  /// The middle, in pixels from the image's left edge.
  public var centerX: Float
  /// The middle, in pixels from the image's top edge.
  public var centerY: Float
  /// The length of the side that is horizontal without rotation, in pixels.
  public var width: Float
  /// The length of the other side, in pixels.
  public var height: Float
  /// How far it is turned clockwise, in radians.
  public var rotation: Float

  /// A rectangle from its middle, size and angle.
  public init(centerX: Float, centerY: Float, width: Float, height: Float, rotation: Float = 0) {
    self.centerX = centerX
    self.centerY = centerY
    self.width = width
    self.height = height
    self.rotation = rotation
  }

  /// The rectangle with three corners that follow each other, as `corners` gives them.
  package init(
    topLeft: (x: Float, y: Float), topRight: (x: Float, y: Float), bottomRight: (x: Float, y: Float)
  ) {
    let (across, down) = (
      (x: topRight.x - topLeft.x, y: topRight.y - topLeft.y),
      (x: bottomRight.x - topRight.x, y: bottomRight.y - topRight.y)
    )
    centerX = (topLeft.x + bottomRight.x) / 2
    centerY = (topLeft.y + bottomRight.y) / 2
    width = (across.x * across.x + across.y * across.y).squareRoot()
    height = (down.x * down.x + down.y * down.y).squareRoot()
    rotation = atan2(across.y, across.x)
  }

  /// Whether all five numbers are finite and both sides are longer than 0.
  public var isUsable: Bool {
    [centerX, centerY, width, height, rotation].allSatisfy(\.isFinite) && width > 0 && height > 0
  }

  /// The same rectangle as fractions of an image's size.
  ///
  /// - Parameters:
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: the rectangle, its sides divided by the columns and rows whatever its angle.
  public func normalized(columns: Int, rows: Int) -> NormalizedRect {
    let (columns, rows) = (Float(columns), Float(rows))
    return NormalizedRect(
      centerX: centerX / columns, centerY: centerY / rows, width: width / columns,
      height: height / rows, rotation: rotation)
  }

  /// The corners in pixels, from the top left one on clockwise as seen without rotation.
  ///
  /// The order of operations is that of OpenCV's `boxPoints`, whose angles are in degrees.
  public var corners: [(x: Float, y: Float)] {
    let degrees = rotation * 180 / Float.pi
    let angle = Double(degrees) * Double.pi / 180
    let b = Float(cos(angle)) * 0.5
    let a = Float(sin(angle)) * 0.5
    let bottomLeft = (x: centerX - a * height - b * width, y: centerY + b * height - a * width)
    let topLeft = (x: centerX + a * height - b * width, y: centerY - b * height - a * width)
    return [
      topLeft,
      (x: 2 * centerX - bottomLeft.x, y: 2 * centerY - bottomLeft.y),
      (x: 2 * centerX - topLeft.x, y: 2 * centerY - topLeft.y),
      bottomLeft,
    ]
  }
}

/// A rectangle that is turned around its middle, as fractions of an image's columns and rows.
///
/// MediaPipe's `NormalizedRect`. Sides are fractions of columns and of rows as they are without
/// rotation: the rotation takes place in pixels.
public struct NormalizedRect: Sendable, Hashable {
  /// The middle, from the image's left edge.
  public var centerX: Float
  /// The middle, from the image's top edge.
  public var centerY: Float
  /// The length of the side that is horizontal without rotation, as a fraction of the columns.
  public var width: Float
  /// The length of the other side, as a fraction of the rows.
  public var height: Float
  /// How far it is turned clockwise, in radians.
  public var rotation: Float

  /// A rectangle from its middle, size and angle.
  public init(centerX: Float, centerY: Float, width: Float, height: Float, rotation: Float = 0) {
    self.centerX = centerX
    self.centerY = centerY
    self.width = width
    self.height = height
    self.rotation = rotation
  }

  /// All of an image.
  public static let whole = NormalizedRect(centerX: 0.5, centerY: 0.5, width: 1, height: 1)

  /// Whether all five numbers are finite and both sides are longer than 0.
  public var isUsable: Bool {
    [centerX, centerY, width, height, rotation].allSatisfy(\.isFinite) && width > 0 && height > 0
  }

  /// The same rectangle in pixels.
  ///
  /// - Parameters:
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: the rectangle.
  public func inPixels(columns: Int, rows: Int) -> RotatedRect {
    let (columns, rows) = (Float(columns), Float(rows))
    return RotatedRect(
      centerX: centerX * columns, centerY: centerY * rows, width: width * columns,
      height: height * rows, rotation: rotation)
  }

  /// Intersection over union with another rectangle, both without their rotation, as MediaPipe
  /// associates rectangles of successive images: 0 apart, 1 for the same.
  ///
  /// - Parameter other: another rectangle of the same image.
  /// - Returns: the overlap; 0 where one has no area.
  public func overlap(with other: NormalizedRect) -> Float {
    Edges(self).overlap(with: Edges(other))
  }
}

extension Float {
  /// The angle between -π and π that differs by full turns.
  package var wrappedAngle: Float {
    let angle = Double(self)
    let turn = 2 * Double.pi
    return Float(angle - turn * ((angle + Double.pi) / turn).rounded(.down))
  }
}
