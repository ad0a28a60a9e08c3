// SPDX-License-Identifier: Apache-2.0

/// A number that follows others with delay: `αx + (1 - α)y` with the value before, `y`.
public struct LowPassFilter: Sendable, Hashable {
  /// The part of the next number, from 0 to 1.
  public private(set) var alpha: Float
  /// The number before; nil at first.
  public private(set) var rawValue: Float?
  /// The result before; nil at first.
  public private(set) var value: Float?

  /// A filter with the part that the next number has; numbers outside 0 to 1 mean 1.
  public init(alpha: Float) {
    self.alpha = 1
    setAlpha(alpha)
  }

  private mutating func setAlpha(_ alpha: Float) {
    if (0...1).contains(alpha) { self.alpha = alpha }
  }

  /// The value after the next number, which is itself the first one.
  ///
  /// - Parameters:
  ///   - number: the next number.
  ///   - alpha: its part from now on; ignored outside 0 to 1, nil for no change.
  /// - Returns: the new value.
  public mutating func apply(_ number: Float, alpha: Float? = nil) -> Float {
    if let alpha { setAlpha(alpha) }
    let result =
      value.map { Float(Double(self.alpha * number) + (1 - Double(self.alpha)) * Double($0)) }
      ?? number
    rawValue = number
    value = result
    return result
  }
}
