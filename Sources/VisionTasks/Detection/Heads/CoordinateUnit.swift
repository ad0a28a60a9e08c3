// SPDX-License-Identifier: Apache-2.0

/// What the coordinates of boxes count.
public enum CoordinateUnit: String, Sendable, Hashable, CaseIterable {
  /// Pixels where a middle or corner of any candidate is above 2, or else fractions.
  case automatic
  /// Fractions of the input's width and height.
  case fractions
  /// Pixels of the input.
  case pixels

  /// What horizontal and vertical coordinates are divided by to be fractions.
  ///
  /// - Parameters:
  ///   - input: the input's size.
  ///   - locations: coordinates of all candidates.
  /// - Returns: the input's size, or 1 and 1.
  func divisors(
    _ input: InputSize, _ locations: some Sequence<Float>
  ) -> (width: Float, height: Float) {
    let arePixels =
      switch self {
      case .automatic: locations.contains { $0 > 2 && $0.isFinite }
      case .fractions: false
      case .pixels: true
      }
    return arePixels ? (Float(input.width), Float(input.height)) : (1, 1)
  }
}

/// What the four numbers of a box are.
public enum BoxCorners: String, Sendable, Hashable, CaseIterable {
  /// Horizontal center, vertical center, width, height.
  case centered = "xywh"
  /// Left, top, right, bottom.
  case xyxy
  /// Top, left, bottom, right.
  case yxyx

  /// The box of four numbers of a row, divided into fractions.
  func box(
    _ numbers: [Float], _ divisors: (width: Float, height: Float), score: Float, classIndex: Int,
    row: Int
  ) -> BoxDetection {
    let edges: (left: Float, top: Float, right: Float, bottom: Float) =
      switch self {
      case .centered:
        (
          numbers[0] - numbers[2] / 2, numbers[1] - numbers[3] / 2, numbers[0] + numbers[2] / 2,
          numbers[1] + numbers[3] / 2
        )
      case .xyxy: (numbers[0], numbers[1], numbers[2], numbers[3])
      case .yxyx: (numbers[1], numbers[0], numbers[3], numbers[2])
      }
    var box = BoxDetection(
      left: edges.left / divisors.width, top: edges.top / divisors.height,
      right: edges.right / divisors.width, bottom: edges.bottom / divisors.height, score: score,
      classIndex: classIndex)
    box.row = row
    return box
  }
}
