// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// The points of the people in an image.
public final class PoseLandmarkerResult: TaskResult, @unchecked Sendable {
  /// For each person, 33 points.
  public let landmarks: [[NormalizedLandmark]]
  /// For each person, the points in meters from the middle of the hips.
  public let worldLandmarks: [[Landmark]]

  /// For each person, how much each pixel of the image belongs to the person; empty where not asked
  /// for.
  public let segmentationMasks: [Mask]

  /// A result from its parts.
  public init(
    landmarks: [[NormalizedLandmark]], worldLandmarks: [[Landmark]],
    segmentationMasks: [Mask]?, timestampInMilliseconds: Int
  ) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.segmentationMasks = segmentationMasks ?? []
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
