// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// What the hands in an image show.
public final class GestureRecognizerResult: TaskResult, @unchecked Sendable {
  /// For each hand, its gesture; the index is always -1.
  ///
  /// A hand of which no gesture counts has none, so that there may be fewer than hands.
  public let gestures: [[ResultCategory]]
  /// For each hand, whether it is `Left` or `Right`.
  public let handedness: [[ResultCategory]]
  /// For each hand, 21 points in the order of `HandLandmark`.
  public let landmarks: [[NormalizedLandmark]]
  /// For each hand, the points in meters from its middle.
  public let worldLandmarks: [[Landmark]]

  /// A result from its parts.
  public init(
    gestures: [[ResultCategory]], handedness: [[ResultCategory]],
    landmarks: [[NormalizedLandmark]], worldLandmarks: [[Landmark]], timestampInMilliseconds: Int
  ) {
    self.gestures = gestures
    self.handedness = handedness
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
