// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon
import VisionTasks

/// How the points of bodies are found.
public final class PoseLandmarkerOptions: TaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.image
  /// Who gets the results of a live stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var poseLandmarkerLiveStreamDelegate: (any PoseLandmarkerLiveStreamDelegate)?
  /// The most people.
  public var numPoses: Int = 1
  /// The least score of the pose detector, from 0 to 1.
  public var minPoseDetectionConfidence: Float = 0.5
  /// The least probability of the landmark model that it sees a body.
  public var minPosePresenceConfidence: Float = 0.5
  /// The overlap from which a detection is a body of the frame before.
  public var minTrackingConfidence: Float = 0.5
  /// Whether people have masks.
  public var shouldOutputSegmentationMasks: Bool = false

  /// MediaPipe's numbers, images.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.poseLandmarkerLiveStreamDelegate, \.numPoses, \.minPoseDetectionConfidence,
      \.minPosePresenceConfidence, \.minTrackingConfidence, \.shouldOutputSegmentationMasks)
  }
}

/// Gets what is found in the frames of a live stream, on a serial queue of the task's own.
public protocol PoseLandmarkerLiveStreamDelegate: NSObjectProtocol {
  /// What is found in a frame; frames that the task has no time for are dropped without a call.
  ///
  /// - Parameters:
  ///   - poseLandmarker: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that was given with the frame.
  ///   - error: why the task failed on the frame; nil where it did not.
  func poseLandmarker(
    _ poseLandmarker: PoseLandmarker, didFinishDetection result: PoseLandmarkerResult?,
    timestampInMilliseconds: Int, error: (any Error)?)
}
