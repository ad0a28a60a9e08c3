// SPDX-License-Identifier: Apache-2.0

public import Foundation
import MediaPipeTasksCommon
import VisionTasks

/// Says to which category each pixel of an image belongs.
///
/// Masks have the size and the orientation of the image as stored. Any thread may use it; images are
/// segmented one after another.
public final class ImageSegmenter: NSObject, OptionsTask, @unchecked Sendable {
  private let task: VisionTask<ImageSegmenterResult>
  private weak var delegate: (any ImageSegmenterLiveStreamDelegate)?
  /// The names of the categories by their numbers; empty where the model has none.
  public let labels: [String]

  /// A segmenter.
  ///
  /// - Throws: `NSError` where no mask is asked for, there is no such model, or it segments nothing.
  public init(options: ImageSegmenterOptions) throws {
    delegate = options.imageSegmenterLiveStreamDelegate
    var labels: [String] = []
    task = try VisionTask(
      "imageSegmenter", options.runningMode,
      hasDelegate: options.imageSegmenterLiveStreamDelegate != nil
    ) { () throws(NSError) in
      let masks = try SegmenterMasks(
        confidences: options.shouldOutputConfidenceMasks,
        categories: options.shouldOutputCategoryMask,
        refusal: "neither confidence masks nor a category mask are asked for")
      let model = try options.baseOptions.model()
      let segmenter = try TasksErrorCode.looking { () throws(VisionError) in
        try VisionTasks.ImageSegmenter(
          model, options: masks.settings(locale: options.displayNamesLocale))
      }
      labels = segmenter.labels?.classNames ?? []
      return (segmenter, masks)
    } process: { (engine, input, time) throws(NSError) in
      let (segmenter, masks) = engine
      let found = try TasksErrorCode.looking { () throws(VisionError) in
        try segmenter.segment(input.pixels, orientation: input.orientation)
      }
      return masks.result(found, timestampInMilliseconds: time)
    }
    self.labels = labels
  }

  /// The categories of an image.
  ///
  /// - Throws: `NSError` in another mode than that of images, for mirrored images, and where the
  ///   model fails on the image.
  public func segment(image: MPImage) throws -> ImageSegmenterResult { try task.image(image) }

  /// The categories of a frame of a video.
  ///
  /// - Throws: `NSError` in another mode than that of videos, for mirrored frames, where the time is
  ///   not after that of the frame before, and where the model fails on the frame.
  public func segment(
    videoFrame: MPImage, timestampInMilliseconds: Int
  ) throws -> ImageSegmenterResult {
    try task.video(videoFrame, timestampInMilliseconds)
  }

  /// Takes a frame of a live stream; the delegate gets the result.
  ///
  /// - Throws: `NSError` in another mode than that of live streams, for mirrored frames, and where
  ///   the time is not after that of the frame before.
  public func segmentAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try task.live(image, timestampInMilliseconds) { [weak self] outcome, time in
      guard let self else { return }
      delegate?.imageSegmenter(
        self, didFinishSegmentation: outcome.value, timestampInMilliseconds: time,
        error: outcome.error)
    }
  }

  /// Hands the categories of an image to `completion`, before this returns.
  public func segment(
    image: MPImage, completion: (ImageSegmenterResult?, (any Error)?) -> Void
  ) {
    ImageSegmenterResult.complete(completion) { () throws(NSError) in try task.image(image) }
  }

  /// Hands the categories of a frame of a video to `completion`, before this returns.
  public func segment(
    videoFrame: MPImage, timestampInMilliseconds: Int,
    completion: (ImageSegmenterResult?, (any Error)?) -> Void
  ) {
    ImageSegmenterResult.complete(completion) { () throws(NSError) in
      try task.video(videoFrame, timestampInMilliseconds)
    }
  }
}
