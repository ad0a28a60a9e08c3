// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether the landmarks of the image before still say where an object is, or a region found anew
/// has to.
///
/// MediaPipe's `roi_tracking_calculator`: both regions have to be alike, and the landmarks of the
/// image before have to lie in the new one.
public struct RegionTracking: Sendable, Hashable {
  /// The greatest difference of the angles, in radians.
  public var maxRotation: Float
  /// The greatest distance of the middles along each axis of the new region, in parts of its side.
  public var maxShift: Float
  /// The greatest difference of the sides, in parts of the new region's.
  public var maxGrowth: Float
  /// What the new region's sides are enlarged by before landmarks have to lie in it.
  public var margin: Float

  /// Limits of the differences.
  public init(maxRotation: Float, maxShift: Float, maxGrowth: Float, margin: Float) {
    self.maxRotation = maxRotation
    self.maxShift = maxShift
    self.maxGrowth = maxGrowth
    self.margin = margin
  }

  /// The limits of a hand.
  public static let hand = RegionTracking(
    maxRotation: 40 * .pi / 180, maxShift: 0.2, maxGrowth: 0.4, margin: -0.1)
  /// The limits of a face.
  public static let face = RegionTracking(
    maxRotation: 15 * .pi / 180, maxShift: 0.1, maxGrowth: 0.3, margin: -0.2)

  /// The region of an object.
  ///
  /// - Parameters:
  ///   - found: the region that was found anew, as fractions of the image.
  ///   - previous: that of the landmarks of the image before; nil for none.
  ///   - landmarks: the landmarks of the image before, as fractions of the image.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: `previous` where the object has moved little, else `found`.
  public func region(
    _ found: NormalizedRect, previous: NormalizedRect?, landmarks: [Landmark], columns: Int,
    rows: Int
  ) -> NormalizedRect {
    guard let previous else { return found }
    let new = found.inPixels(columns: columns, rows: rows)
    let old = previous.inPixels(columns: columns, rows: rows)
    let (cosine, sine) = (cos(-new.rotation), sin(-new.rotation))
    // Distances from the middle of the new region along its axes.
    func distance(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
      let (x, y) = (x - new.centerX, y - new.centerY)
      return (abs(x * cosine - y * sine), abs(x * sine + y * cosine))
    }
    let shift = distance(old.centerX, old.centerY)
    let isAlike =
      abs((old.rotation - new.rotation).wrappedAngle) <= maxRotation
      && shift.x <= new.width * maxShift && shift.y <= new.height * maxShift
      && abs(old.width - new.width) <= new.width * maxGrowth
      && abs(old.height - new.height) <= new.height * maxGrowth
    let (width, height) = (new.width * (1 + margin) / 2, new.height * (1 + margin) / 2)
    let holdsAll = landmarks.inPixels(columns: columns, rows: rows).allSatisfy { point in
      let own = distance(point.x, point.y)
      return own.x < width && own.y < height
    }
    return isAlike && holdsAll ? previous : found
  }
}
