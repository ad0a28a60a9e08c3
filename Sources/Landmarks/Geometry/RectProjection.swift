// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// From fractions of a turned region to fractions of the image that the region was cut out of.
///
///     x' = (w c (x - ½) - h s (y - ½) + centerX) / columns
///     y' = (w s (x - ½) + h c (y - ½) + centerY) / rows
///
/// with `c` and `s` the cosine and sine of the region's angle: MediaPipe's
/// `landmark_projection_calculator` and `detection_projection_calculator`.
public struct RectProjection: Sendable, Hashable {
  private let xx, xy, x0, yx, yy, y0: Float
  private let zScale: Float
  private let cosine, sine: Float

  /// The projection out of a region.
  ///
  /// - Parameters:
  ///   - rect: the region, in pixels of the image.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  ///   - depthTurns: whether depth grows as a step to the region's right does, in fractions of the
  ///     image, as MediaPipe has it for faces; else by the region's width as a fraction of the
  ///     columns, as for hands and poses. Both are the same in square images.
  public init(from rect: RotatedRect, columns: Int, rows: Int, depthTurns: Bool = true) {
    (cosine, sine) = (cos(rect.rotation), sin(rect.rotation))
    let (perColumn, perRow) = (1 / Float(columns), 1 / Float(rows))
    xx = rect.width * cosine * perColumn
    xy = -rect.height * sine * perColumn
    x0 =
      (-0.5 * rect.width * cosine + 0.5 * rect.height * sine + rect.centerX) * perColumn
    yx = rect.width * sine * perRow
    yy = rect.height * cosine * perRow
    y0 = (-0.5 * rect.height * cosine - 0.5 * rect.width * sine + rect.centerY) * perRow
    zScale = depthTurns ? (xx * xx + yx * yx).squareRoot() : rect.width * perColumn
  }

  /// Where a point of the region lies in the image, its depth scaled as a step to the right.
  ///
  /// - Parameter point: a point as fractions of the region.
  /// - Returns: the point as fractions of the image.
  public func projected(_ point: Landmark) -> Landmark {
    var result = point
    result.x = point.x * xx + point.y * xy + x0
    result.y = point.x * yx + point.y * yy + y0
    result.z = point.z * zScale
    return result
  }

  /// Where points of the region lie in the image.
  ///
  /// - Parameter points: points as fractions of the region.
  /// - Returns: the points in the same order, as fractions of the image.
  public func projected(_ points: [Landmark]) -> [Landmark] { points.map { projected($0) } }

  /// A detection of the region in the image: the box around its turned corners, and its points.
  ///
  /// - Parameter detection: a detection as fractions of the region.
  /// - Returns: the detection as fractions of the image.
  public func projected(_ detection: KeyPointDetection) -> KeyPointDetection {
    let edges = detection.edges
    let corners = [
      (edges.left, edges.top), (edges.right, edges.top), (edges.right, edges.bottom),
      (edges.left, edges.bottom),
    ].map { projected(Landmark(x: $0.0, y: $0.1)) }
    var result = detection
    if let edges = corners.edges { result.edges = edges }
    result.keyPoints = projected(detection.keyPoints)
    return result
  }

  /// World coordinates of the region's content, turned as the region: their origin stays.
  ///
  /// MediaPipe's `world_landmark_projection_calculator`.
  ///
  /// - Parameter points: points in meters, as the model sees them.
  /// - Returns: the points in the same order, as the image shows them.
  public func turned(_ points: [Landmark]) -> [Landmark] {
    points.map { point in
      var result = point
      result.x = cosine * point.x - sine * point.y
      result.y = sine * point.x + cosine * point.y
      return result
    }
  }
}
