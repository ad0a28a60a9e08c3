// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// The values that black and white have in a model's input.
///
///     value = byte × (upper - lower) / 255 + lower
public struct PixelValueRange: Sendable, Hashable {
  /// The value of 0.
  public let lower: Float
  /// The value of 255.
  public let upper: Float

  /// A range from its ends.
  ///
  /// - Parameters:
  ///   - lower: the value of 0.
  ///   - upper: the value of 255, greater than that of 0.
  /// - Throws: `LandmarkError.invalidOption` where the ends are not finite or not in this order.
  public init(lower: Float, upper: Float) throws(LandmarkError) {
    guard lower.isFinite, upper.isFinite, lower < upper else {
      throw .invalidOption("a range of values from \(lower) to \(upper)")
    }
    self.init(checkedLower: lower, upper: upper)
  }

  private init(checkedLower lower: Float, upper: Float) {
    self.lower = lower
    self.upper = upper
  }

  /// From 0 to 1.
  public static let unit = PixelValueRange(checkedLower: 0, upper: 1)
  /// From -1 to 1.
  public static let symmetric = PixelValueRange(checkedLower: -1, upper: 1)
  /// From 0 to 255.
  public static let bytes = PixelValueRange(checkedLower: 0, upper: 255)

  /// What multiplies a byte.
  public var scale: Float { (upper - lower) / 255 }

  /// The values of an image's bytes.
  ///
  /// - Parameter image: the image.
  /// - Returns: one value for each byte, in their order.
  public func values(of image: PixelBuffer) -> [Float] {
    let table = (0...255).map { Float($0) * scale + lower }
    return image.bytes.map { table[Int($0)] }
  }

  /// The bytes of values, rounded to nearest, halves upward, and clamped; 0 of NaN.
  package func bytes(of values: [Float]) -> [UInt8] {
    let factor = 255 / (upper - lower)
    return values.map { value in
      let scaled = (value - lower) * factor
      // At most 255.5.
      return scaled.isNaN ? 0 : UInt8(min(max(scaled, 0), 255) + 0.5)
    }
  }
}
