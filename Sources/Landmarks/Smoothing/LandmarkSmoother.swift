// SPDX-License-Identifier: Apache-2.0

/// Filters the landmarks of one object from image to image.
///
/// MediaPipe's `landmarks_smoothing_calculator`. Each coordinate has a filter of its own; speeds are
/// relative to the object's size, the mean of its width and height in pixels. What is smaller than a
/// least size, and depends on none, is not filtered.
public struct LandmarkSmoother: Sendable {
  /// What filters a coordinate.
  public enum Filter: Sendable, Hashable {
    /// The 1€ filter.
    case oneEuro(OneEuroFilter.Options)
    /// The speed over a window of so many numbers, with its scale.
    case velocity(windowSize: Int, scale: Float)
  }

  /// One coordinate's filter.
  private enum State {
    case oneEuro(OneEuroFilter)
    case velocity(RelativeVelocityFilter)

    mutating func apply(_ number: Float, _ nanoseconds: Int64, _ scale: Float) -> Float {
      switch self {
      case .oneEuro(var filter):
        let value = filter.apply(Double(number), at: nanoseconds, valueScale: Double(scale))
        self = .oneEuro(filter)
        return Float(value)
      case .velocity(var filter):
        let value = filter.apply(number, at: nanoseconds, valueScale: scale)
        self = .velocity(filter)
        return value
      }
    }
  }

  /// What filters a coordinate.
  public let filter: Filter
  /// The least size of an object that is filtered, in pixels.
  public var minObjectSize: Float = 1e-6
  /// Whether speeds are as they are rather than relative to the object's size.
  public var ignoresObjectSize = false
  private let fresh: State
  private var states: [State] = []

  /// A smoother with a filter for each coordinate.
  ///
  /// - Throws: `LandmarkError.invalidOption` where the filter's numbers are impossible.
  public init(_ filter: Filter) throws(LandmarkError) {
    self.filter = filter
    switch filter {
    case .oneEuro(let options): fresh = .oneEuro(try OneEuroFilter(options))
    case .velocity(let size, let scale):
      fresh = .velocity(try RelativeVelocityFilter(windowSize: size, velocityScale: scale))
    }
  }

  /// Forgets all earlier landmarks.
  public mutating func reset() { states = [] }

  /// The landmarks after those before.
  ///
  /// Another number of landmarks than before starts anew, as do none.
  ///
  /// - Parameters:
  ///   - landmarks: the landmarks in pixels, or in meters.
  ///   - nanoseconds: the time of the image.
  ///   - region: the object, in the same unit; nil for the box around the landmarks.
  /// - Returns: the landmarks in the same order.
  public mutating func apply(
    _ landmarks: [Landmark], at nanoseconds: Int64, region: RotatedRect? = nil
  ) -> [Landmark] {
    guard let edges = landmarks.edges else {
      reset()
      return []
    }
    let size =
      region.map { ($0.width + $0.height) / 2 } ?? (edges.width + edges.height) / 2
    // What is not finite is not remembered.
    guard landmarks.allSatisfy(\.isFinite), size.isFinite,
      ignoresObjectSize || size >= minObjectSize
    else { return landmarks }
    let scale = ignoresObjectSize ? 1 : 1 / size
    if states.count != 3 * landmarks.count {
      states = Array(repeating: fresh, count: 3 * landmarks.count)
    }
    return landmarks.enumerated().map { index, landmark in
      var result = landmark
      result.x = states[3 * index].apply(landmark.x, nanoseconds, scale)
      result.y = states[3 * index + 1].apply(landmark.y, nanoseconds, scale)
      result.z = states[3 * index + 2].apply(landmark.z, nanoseconds, scale)
      return result
    }
  }
}

/// Filters the visibility of landmarks from image to image: MediaPipe's
/// `visibility_smoothing_calculator`.
public struct VisibilitySmoother: Sendable {
  /// The part of the next image.
  public let alpha: Float
  private var filters: [LowPassFilter] = []

  /// A smoother in which the next image has this part, 0.1 of a pose in MediaPipe.
  public init(alpha: Float = 0.1) { self.alpha = alpha }

  /// Forgets all earlier landmarks.
  public mutating func reset() { filters = [] }

  /// The landmarks with visibilities after those before; without visibility, unchanged.
  ///
  /// - Parameter landmarks: the landmarks; another number than before starts anew.
  /// - Returns: the landmarks in the same order.
  public mutating func apply(_ landmarks: [Landmark]) -> [Landmark] {
    if filters.count != landmarks.count {
      filters = Array(repeating: LowPassFilter(alpha: alpha), count: landmarks.count)
    }
    return landmarks.enumerated().map { index, landmark in
      guard let visibility = landmark.visibility else { return landmark }
      var result = landmark
      result.visibility = filters[index].apply(visibility)
      return result
    }
  }
}
