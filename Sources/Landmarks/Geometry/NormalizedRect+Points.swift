// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The direction in which the vector between two key points shall point after the turn.
public struct RotationVector: Sendable, Hashable {
  /// The key point where the vector starts.
  public var start: Int
  /// The key point where the vector ends.
  public var end: Int
  /// The angle that the vector shall have, counterclockwise from the right, in radians.
  public var targetAngle: Float

  /// A vector between two key points.
  public init(start: Int, end: Int, targetAngle: Float) {
    self.start = start
    self.end = end
    self.targetAngle = targetAngle
  }

  /// From a face's right eye to its left one, level.
  public static let face = RotationVector(start: 0, end: 1, targetAngle: 0)
  /// From the outer corner of the right eye to that of the left one of a face mesh, level.
  public static let faceMesh = RotationVector(start: 33, end: 263, targetAngle: 0)
  /// From a palm's wrist to the middle finger's base: up and a little to the left.
  ///
  /// MediaPipe's hand detector has 90 for the angle, which are radians: 116.6°.
  public static let palm = RotationVector(start: 0, end: 2, targetAngle: 90)
  /// From the middle of a body's hips to the end of its full length, up.
  public static let pose = RotationVector(start: 0, end: 1, targetAngle: .pi / 2)

  /// From the right eye to the left one of a body, level.
  public static let faceOfBody = RotationVector(start: 5, end: 2, targetAngle: 0)
  /// From the middle of a refined hand to the end of its region, down.
  public static let refinedHand = RotationVector(start: 0, end: 1, targetAngle: -.pi / 2)

  /// The clockwise angle that turns an upright region so that the vector has its angle in it.
  ///
  /// MediaPipe's `detections_to_rects_calculator`.
  ///
  /// - Parameters:
  ///   - points: key points as fractions of the image.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: the angle between -π and π; nil where a key point is missing.
  public func rotation(of points: [Landmark], columns: Int, rows: Int) -> Float? {
    guard points.indices.contains(start), points.indices.contains(end) else { return nil }
    let x = points[end].x * Float(columns) - points[start].x * Float(columns)
    let y = points[end].y * Float(rows) - points[start].y * Float(rows)
    return Self.rotation(x: x, y: y, targetAngle: targetAngle)
  }

  /// The clockwise angle that turns an upright region so that a vector, given in pixels to the right
  /// and down, has the target angle in it.
  static func rotation(x: Float, y: Float, targetAngle: Float) -> Float {
    (targetAngle - atan2(-y, x)).wrappedAngle
  }
}

extension NormalizedRect {
  /// The box of a detection, turned by the vector between two of its key points.
  ///
  /// - Parameters:
  ///   - detection: the detection, as fractions of the image.
  ///   - vector: the vector; nil for no turn.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  public init(
    _ detection: KeyPointDetection, turnedBy vector: RotationVector?, columns: Int, rows: Int
  ) {
    self = detection.edges.rect
    rotation =
      vector?.rotation(of: detection.keyPoints, columns: columns, rows: rows) ?? 0
  }

  /// The square around one key point whose half side is the distance to another one.
  ///
  /// MediaPipe's `alignment_points_to_rects_calculator`: a body from the middle of its hips. Nil where
  /// a key point is missing.
  ///
  /// - Parameters:
  ///   - points: key points as fractions of the image.
  ///   - vector: the middle, the point on the edge, and the direction between them.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  public init?(
    alignedTo points: [Landmark], by vector: RotationVector, columns: Int, rows: Int
  ) {
    guard let rotation = vector.rotation(of: points, columns: columns, rows: rows) else {
      return nil
    }
    let center = (
      x: points[vector.start].x * Float(columns), y: points[vector.start].y * Float(rows)
    )
    let x = points[vector.end].x * Float(columns) - center.x
    let y = points[vector.end].y * Float(rows) - center.y
    let side = (x * x + y * y).squareRoot() * 2
    self = RotatedRect(
      centerX: center.x, centerY: center.y, width: side, height: side, rotation: rotation
    ).normalized(columns: columns, rows: rows)
  }

  /// The upright box around landmarks, turned by the vector between two of them; nil without any.
  ///
  /// - Parameters:
  ///   - points: landmarks as fractions of the image.
  ///   - vector: the vector; nil for no turn.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  public init?(
    around points: [Landmark], turnedBy vector: RotationVector?, columns: Int, rows: Int
  ) {
    guard let edges = points.edges else { return nil }
    self = edges.rect
    rotation = vector?.rotation(of: points, columns: columns, rows: rows) ?? 0
  }
}
