// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How the rectangle of a detection becomes the part of the image that a landmark model looks at.
///
/// The rectangle is turned, shifted along its own axes by fractions of its size, made a square and
/// enlarged, in this order: MediaPipe's `rect_transformation_calculator`.
public struct RectTransformation: Sendable, Hashable {
  /// What becomes of the proportions.
  public enum Square: String, Sendable, Hashable, CaseIterable {
    /// They remain.
    case none
    /// Both sides get the length of the longer one, in pixels.
    case long
    /// Both sides get the length of the shorter one, in pixels.
    case short
  }

  /// What multiplies the width, after all else.
  public var scaleX: Float = 1
  /// What multiplies the height, after all else.
  public var scaleY: Float = 1
  /// The shift to the rectangle's own right, as a fraction of its width.
  public var shiftX: Float = 0
  /// The shift to the rectangle's own bottom, as a fraction of its height.
  public var shiftY: Float = 0
  /// The angle that is added, clockwise, in radians; the sum is brought between -π and π.
  public var rotation: Float?
  /// What becomes of the proportions.
  public var square = Square.none

  /// A transformation by a scale, a shift and the choice of a side.
  public init(
    scale: Float = 1, shiftX: Float = 0, shiftY: Float = 0, square: Square = .none,
    rotation: Float? = nil
  ) {
    scaleX = scale
    scaleY = scale
    self.shiftX = shiftX
    self.shiftY = shiftY
    self.square = square
    self.rotation = rotation
  }

  /// From a face to the region of its landmarks.
  public static let face = RectTransformation(scale: 1.5)
  /// From the landmarks of a face to the region in the next image.
  public static let faceLandmarks = RectTransformation(scale: 1.5, square: .long)
  /// From a palm to the region of the hand's landmarks.
  public static let palm = RectTransformation(scale: 2.6, shiftY: -0.5, square: .long)
  /// From the landmarks of a hand to the region in the next image.
  public static let handLandmarks = RectTransformation(scale: 2, shiftY: -0.1, square: .long)
  /// From a body's alignment points to the region of its landmarks.
  public static let pose = RectTransformation(scale: 1.25, square: .long)

  /// From the face's points of a body to the region in which its face is looked for.
  public static let faceOfBody = RectTransformation(scale: 3, square: .long)
  /// From the points of a detected face to the region of its landmarks, beside a body.
  public static let faceBesideBody = RectTransformation(scale: 2, square: .long)
  /// From a body's hand to the region in which the hand is looked for.
  public static let handOfBody = RectTransformation(scale: 2.7, shiftY: -0.1, square: .long)
  /// From the points of a refined hand to the region of its landmarks.
  public static let refinedHand = RectTransformation(shiftY: -0.1, square: .long)

  /// The transformed rectangle in pixels.
  ///
  /// - Parameter rect: a rectangle in pixels.
  /// - Returns: the turned, shifted and enlarged rectangle.
  public func applied(to rect: RotatedRect) -> RotatedRect {
    var result = rect
    if let rotation { result.rotation = (rect.rotation + rotation).wrappedAngle }
    let shift = (x: rect.width * shiftX, y: rect.height * shiftY)
    // Without rotation the sum is exact; otherwise products differ by rounding.
    if result.rotation == 0 {
      result.centerX += shift.x
      result.centerY += shift.y
    } else {
      let (cosine, sine) = (cos(result.rotation), sin(result.rotation))
      result.centerX += shift.x * cosine - shift.y * sine
      result.centerY += shift.x * sine + shift.y * cosine
    }
    var (width, height) = (rect.width, rect.height)
    switch square {
    case .none: break
    case .long: (width, height) = (max(width, height), max(width, height))
    case .short: (width, height) = (min(width, height), min(width, height))
    }
    result.width = width * scaleX
    result.height = height * scaleY
    return result
  }

  /// The transformed rectangle as fractions of an image.
  ///
  /// - Parameters:
  ///   - rect: a rectangle as fractions.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: the turned, shifted and enlarged rectangle, as fractions.
  public func applied(to rect: NormalizedRect, columns: Int, rows: Int) -> NormalizedRect {
    applied(to: rect.inPixels(columns: columns, rows: rows))
      .normalized(columns: columns, rows: rows)
  }
}
