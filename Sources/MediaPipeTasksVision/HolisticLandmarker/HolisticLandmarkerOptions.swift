// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon

/// How the points of a person's face, hands and body are found.
public final class HolisticLandmarkerOptions: TaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.image
  /// Who gets the results of a live stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var holisticLandmarkerLiveStreamDelegate: (any HolisticLandmarkerLiveStreamDelegate)?
  /// The least score of the face detector, from 0 to 1.
  public var minFaceDetectionConfidence: Float = 0.5
  /// The greatest overlap of two faces, from 0 to 1.
  public var minFaceSuppressionThreshold: Float = 0.3
  /// The least probability of the face mesh that it sees a face.
  public var minFacePresenceConfidence: Float = 0.5
  /// The least score of the pose detector, from 0 to 1.
  public var minPoseDetectionConfidence: Float = 0.5
  /// The greatest overlap of two bodies, from 0 to 1.
  public var minPoseSuppressionThreshold: Float = 0.3
  /// The least probability of the pose landmark model that it sees a body.
  public var minPosePresenceConfidence: Float = 0.5
  /// Whether the movements of the face are rated.
  public var outputFaceBlendshapes: Bool = false
  /// Whether the body has a mask.
  public var outputPoseSegmentationMasks: Bool = false
  /// The least probability of the hand landmark model that it sees a hand.
  public var minHandLandmarksConfidence: Float = 0.5

  /// MediaPipe's numbers, images.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.holisticLandmarkerLiveStreamDelegate, \.minFaceDetectionConfidence,
      \.minFaceSuppressionThreshold, \.minFacePresenceConfidence, \.minPoseDetectionConfidence,
      \.minPoseSuppressionThreshold, \.minPosePresenceConfidence, \.outputFaceBlendshapes,
      \.outputPoseSegmentationMasks, \.minHandLandmarksConfidence)
  }
}

/// Gets what is found in the frames of a live stream, on a serial queue of the task's own.
public protocol HolisticLandmarkerLiveStreamDelegate: NSObjectProtocol {
  /// What is found in a frame; frames that the task has no time for are dropped without a call.
  ///
  /// - Parameters:
  ///   - holisticLandmarker: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that was given with the frame.
  ///   - error: why the task failed on the frame; nil where it did not.
  func holisticLandmarker(
    _ holisticLandmarker: HolisticLandmarker,
    didFinishDetection result: HolisticLandmarkerResult?, timestampInMilliseconds: Int,
    error: (any Error)?)
}
