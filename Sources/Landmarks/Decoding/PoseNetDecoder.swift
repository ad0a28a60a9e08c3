// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// People from PoseNet's maps.
///
/// Several people (PersonLab, arXiv:1803.08225, as in Coral's `PosenetDecoderOp`): cells whose score
/// is the greatest of their neighborhood are starting points, the best first. From each that lies
/// in no person found before, the skeleton is followed edge by edge, the best key point first, by
/// the displacement and then, five times, by the offset at where it leads. Locations between cells
/// are bilinear. A person's score is the mean of its key points' scores, leaving out those within
/// the radius of the same key point of better people.
public struct PoseNetDecoder: Sendable, Hashable {
  /// The name of the operator that does this at the end of Coral's models; pose estimators alone bring
  /// it.
  package static let customOperator = "PosenetDecoderOp"

  /// The most people.
  public var maxPoses = 10
  /// The least score of starting points and of people.
  public var scoreThreshold: Float = 0.5
  /// Two key points of the same kind nearer than this, in pixels, belong to one person.
  public var suppressionRadius: Float = 20
  /// How often a location is refined by the offset there.
  public var refinementSteps = 5
  /// Whether the step from the left eye to the nose reads the channels that Coral's
  /// `PosenetDecoderOp` reads, which belong to other steps; the offsets then make up for it.
  public var readsCoralChannels = false
  /// Pixels from one cell of the grid to the next.
  public var stride: Float

  /// Coral's numbers for a grid of this stride.
  public init(stride: Float) { self.stride = stride }

  /// The one person of an image: the best cell of each key point, and its offset.
  ///
  /// - Parameter maps: the model's outputs.
  /// - Returns: the person, in pixels of the model's input; scores are probabilities.
  /// - Throws: `LandmarkError.invalidOption` for an impossible stride.
  public func pose(_ maps: PoseNetMaps) throws(LandmarkError) -> Pose {
    try check()
    let points = (0..<PoseNetMaps.keyPointCount).map { part in
      var best = (row: 0, column: 0, score: -Float.infinity)
      for row in 0..<maps.rows {
        for column in 0..<maps.columns {
          let score = maps.logOdds(row, column, part)
          if score > best.score { best = (row, column, score) }
        }
      }
      let offset = maps.offset(best.row, best.column, part)
      return Pose.KeyPoint(
        x: Float(best.column) * stride + offset.x, y: Float(best.row) * stride + offset.y,
        score: best.score.sigmoid)
    }
    return Pose(
      keyPoints: points, score: points.reduce(0) { $0 + $1.score } / Float(points.count))
  }

  /// The people of an image.
  ///
  /// - Parameter maps: the model's outputs.
  /// - Returns: the people by falling scores, in pixels of the model's input; scores are
  ///   probabilities.
  /// - Throws: `LandmarkError.invalidOption` for an impossible number of people, stride or radius.
  public func poses(_ maps: PoseNetMaps) throws(LandmarkError) -> [Pose] {
    try check()
    let radius = suppressionRadius / stride
    let grid = PoseNetGrid(maps, self)
    let least = -log(1 / (scoreThreshold + 1e-6) - 1)
    var found: [Pose] = []
    for root in grid.roots(above: least) {
      guard found.count < maxPoses else { break }
      let isKnown = found.contains {
        root.location.squaredDistance(to: $0.keyPoints[root.part]) <= radius * radius
      }
      if isKnown { continue }
      let pose = grid.pose(from: root)
      if pose.score >= scoreThreshold { found.append(pose) }
    }
    found.sort { $0.score > $1.score }
    let scores = found.indices.map { index in
      softScore(of: found[index], better: found[..<index], radius: radius)
    }
    for (index, score) in scores.enumerated() { found[index].score = score }
    return found.filter { $0.score >= scoreThreshold }.sorted { $0.score > $1.score }
      .map(inPixels)
  }

  private func check() throws(LandmarkError) {
    guard stride.isFinite, stride > 0, (0...1 << 10).contains(maxPoses),
      (0...64).contains(refinementSteps), suppressionRadius.isFinite, suppressionRadius >= 0,
      (0...1).contains(scoreThreshold)
    else {
      throw .invalidOption(
        "PoseNet needs a stride above 0, a radius, a threshold of 0 to 1 and at most 1024 people")
    }
  }

  /// The mean of the scores of key points that no better person has at about the same place.
  private func softScore(of pose: Pose, better: ArraySlice<Pose>, radius: Float) -> Float {
    var sum: Float = 0
    // From the best key point on, so that the sum is rounded as in Coral's decoder.
    let order = pose.keyPoints.indices.sorted {
      (pose.keyPoints[$1].score, $0) < (pose.keyPoints[$0].score, $1)
    }
    for part in order {
      let point = pose.keyPoints[part]
      let location = PoseNetGrid.Location(x: point.x, y: point.y)
      let isHidden = better.contains {
        location.squaredDistance(to: $0.keyPoints[part]) <= radius * radius
      }
      if !isHidden { sum += point.score }
    }
    return sum / Float(pose.keyPoints.count)
  }

  private func inPixels(_ pose: Pose) -> Pose {
    var pose = pose
    for index in pose.keyPoints.indices {
      pose.keyPoints[index].x *= stride
      pose.keyPoints[index].y *= stride
    }
    return pose
  }
}
