// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// The points of the person in an image; what is not seen has none.
public final class HolisticLandmarkerResult: TaskResult, @unchecked Sendable {
  /// The 468 or 478 points of the face.
  public let faceLandmarks: [NormalizedLandmark]
  /// The ratings of the face's 52 movements; nil where not asked for.
  public let faceBlendshapes: Classifications?
  /// The 33 points of the body.
  public let poseLandmarks: [NormalizedLandmark]
  /// The points of the body in meters from the middle of the hips.
  public let poseWorldLandmarks: [Landmark]
  /// How much each pixel of the image belongs to the person; nil where not asked for.
  public let poseSegmentationMask: Mask?
  /// The 21 points of the person's left hand, in the order of `HandLandmark`.
  public let leftHandLandmarks: [NormalizedLandmark]
  /// The points of the left hand in meters from the middle of the hips.
  public let leftHandWorldLandmarks: [Landmark]
  /// The 21 points of the person's right hand, in the order of `HandLandmark`.
  public let rightHandLandmarks: [NormalizedLandmark]
  /// The points of the right hand in meters from the middle of the hips.
  public let rightHandWorldLandmarks: [Landmark]

  /// A result from its parts.
  public init(
    faceLandmarks: [NormalizedLandmark], faceBlendshapes: Classifications?,
    poseLandmarks: [NormalizedLandmark], poseWorldLandmarks: [Landmark],
    poseSegmentationMask: Mask?, leftHandLandmarks: [NormalizedLandmark],
    leftHandWorldLandmarks: [Landmark], rightHandLandmarks: [NormalizedLandmark],
    rightHandWorldLandmarks: [Landmark], timestampInMilliseconds: Int
  ) {
    self.faceLandmarks = faceLandmarks
    self.faceBlendshapes = faceBlendshapes
    self.poseLandmarks = poseLandmarks
    self.poseWorldLandmarks = poseWorldLandmarks
    self.poseSegmentationMask = poseSegmentationMask
    self.leftHandLandmarks = leftHandLandmarks
    self.leftHandWorldLandmarks = leftHandWorldLandmarks
    self.rightHandLandmarks = rightHandLandmarks
    self.rightHandWorldLandmarks = rightHandWorldLandmarks
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
