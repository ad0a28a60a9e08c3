// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// The points of the hands in an image.
public final class HandLandmarkerResult: TaskResult, @unchecked Sendable {
  /// For each hand, 21 points in the order of `HandLandmark`.
  public let landmarks: [[NormalizedLandmark]]
  /// For each hand, the points in meters from its middle.
  public let worldLandmarks: [[Landmark]]
  /// For each hand, whether it is `Left` or `Right`.
  public let handedness: [[ResultCategory]]

  /// A result from its parts.
  public init(
    landmarks: [[NormalizedLandmark]], worldLandmarks: [[Landmark]],
    handedness: [[ResultCategory]], timestampInMilliseconds: Int
  ) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.handedness = handedness
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
