// SPDX-License-Identifier: Apache-2.0

/// A box that a model found, as fractions of its input's width and height.
package struct BoxDetection: Equatable {
  package var left: Float
  package var top: Float
  package var right: Float
  package var bottom: Float
  package var score: Float
  /// The number of the class, as the model counts.
  package var classIndex: Int
  /// The position of the row that it was read from; nil of outputs without rows.
  package var row: Int?

  /// A box from its edges, score and class.
  package init(
    left: Float, top: Float, right: Float, bottom: Float, score: Float, classIndex: Int = 0
  ) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
    self.score = score
    self.classIndex = classIndex
  }

  private var area: Float { (right - left) * (bottom - top) }

  /// The detection inside the input; nil where nothing is left, or an edge or the score is NaN.
  ///
  /// Infinite edges are those of the input.
  package var clipped: BoxDetection? {
    guard !score.isNaN, !left.isNaN, !top.isNaN, !right.isNaN, !bottom.isNaN else { return nil }
    var inside = self
    inside.left = max(left, 0)
    inside.top = max(top, 0)
    inside.right = min(right, 1)
    inside.bottom = min(bottom, 1)
    return inside.left < inside.right && inside.top < inside.bottom ? inside : nil
  }

  /// The detection with its edges at most the input's size away from it; nil where nothing is
  /// inside, or an edge or the score is NaN.
  package var limited: BoxDetection? {
    guard clipped != nil else { return nil }
    var near = self
    near.left = max(left, -1)
    near.top = max(top, -1)
    near.right = min(right, 2)
    near.bottom = min(bottom, 2)
    return near
  }

  /// The area in common with another box by the area of both together.
  package func overlap(with other: BoxDetection) -> Float {
    let width = min(right, other.right) - max(left, other.left)
    let height = min(bottom, other.bottom) - max(top, other.top)
    guard width > 0, height > 0 else { return 0 }
    let common = width * height
    return common / (area + other.area - common)
  }
}

extension [BoxDetection] {
  /// By falling scores; equal ones stay in order.
  package func sortedByScore() -> [BoxDetection] {
    enumerated().sorted { first, second in
      (second.element.score, first.offset) < (first.element.score, second.offset)
    }.map(\.element)
  }

  /// Drops boxes that overlap one of a higher score: greedy non-maximum suppression.
  ///
  /// - Parameters:
  ///   - threshold: the greatest overlap of two boxes that both remain.
  ///   - suppression: which boxes stand in each other's way.
  ///   - limit: how many remain at most; the time is proportional to it.
  /// - Returns: the boxes that remain, by falling scores.
  package func suppressed(
    threshold: Float, _ suppression: ObjectDetector.Suppression, limit: Int
  ) -> [BoxDetection] {
    var kept: [BoxDetection] = []
    for box in sortedByScore() {
      guard kept.count < limit else { break }
      let isCovered = kept.contains { better in
        (suppression == .allClasses || better.classIndex == box.classIndex)
          && better.overlap(with: box) > threshold
      }
      if !isCovered { kept.append(box) }
    }
    return kept
  }
}
