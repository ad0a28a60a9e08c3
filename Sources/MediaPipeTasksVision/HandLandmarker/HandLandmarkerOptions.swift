// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon
import VisionTasks

/// How the points of hands are found.
public final class HandLandmarkerOptions: TaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.image
  /// Who gets the results of a live stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var handLandmarkerLiveStreamDelegate: (any HandLandmarkerLiveStreamDelegate)?
  /// The most hands.
  public var numHands: Int = 1
  /// The least score of the palm detector, from 0 to 1.
  public var minHandDetectionConfidence: Float = 0.5
  /// The least probability of the landmark model that it sees a hand.
  public var minHandPresenceConfidence: Float = 0.5
  /// The overlap from which a detection is a hand of the frame before.
  public var minTrackingConfidence: Float = 0.5

  /// MediaPipe's numbers, images.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.handLandmarkerLiveStreamDelegate, \.numHands, \.minHandDetectionConfidence,
      \.minHandPresenceConfidence, \.minTrackingConfidence)
  }
}

/// Gets what is found in the frames of a live stream, on a serial queue of the task's own.
public protocol HandLandmarkerLiveStreamDelegate: NSObjectProtocol {
  /// What is found in a frame; frames that the task has no time for are dropped without a call.
  ///
  /// - Parameters:
  ///   - handLandmarker: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that was given with the frame.
  ///   - error: why the task failed on the frame; nil where it did not.
  func handLandmarker(
    _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?,
    timestampInMilliseconds: Int, error: (any Error)?)
}

extension HandLandmarkerLiveStreamDelegate {
  /// Nothing: the method is optional in the original.
  public func handLandmarker(
    _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {}
}
