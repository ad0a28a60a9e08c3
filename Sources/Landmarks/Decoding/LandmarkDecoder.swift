// SPDX-License-Identifier: Apache-2.0

/// How a model's output becomes landmarks.
///
/// MediaPipe's `tensors_to_landmarks_calculator`.
public struct LandmarkDecoder: Sendable, Hashable {
  /// How many landmarks the output has.
  public var count: Int
  /// What divides x, and depth: columns of the model's input, or 1 for world coordinates.
  public var columns: Float
  /// What divides y: rows of the model's input, or 1 for world coordinates.
  public var rows: Float
  /// What divides depth beside the columns.
  public var depthDivisor: Float = 1
  /// Whether visibility and presence go through `1 / (1 + exp(-value))`.
  public var hasSigmoidProbabilities = false
  /// Whether x counts from the right edge.
  public var isFlippedHorizontally = false
  /// Whether y counts from the bottom edge.
  public var isFlippedVertically = false

  /// Landmarks in pixels of an input, as fractions of it.
  public init(count: Int, inputWidth: Int, inputHeight: Int) {
    self.count = count
    columns = Float(inputWidth)
    rows = Float(inputHeight)
  }

  /// Landmarks as they are, such as world coordinates in meters.
  public init(count: Int) {
    self.init(count: count, inputWidth: 1, inputHeight: 1)
  }

  /// The landmarks of an output.
  ///
  /// Of the numbers for each landmark, the first five are x, y, z, visibility and presence; as many
  /// as there are.
  ///
  /// - Parameter values: `[landmarks, numbers]`.
  /// - Returns: the landmarks.
  /// - Throws: `LandmarkError` where the values are not two or more for each landmark.
  public func landmarks(_ values: [Float]) throws(LandmarkError) -> [Landmark] {
    guard count >= 1, columns.isFinite, rows.isFinite, columns > 0, rows > 0, depthDivisor != 0
    else { throw .invalidOption("landmarks need a number and the size of an input above 0") }
    let length = values.count / count
    guard length >= 2, length * count == values.count else {
      throw .valueCount(values.count, wanted: max(length, 2) &* count, of: "landmarks")
    }
    return (0..<count).map { index in
      let numbers = values[index * length..<(index + 1) * length].map(\.self)
      let x = isFlippedHorizontally ? columns - numbers[0] : numbers[0]
      let y = isFlippedVertically ? rows - numbers[1] : numbers[1]
      return Landmark(
        x: x / columns, y: y / rows, z: length > 2 ? numbers[2] / columns / depthDivisor : 0,
        visibility: length > 3 ? probability(numbers[3]) : nil,
        presence: length > 4 ? probability(numbers[4]) : nil)
    }
  }

  private func probability(_ value: Float) -> Float {
    hasSigmoidProbabilities ? value.sigmoid : value
  }
}
