// SPDX-License-Identifier: Apache-2.0

/// The square of an image that a single-pose model looks at, from where the person was before.
///
/// MoveNet's published algorithm (TensorFlow's MoveNet tutorial): the first image, and each one
/// after the torso was lost, is padded to a square. Otherwise the square's middle is that of the
/// hips, and its half side the largest of 1.9 times the torso's extent and 1.2 times the body's,
/// but not beyond the image's farthest edge.
public struct MoveNetCrop: Sendable, Hashable {
  /// Key points with a lower score do not count.
  public var minKeyPointScore: Float = 0.2
  /// What multiplies the distance from the hips' middle to the farthest shoulder or hip.
  public var torsoExpansion: Float = 1.9
  /// What multiplies the distance from the hips' middle to the farthest key point.
  public var bodyExpansion: Float = 1.2

  /// The published numbers.
  public init() {}

  /// The square around all of an image, which reaches beyond two of its edges.
  ///
  /// - Parameters:
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: the square, in pixels.
  public static func whole(columns: Int, rows: Int) -> RotatedRect {
    let side = Float(max(columns, rows))
    return RotatedRect(
      centerX: Float(columns) / 2, centerY: Float(rows) / 2, width: side, height: side)
  }

  /// The square for the next image.
  ///
  /// - Parameters:
  ///   - pose: the person in this image, in pixels.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: the square around the person, or around all of the image where the torso is not
  ///   visible or the square would be larger than that.
  public func next(after pose: Pose, columns: Int, rows: Int) -> RotatedRect {
    let whole = Self.whole(columns: columns, rows: rows)
    guard isTorsoVisible(pose), let left = pose[.leftHip], let right = pose[.rightHip] else {
      return whole
    }
    let center = (x: (left.x + right.x) / 2, y: (left.y + right.y) / 2)
    let torso = reach(pose, from: center, [.leftShoulder, .rightShoulder, .leftHip, .rightHip], 0)
    let body = reach(pose, from: center, BodyPart.allCases, minKeyPointScore)
    let wanted =
      [torso.x, torso.y].map { $0 * torsoExpansion }
      + [body.x, body.y].map {
        $0 * bodyExpansion
      }
    let edges = [center.x, Float(columns) - center.x, center.y, Float(rows) - center.y]
    guard let half = wanted.max(), let farthest = edges.max() else { return whole }
    let reach = min(half, farthest)
    guard reach.isFinite, reach > 0, reach <= whole.width / 2 else { return whole }
    return RotatedRect(
      centerX: center.x, centerY: center.y, width: 2 * reach, height: 2 * reach)
  }

  /// Whether a shoulder and a hip are sure enough.
  private func isTorsoVisible(_ pose: Pose) -> Bool {
    let isVisible = { (part: BodyPart) in pose[part].map { $0.score > minKeyPointScore } ?? false }
    return (isVisible(.leftHip) || isVisible(.rightHip))
      && (isVisible(.leftShoulder) || isVisible(.rightShoulder))
  }

  private func reach(
    _ pose: Pose, from center: (x: Float, y: Float), _ parts: [BodyPart], _ least: Float
  ) -> (x: Float, y: Float) {
    var reach: (x: Float, y: Float) = (0, 0)
    for point in parts.compactMap({ pose[$0] }) where point.score >= least {
      reach.x = max(reach.x, abs(center.x - point.x))
      reach.y = max(reach.y, abs(center.y - point.y))
    }
    return reach
  }
}
