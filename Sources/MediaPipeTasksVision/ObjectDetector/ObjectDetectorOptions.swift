// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon
import VisionTasks

/// How objects are detected.
public final class ObjectDetectorOptions: CategoryTaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.image
  /// Who gets the results of a live stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var objectDetectorLiveStreamDelegate: (any ObjectDetectorLiveStreamDelegate)?

  /// All results of images.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.objectDetectorLiveStreamDelegate)
  }
}

/// Gets what is found in the frames of a live stream, on a serial queue of the task's own.
public protocol ObjectDetectorLiveStreamDelegate: NSObjectProtocol {
  /// What is found in a frame; frames that the task has no time for are dropped without a call.
  ///
  /// - Parameters:
  ///   - objectDetector: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that was given with the frame.
  ///   - error: why the task failed on the frame; nil where it did not.
  func objectDetector(
    _ objectDetector: ObjectDetector, didFinishDetection result: ObjectDetectorResult?,
    timestampInMilliseconds: Int, error: (any Error)?)
}

extension ObjectDetectorLiveStreamDelegate {
  /// Nothing: the method is optional in the original.
  public func objectDetector(
    _ objectDetector: ObjectDetector, didFinishDetection result: ObjectDetectorResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {}
}
