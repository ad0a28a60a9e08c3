// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon
import VisionTasks

/// How the vectors of images are finished.
public final class ImageEmbedderOptions: TaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.image
  /// Who gets the results of a live stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var imageEmbedderLiveStreamDelegate: (any ImageEmbedderLiveStreamDelegate)?
  /// Whether vectors are divided by their length; not needed where the model does so.
  public var l2Normalize = false
  /// Whether elements become 8-bit integers.
  public var quantize = false

  /// Vectors of images as the model computes them.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(\.runningMode, \.imageEmbedderLiveStreamDelegate, \.l2Normalize, \.quantize)
  }
}

/// Gets what is found in the frames of a live stream, on a serial queue of the task's own.
public protocol ImageEmbedderLiveStreamDelegate: NSObjectProtocol {
  /// What is found in a frame; frames that the task has no time for are dropped without a call.
  ///
  /// - Parameters:
  ///   - imageEmbedder: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that was given with the frame.
  ///   - error: why the task failed on the frame; nil where it did not.
  func imageEmbedder(
    _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?,
    timestampInMilliseconds: Int, error: (any Error)?)
}

extension ImageEmbedderLiveStreamDelegate {
  /// Nothing: the method is optional in the original.
  public func imageEmbedder(
    _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {}
}
