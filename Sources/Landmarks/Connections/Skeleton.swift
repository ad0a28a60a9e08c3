// SPDX-License-Identifier: Apache-2.0

/// Which points of bodies, hands and faces are joined by lines, as those who made the models draw
/// them.
public enum Skeleton {
  /// A line between two points.
  public struct Connection: Sendable, Hashable {
    /// The index of one point.
    public let start: Int
    /// The index of the other point.
    public let end: Int

    /// A line between the points of two indices.
    public init(_ start: Int, _ end: Int) {
      self.start = start
      self.end = end
    }
  }

  /// The 33 points of a pose, from MediaPipe.
  public static let pose: [Connection] = connections(
    [
      (0, 1), (1, 2), (2, 3), (3, 7), (0, 4), (4, 5), (5, 6), (6, 8), (9, 10), (11, 12), (11, 13),
      (13, 15), (15, 17), (15, 19), (15, 21), (17, 19), (12, 14), (14, 16), (16, 18), (16, 20),
      (16, 22), (18, 20), (11, 23), (12, 24), (23, 24), (23, 25), (24, 26), (25, 27), (26, 28),
      (27, 29), (28, 30), (29, 31), (30, 32), (27, 31), (28, 32),
    ])

  /// The 21 points of a hand, from MediaPipe.
  public static let hand: [Connection] = connections(
    [
      (0, 1), (0, 5), (9, 13), (13, 17), (5, 9), (0, 17), (1, 2), (2, 3), (3, 4), (5, 6), (6, 7),
      (7, 8), (9, 10), (10, 11), (11, 12), (13, 14), (14, 15), (15, 16), (17, 18), (18, 19),
      (19, 20),
    ])

  /// The 17 points of MoveNet and PoseNet, as TensorFlow's MoveNet tutorial draws them.
  public static let body: [Connection] = connections(
    [
      (0, 1), (0, 2), (1, 3), (2, 4), (0, 5), (0, 6), (5, 7), (7, 9), (6, 8), (8, 10), (5, 6),
      (5, 11), (6, 12), (11, 12), (11, 13), (13, 15), (12, 14), (14, 16),
    ])

  /// The tree that PoseNet's displacements follow, in the order of their channels.
  package static let poseNetEdges: [(BodyPart, BodyPart)] = [
    (.nose, .leftEye), (.leftEye, .leftEar), (.nose, .rightEye), (.rightEye, .rightEar),
    (.nose, .leftShoulder), (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist),
    (.leftShoulder, .leftHip), (.leftHip, .leftKnee), (.leftKnee, .leftAnkle),
    (.nose, .rightShoulder), (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist),
    (.rightShoulder, .rightHip), (.rightHip, .rightKnee), (.rightKnee, .rightAnkle),
  ]

  static func connections(_ pairs: [(Int, Int)]) -> [Connection] {
    pairs.map { Connection($0.0, $0.1) }
  }
}
