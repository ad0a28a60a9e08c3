// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon

/// How images are segmented.
public final class ImageSegmenterOptions: TaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.image
  /// Who gets the results of a live stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var imageSegmenterLiveStreamDelegate: (any ImageSegmenterLiveStreamDelegate)?
  /// The language of display names.
  public var displayNamesLocale = "en"
  /// Whether there is a mask for each category that says how sure the model is.
  public var shouldOutputConfidenceMasks = true
  /// Whether there is a mask of each pixel's category.
  public var shouldOutputCategoryMask = false

  /// Confidence masks of images.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.imageSegmenterLiveStreamDelegate, \.displayNamesLocale,
      \.shouldOutputConfidenceMasks, \.shouldOutputCategoryMask)
  }
}

/// Gets what is found in the frames of a live stream, on a serial queue of the task's own.
public protocol ImageSegmenterLiveStreamDelegate: NSObjectProtocol {
  /// What is found in a frame; frames that the task has no time for are dropped without a call.
  ///
  /// - Parameters:
  ///   - imageSegmenter: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that was given with the frame.
  ///   - error: why the task failed on the frame; nil where it did not.
  func imageSegmenter(
    _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?,
    timestampInMilliseconds: Int, error: (any Error)?)
}

extension ImageSegmenterLiveStreamDelegate {
  /// Nothing: the method is optional in the original.
  public func imageSegmenter(
    _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {}
}
