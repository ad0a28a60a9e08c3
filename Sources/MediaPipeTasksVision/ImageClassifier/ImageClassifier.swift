// SPDX-License-Identifier: Apache-2.0

public import Foundation
import MediaPipeTasksCommon
import VisionTasks

/// Says what is in images.
///
/// Any thread may use it; images are classified one after another.
public final class ImageClassifier: NSObject, OptionsTask, @unchecked Sendable {
  private let task: VisionTask<ImageClassifierResult>
  private weak var delegate: (any ImageClassifierLiveStreamDelegate)?

  /// A classifier.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such model, or it is no image
  ///   classifier.
  public init(options: ImageClassifierOptions) throws {
    delegate = options.imageClassifierLiveStreamDelegate
    task = try VisionTask(
      "imageClassifier", options.runningMode,
      hasDelegate: options.imageClassifierLiveStreamDelegate != nil
    ) { () throws(NSError) in
      var settings = VisionTasks.ImageClassifier.Options()
      settings.preprocessing = .mediaPipe
      settings.classes = try options.classes()
      let model = try options.baseOptions.model()
      return try TasksErrorCode.looking { () throws(VisionError) in
        try VisionTasks.ImageClassifier(model, options: settings)
      }
    } process: { (classifier, input, time) throws(NSError) in
      let heads = try TasksErrorCode.looking { () throws(VisionError) in
        try classifier.classify(
          input.pixels, region: input.region, orientation: input.orientation)
      }
      return ImageClassifierResult(
        classificationResult: ClassificationResult(heads), timestampInMilliseconds: time)
    }
  }

  /// What is in an image.
  ///
  /// - Throws: `NSError` in another mode than that of images, for mirrored images, and where the
  ///   model fails on the image.
  public func classify(image: MPImage) throws -> ImageClassifierResult { try task.image(image) }

  /// What is in a part of an image.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - regionOfInterest: the part, in shares of the image's width and height as stored; all zero
  ///     for the whole image.
  /// - Returns: what is in the part.
  /// - Throws: `NSError` in another mode than that of images, for mirrored images or a part that
  ///   reaches over the image, and where the model fails on the image.
  public func classify(image: MPImage, regionOfInterest: CGRect) throws -> ImageClassifierResult {
    try task.image(image, region: regionOfInterest)
  }

  /// What is in a frame of a video.
  ///
  /// - Throws: `NSError` in another mode than that of videos, for mirrored frames, where the time is
  ///   not after that of the frame before, and where the model fails on the frame.
  public func classify(
    videoFrame: MPImage, timestampInMilliseconds: Int
  ) throws -> ImageClassifierResult {
    try task.video(videoFrame, timestampInMilliseconds)
  }

  /// What is in a part of a frame of a video.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: its time, later than that of the frame before.
  ///   - regionOfInterest: the part, in shares of the frame's width and height as stored; all zero
  ///     for the whole frame.
  /// - Returns: what is in the part.
  /// - Throws: `NSError` as without the part, and for a part that reaches over the frame.
  public func classify(
    videoFrame: MPImage, timestampInMilliseconds: Int, regionOfInterest: CGRect
  ) throws -> ImageClassifierResult {
    try task.video(videoFrame, timestampInMilliseconds, region: regionOfInterest)
  }

  /// Takes a frame of a live stream; the delegate gets the result.
  ///
  /// - Throws: `NSError` in another mode than that of live streams, for mirrored frames, and where
  ///   the time is not after that of the frame before.
  public func classifyAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try classifyAsync(
      image: image, timestampInMilliseconds: timestampInMilliseconds, regionOfInterest: .zero)
  }

  /// Takes a frame of a live stream, a part of which counts; the delegate gets the result.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - timestampInMilliseconds: its time, later than that of the frame before.
  ///   - regionOfInterest: the part, in shares of the frame's width and height as stored; all zero
  ///     for the whole frame.
  /// - Throws: `NSError` as without the part, and for a part that reaches over the frame.
  public func classifyAsync(
    image: MPImage, timestampInMilliseconds: Int, regionOfInterest: CGRect
  ) throws {
    try task.live(image, timestampInMilliseconds, region: regionOfInterest) {
      [weak self] outcome, time in
      guard let self else { return }
      delegate?.imageClassifier(
        self, didFinishClassification: outcome.value, timestampInMilliseconds: time,
        error: outcome.error)
    }
  }
}
