// SPDX-License-Identifier: Apache-2.0

/// A point of a body, hand or face.
///
/// The unit depends on where it comes from: fractions of an image, pixels, or meters. Depth has the
/// scale of x; smaller is nearer to the camera.
public struct Landmark: Sendable, Hashable {
  /// To the right.
  public var x: Float
  /// Down.
  public var y: Float
  /// Away from the camera; 0 where the model has no depth.
  public var z: Float
  /// The probability that the point is in the image and not hidden; nil where the model has none.
  public var visibility: Float?
  /// The probability that the point is in the image; nil where the model has none.
  public var presence: Float?

  /// A landmark from its coordinates.
  public init(
    x: Float, y: Float, z: Float = 0, visibility: Float? = nil, presence: Float? = nil
  ) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
  }

  /// Whether all coordinates are finite.
  public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

extension [Landmark] {
  /// Fractions of an image as pixels; depth is scaled as x.
  ///
  /// - Parameters:
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: the points in the same order.
  public func inPixels(columns: Int, rows: Int) -> [Landmark] {
    scaled(x: Float(columns), y: Float(rows))
  }

  /// Pixels as fractions of an image; depth is scaled as x.
  ///
  /// - Parameters:
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: the points in the same order.
  public func normalized(columns: Int, rows: Int) -> [Landmark] {
    map { point in
      var point = point
      point.x /= Float(columns)
      point.y /= Float(rows)
      point.z /= Float(columns)
      return point
    }
  }

  private func scaled(x: Float, y: Float) -> [Landmark] {
    map { point in
      var point = point
      point.x *= x
      point.y *= y
      point.z *= x
      return point
    }
  }

  /// The smallest upright rectangle around the points; nil without any.
  package var edges: Edges? { Edges(around: lazy.map { (x: $0.x, y: $0.y) }) }
}
