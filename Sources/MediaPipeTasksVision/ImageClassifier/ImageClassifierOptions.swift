// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon
import VisionTasks

/// How images are classified.
public final class ImageClassifierOptions: CategoryTaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.image
  /// Who gets the results of a live stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var imageClassifierLiveStreamDelegate: (any ImageClassifierLiveStreamDelegate)?

  /// All results of images.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.imageClassifierLiveStreamDelegate)
  }
}

/// Gets what is found in the frames of a live stream, on a serial queue of the task's own.
public protocol ImageClassifierLiveStreamDelegate: NSObjectProtocol {
  /// What is found in a frame; frames that the task has no time for are dropped without a call.
  ///
  /// - Parameters:
  ///   - imageClassifier: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that was given with the frame.
  ///   - error: why the task failed on the frame; nil where it did not.
  func imageClassifier(
    _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
    timestampInMilliseconds: Int, error: (any Error)?)
}

extension ImageClassifierLiveStreamDelegate {
  /// Nothing: the method is optional in the original.
  public func imageClassifier(
    _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {}
}
