// SPDX-License-Identifier: Apache-2.0

public import Foundation
import MediaPipeTasksCommon
import VisionTasks

/// Says to which category each pixel of an image belongs.
///
/// Masks have the size and the orientation of the image as stored. Any thread may use it; images are
/// segmented one after another.
public final class ImageSegmenter: NSObject, OptionsTask, @unchecked Sendable {
  private let task: VisionTask<VisionTasks.ImageSegmenter, ImageSegmenterResult>
  private weak var delegate: (any ImageSegmenterLiveStreamDelegate)?
  /// The names of the categories by their numbers; empty where the model has none.
  public let labels: [String]

  /// A segmenter.
  ///
  /// - Throws: `NSError` where no mask is asked for, there is no such model, or it segments nothing.
  public init(options: ImageSegmenterOptions) throws {
    delegate = options.imageSegmenterLiveStreamDelegate
    let wantsConfidences = options.shouldOutputConfidenceMasks
    let wantsCategories = options.shouldOutputCategoryMask
    task = try VisionTask(
      "imageSegmenter", options.runningMode,
      hasDelegate: options.imageSegmenterLiveStreamDelegate != nil
    ) { () throws(NSError) in
      guard wantsConfidences || wantsCategories else {
        throw TasksErrorCode.invalidArgumentError.status(
          "neither confidence masks nor a category mask are asked for")
      }
      var settings = VisionTasks.ImageSegmenter.Options()
      settings.preprocessing = .mediaPipe
      settings.wantsConfidences = wantsConfidences
      settings.locale = options.displayNamesLocale
      let model = try options.baseOptions.model()
      return try TasksErrorCode.looking { () throws(VisionError) in
        try VisionTasks.ImageSegmenter(model, options: settings)
      }
    } process: { (segmenter, input, time) throws(NSError) in
      let found = try TasksErrorCode.looking { () throws(VisionError) in
        try segmenter.segment(input.pixels, orientation: input.orientation)
      }
      return ImageSegmenterResult(
        confidenceMasks: wantsConfidences ? found.confidenceMasks.map { Mask($0) } : nil,
        categoryMask: wantsCategories ? Mask(found.categoryMask) : nil,
        qualityScores: found.masksQuality.map { NSNumber(value: $0) },
        timestampInMilliseconds: time)
    }
    labels = task.read { $0.labels?.classNames ?? [] }
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
    Self.complete(completion) { () throws(NSError) in try task.image(image) }
  }

  /// Hands the categories of a frame of a video to `completion`, before this returns.
  public func segment(
    videoFrame: MPImage, timestampInMilliseconds: Int,
    completion: (ImageSegmenterResult?, (any Error)?) -> Void
  ) {
    Self.complete(completion) { () throws(NSError) in
      try task.video(videoFrame, timestampInMilliseconds)
    }
  }

  private static func complete(
    _ completion: (ImageSegmenterResult?, (any Error)?) -> Void,
    _ segment: () throws(NSError) -> ImageSegmenterResult
  ) {
    do throws(NSError) { completion(try segment(), nil) } catch { completion(nil, error) }
  }
}

extension Segmentation {
  /// How good each mask is; 1 of models that do not say.
  var masksQuality: [Float] {
    qualityScores.isEmpty ? [Float](repeating: 1, count: labels.count) : qualityScores
  }
}
