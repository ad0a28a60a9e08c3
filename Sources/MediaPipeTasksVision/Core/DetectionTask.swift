// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon

/// What the tasks that detect something in images derive from.
///
/// Any thread may use one; images are looked at one after another.
public class DetectionTask<Output: TaskResult>: NSObject, @unchecked Sendable {
  private let task: VisionTask<Output>

  init(_ task: VisionTask<Output>) {
    self.task = task
    super.init()
  }

  /// What is found in an image.
  ///
  /// - Throws: `NSError` in another mode than that of images, for mirrored images, and where a model
  ///   fails on the image.
  public func detect(image: MPImage) throws -> Output { try task.image(image) }

  /// What is found in a frame of a video.
  ///
  /// - Throws: `NSError` in another mode than that of videos, for mirrored frames, where the time is
  ///   not after that of the frame before, and where a model fails on the frame.
  public func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> Output {
    try task.video(videoFrame, timestampInMilliseconds)
  }

  /// Takes a frame of a live stream; the delegate gets the result.
  ///
  /// - Throws: `NSError` in another mode than that of live streams, for mirrored frames, and where
  ///   the time is not after that of the frame before.
  public func detectAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try task.live(image, timestampInMilliseconds) { [weak self] outcome, time in
      self?.deliver(outcome.value, at: time, error: outcome.error)
    }
  }

  /// Hands what was found in a frame of a live stream to the delegate.
  func deliver(_ result: Output?, at timestampInMilliseconds: Int, error: (any Error)?) {}
}
