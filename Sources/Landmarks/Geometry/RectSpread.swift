// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A rotated rectangle as a normal distribution of points around its middle, with the variances that
/// evenly spread points have.
///
/// Llerena et al., *Probabilistic Intersection-over-Union for Training and Evaluation of Oriented Object
/// Detectors* (arXiv 2106.06072).
package struct RectSpread: Sendable {
  private let centerX: Float
  private let centerY: Float
  /// The variance along x.
  private let alongX: Float
  /// The variance along y.
  private let alongY: Float
  private let covariance: Float

  /// Keeps divisors and logarithms from 0: Ultralytics' number.
  private static let epsilon: Float = 1e-7

  /// The spread of a rectangle.
  package init(_ rect: RotatedRect) {
    let (across, down) = (rect.width * rect.width / 12, rect.height * rect.height / 12)
    let (cosine, sine) = (cos(rect.rotation), sin(rect.rotation))
    centerX = rect.centerX
    centerY = rect.centerY
    alongX = across * cosine * cosine + down * sine * sine
    alongY = across * sine * sine + down * cosine * cosine
    covariance = (across - down) * cosine * sine
  }

  /// The determinant of the variances, at least 0.
  private var determinant: Float { max(alongX * alongY - covariance * covariance, 0) }

  /// How much two distributions have in common: 1 less their Hellinger distance, which follows from the
  /// Bhattacharyya distance.
  ///
  /// - Parameter other: the other distribution.
  /// - Returns: about 1 of equal ones, and nearly 0 of those far apart.
  package func likeness(to other: RectSpread) -> Float {
    let epsilon = Self.epsilon
    let (a, b, c) = (
      alongX + other.alongX, alongY + other.alongY, covariance + other.covariance
    )
    let (x, y) = (other.centerX - centerX, centerY - other.centerY)
    let both = a * b - c * c
    let apart = (a * y * y + b * x * x) / (both + epsilon) * 0.25
    let turned = c * x * y / (both + epsilon) * 0.5
    let parts = (determinant * other.determinant).squareRoot()
    let sizes = log(both / (4 * parts + epsilon) + epsilon) * 0.5
    let distance = min(max(apart + turned + sizes, epsilon), 100)
    return 1 - (1 - exp(-distance) + epsilon).squareRoot()
  }
}

extension RotatedRect {
  /// How much another rectangle is like this one in place, size and angle: `ProbIoU`.
  ///
  /// - Parameter other: the other rectangle, in pixels of the same image.
  /// - Returns: about 1 for equal rectangles, and nearly 0 for those far apart.
  public func likeness(to other: RotatedRect) -> Float {
    RectSpread(self).likeness(to: RectSpread(other))
  }

  /// The same rectangle with a rotation from 0 to less than a right angle, for which its sides change
  /// places where that takes it.
  public var withAcuteRotation: RotatedRect {
    let right = Float.pi / 2
    let turns = (rotation / right).rounded(.down)
    var rect = self
    rect.rotation = min(max(rotation - turns * right, 0), right.nextDown)
    if turns.truncatingRemainder(dividingBy: 2) != 0 {
      (rect.width, rect.height) = (height, width)
    }
    return rect
  }
}
