// SPDX-License-Identifier: Apache-2.0

/// What becomes of detections that overlap a better one.
///
/// MediaPipe's `non_max_suppression_calculator`.
public struct NonMaxSuppression: Sendable, Hashable {
  /// What becomes of a detection that overlaps a better one.
  public enum Algorithm: String, Sendable, Hashable, CaseIterable {
    /// It is dropped.
    case plain
    /// It takes part, by its score, in the mean that replaces the better one's box and points.
    case weighted
  }

  /// How far two boxes overlap.
  public enum Overlap: String, Sendable, Hashable, CaseIterable {
    /// The common area by the area of the smallest box around both.
    case jaccard
    /// The common area by the area of the better one's; for the weighted algorithm too.
    case modifiedJaccard
    /// The common area by the area of both together.
    case intersectionOverUnion
  }

  /// What becomes of a detection that overlaps a better one.
  public var algorithm: Algorithm
  /// How far two boxes overlap.
  public var overlap: Overlap
  /// The greatest overlap of two detections that both remain.
  public var threshold: Float
  /// Detections with a lower score are dropped; nil or 0 for none.
  public var scoreThreshold: Float?
  /// The most detections that remain; nil for all.
  public var limit: Int?
  /// Whether only detections of one class stand in each other's way.
  public var isPerClass = false

  /// The weighted mean of MediaPipe's detectors of faces, palms and poses, unless told otherwise.
  public init(
    _ algorithm: Algorithm = .weighted, overlap: Overlap = .intersectionOverUnion,
    threshold: Float = 0.3, limit: Int? = nil
  ) {
    self.algorithm = algorithm
    self.overlap = overlap
    self.threshold = threshold
    self.limit = limit
  }

  /// The detections that remain, by falling scores of their best parts.
  ///
  /// Detections with a number that is not finite are dropped. Of equal scores, the first one in the
  /// list is better. The time is proportional to the number of detections times that of results.
  ///
  /// - Parameter detections: detections in any order, with the same number of key points.
  /// - Returns: the remaining ones.
  public func applied(to detections: [KeyPointDetection]) -> [KeyPointDetection] {
    let sorted = detections.filter(\.isFinite).sortedByScore()
    guard isPerClass else { return Array(results(sorted).prefix(limit ?? .max)) }
    let classes = Dictionary(grouping: sorted, by: \.classIndex)
    let all = classes.keys.sorted().flatMap { results(classes[$0] ?? []) }
    return Array(all.sortedByScore().prefix(limit ?? .max))
  }

  private func results(_ sorted: [KeyPointDetection]) -> [KeyPointDetection] {
    let least = scoreThreshold ?? 0
    let candidates = least > 0 ? sorted.filter { $0.score >= least } : sorted
    let results = candidates.suppressed(limit: limit ?? .max) {
      similarity(of: $0, $1) > threshold
    }
    return results.map { algorithm == .plain ? $0.best : $0.best.mean(of: $0.group) }
  }

  private func similarity(of best: KeyPointDetection, _ other: KeyPointDetection) -> Float {
    let (first, second) = (best.edges, other.edges)
    let common = first.common(with: second)
    guard common > 0 else { return 0 }
    let whole =
      switch overlap {
      case .jaccard:
        (max(first.right, second.right) - min(first.left, second.left))
          * (max(first.bottom, second.bottom) - min(first.top, second.top))
      case .modifiedJaccard: algorithm == .plain ? second.area : first.area
      case .intersectionOverUnion: first.area + second.area - common
      }
    return whole > 0 ? common / whole : 0
  }
}

extension KeyPointDetection {
  /// This detection with the box and points of a group's mean, weighted by scores.
  fileprivate func mean(of group: [KeyPointDetection]) -> KeyPointDetection {
    let total = group.reduce(0) { $0 + $1.score }
    guard total > 0 else { return self }
    var sum = Edges(left: 0, top: 0, right: 0, bottom: 0)
    var points = keyPoints.map { _ in Landmark(x: 0, y: 0) }
    for detection in group {
      let (edges, score) = (detection.edges, detection.score)
      sum.left += edges.left * score
      sum.top += edges.top * score
      sum.right += edges.right * score
      sum.bottom += edges.bottom * score
      for (index, point) in zip(points.indices, detection.keyPoints) {
        points[index].x += point.x * score
        points[index].y += point.y * score
      }
    }
    var mean = self
    mean.left = sum.left / total
    mean.top = sum.top / total
    mean.width = sum.right / total - mean.left
    mean.height = sum.bottom / total - mean.top
    for index in points.indices {
      mean.keyPoints[index].x = points[index].x / total
      mean.keyPoints[index].y = points[index].y / total
    }
    return mean
  }
}
