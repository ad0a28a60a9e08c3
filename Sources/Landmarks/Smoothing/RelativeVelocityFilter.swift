// SPDX-License-Identifier: Apache-2.0

/// A low-pass filter whose delay shrinks with the speed over the last numbers.
///
/// MediaPipe's `relative_velocity_filter`: `α = 1 - 1 / (1 + velocityScale × |speed|)`.
public struct RelativeVelocityFilter: Sendable {
  /// What a distance between two numbers is.
  public enum Distance: String, Sendable, Hashable, CaseIterable {
    /// The difference of the numbers, each with its own scale.
    case ownScales
    /// The difference of the numbers, with the scale of the latter.
    case currentScale
  }

  private struct Step {
    let distance: Float
    let duration: Int64
  }

  private let windowSize: Int
  private let velocityScale: Float
  private let distance: Distance
  private var filter = LowPassFilter(alpha: 1)
  private var last: (value: Float, scale: Float, time: Int64)?
  /// The latest step first.
  private var window: [Step]

  /// A filter over so many numbers.
  ///
  /// - Parameters:
  ///   - windowSize: the most numbers that the speed is taken over.
  ///   - velocityScale: what makes a part of a speed.
  ///   - distance: what a distance between two numbers is.
  /// - Throws: `LandmarkError.invalidOption` for windows of more than 1024 numbers.
  public init(
    windowSize: Int = 5, velocityScale: Float = 10, distance: Distance = .ownScales
  ) throws(LandmarkError) {
    guard (1...1 << 10).contains(windowSize), velocityScale.isFinite else {
      throw .invalidOption("a window has 1 to 1024 numbers, not \(windowSize)")
    }
    self.windowSize = windowSize
    self.velocityScale = velocityScale
    self.distance = distance
    // The window starts full of steps without time.
    window = Array(repeating: Step(distance: 0, duration: 0), count: windowSize)
  }

  /// The value after the next number.
  ///
  /// - Parameters:
  ///   - number: the next number.
  ///   - nanoseconds: its time, 0 or later; not after the one before, the number is returned.
  ///   - valueScale: what makes speeds of distances, such as 1 by the size of an object.
  /// - Returns: the new value.
  public mutating func apply(
    _ number: Float, at nanoseconds: Int64, valueScale: Float = 1
  ) -> Float {
    guard nanoseconds >= 0, nanoseconds > last?.time ?? -1 else { return number }
    var alpha: Float = 1
    if let last {
      let moved =
        switch distance {
        case .ownScales: number * valueScale - last.value * last.scale
        case .currentScale: valueScale * (number - last.value)
        }
      alpha = self.alpha(Step(distance: moved, duration: nanoseconds - last.time))
    }
    last = (number, valueScale, nanoseconds)
    return filter.apply(number, alpha: alpha)
  }

  /// Numbers count as far back as they would go at 30 for each second.
  private mutating func alpha(_ step: Step) -> Float {
    let longest = Int64(1 + window.count) * (1_000_000_000 / 30)
    var (distance, duration) = (step.distance, step.duration)
    for earlier in window {
      let (sum, overflow) = duration.addingReportingOverflow(earlier.duration)
      guard !overflow, sum <= longest else { break }
      distance += earlier.distance
      duration = sum
    }
    window.insert(step, at: 0)
    if window.count > windowSize { window.removeLast() }
    let velocity = Float(Double(distance) / (Double(duration) * 1e-9))
    return 1 - 1 / (1 + velocityScale * abs(velocity))
  }
}
