// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon
import VisionTasks

/// How faces are detected.
public final class FaceDetectorOptions: TaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.image
  /// Who gets the results of a live stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var faceDetectorLiveStreamDelegate: (any FaceDetectorLiveStreamDelegate)?
  /// The least score of a face, from 0 to 1.
  public var minDetectionConfidence: Float = 0.5
  /// The greatest overlap of two faces, intersection over union.
  public var minSuppressionThreshold: Float = 0.3

  /// MediaPipe's numbers, images.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.faceDetectorLiveStreamDelegate, \.minDetectionConfidence,
      \.minSuppressionThreshold)
  }
}

/// Gets what is found in the frames of a live stream, on a serial queue of the task's own.
public protocol FaceDetectorLiveStreamDelegate: NSObjectProtocol {
  /// What is found in a frame; frames that the task has no time for are dropped without a call.
  ///
  /// - Parameters:
  ///   - faceDetector: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that was given with the frame.
  ///   - error: why the task failed on the frame; nil where it did not.
  func faceDetector(
    _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?,
    timestampInMilliseconds: Int, error: (any Error)?)
}

extension FaceDetectorLiveStreamDelegate {
  /// Nothing: the method is optional in the original.
  public func faceDetector(
    _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {}
}
