// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// The points of the faces in an image.
public final class FaceLandmarkerResult: TaskResult, @unchecked Sendable {
  /// For each face, 468 or 478 points.
  public let faceLandmarks: [[NormalizedLandmark]]
  /// For each face, the ratings of 52 movements; empty where not asked for.
  public let faceBlendshapes: [Classifications]

  /// For each face, how the canonical face is placed before the camera, in centimeters; empty where
  /// not asked for.
  public let facialTransformationMatrixes: [TransformMatrix]

  /// A result from its parts.
  public init(
    faceLandmarks: [[NormalizedLandmark]], faceBlendshapes: [Classifications],
    facialTransformationMatrixes: [TransformMatrix], timestampInMilliseconds: Int
  ) {
    self.faceLandmarks = faceLandmarks
    self.faceBlendshapes = faceBlendshapes
    self.facialTransformationMatrixes = facialTransformationMatrixes
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
