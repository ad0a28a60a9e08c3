// SPDX-License-Identifier: Apache-2.0

package import Landmarks

/// A box that a model found, as fractions of its input's width and height.
package struct BoxDetection: Equatable, Scored {
  package var left: Float
  package var top: Float
  package var right: Float
  package var bottom: Float
  package var score: Float
  /// The number of the class, as the model counts.
  package var classIndex: Int
  /// The position of the row that it was read from; nil of outputs without rows.
  package var row: Int?
  /// The box as it is turned, in pixels of the input, of which the edges then are the extent; nil of
  /// boxes that are not turned.
  package var rotated: RotatedRect?

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

  /// The box.
  package var edges: Edges { Edges(left: left, top: top, right: right, bottom: bottom) }

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
}

extension [BoxDetection] {
  /// Drops boxes that overlap one of a higher score: greedy non-maximum suppression, or for rotated
  /// boxes `suppressedAsRotated`.
  ///
  /// - Parameters:
  ///   - threshold: the greatest overlap of two boxes that both remain.
  ///   - suppression: which boxes stand in each other's way.
  ///   - limit: how many remain at most; the time is proportional to it.
  /// - Returns: the boxes that remain, by falling scores.
  package func suppressed(
    threshold: Float, _ suppression: ObjectDetector.Suppression, limit: Int
  ) -> [BoxDetection] {
    guard first?.rotated == nil else {
      return suppressedAsRotated(threshold: threshold, suppression, limit: limit)
    }
    let results = sortedByScore().suppressed(limit: limit) { better, box in
      (suppression == .allClasses || better.classIndex == box.classIndex)
        && better.edges.overlap(with: box.edges) > threshold
    }
    return results.map(\.best)
  }
}
