// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon
import VisionTasks

/// Turns images into vectors that are alike where the images are.
///
/// Any thread may use it; images are embedded one after another.
public final class ImageEmbedder: NSObject, OptionsTask, @unchecked Sendable {
  private let task: VisionTask<ImageEmbedderResult>
  private weak var delegate: (any ImageEmbedderLiveStreamDelegate)?

  /// An embedder.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such model, or it gives no vectors.
  public init(options: ImageEmbedderOptions) throws {
    delegate = options.imageEmbedderLiveStreamDelegate
    task = try VisionTask(
      "imageEmbedder", options.runningMode,
      hasDelegate: options.imageEmbedderLiveStreamDelegate != nil
    ) { () throws(NSError) in
      var settings = VisionTasks.ImageEmbedder.Options()
      settings.preprocessing = .mediaPipe
      settings.embedding.normalizesLength = options.l2Normalize
      settings.embedding.isQuantized = options.quantize
      let model = try options.baseOptions.model()
      return try TasksErrorCode.looking { () throws(VisionError) in
        try VisionTasks.ImageEmbedder(model, options: settings)
      }
    } process: { (embedder, input, time) throws(NSError) in
      let embeddings = try TasksErrorCode.looking { () throws(VisionError) in
        try embedder.embed(input.pixels, region: input.region, orientation: input.orientation)
      }
      return ImageEmbedderResult(
        embeddingResult: EmbeddingResult(embeddings), timestampInMilliseconds: time)
    }
  }

  /// The vectors of an image.
  ///
  /// - Throws: `NSError` in another mode than that of images, for mirrored images, and where the
  ///   model fails on the image.
  public func embed(image: MPImage) throws -> ImageEmbedderResult { try task.image(image) }

  /// The vectors of a part of an image.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - regionOfInterest: the part, in shares of the image's width and height as stored; all zero
  ///     for the whole image.
  /// - Returns: the vectors of the part.
  /// - Throws: `NSError` in another mode than that of images, for mirrored images or a part that
  ///   reaches over the image, and where the model fails on the image.
  public func embed(image: MPImage, regionOfInterest: CGRect) throws -> ImageEmbedderResult {
    try task.image(image, region: regionOfInterest)
  }

  /// The vectors of a frame of a video.
  ///
  /// - Throws: `NSError` in another mode than that of videos, for mirrored frames, where the time is
  ///   not after that of the frame before, and where the model fails on the frame.
  public func embed(
    videoFrame: MPImage, timestampInMilliseconds: Int
  ) throws -> ImageEmbedderResult {
    try task.video(videoFrame, timestampInMilliseconds)
  }

  /// The vectors of a part of a frame of a video.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: its time, later than that of the frame before.
  ///   - regionOfInterest: the part, in shares of the frame's width and height as stored; all zero
  ///     for the whole frame.
  /// - Returns: the vectors of the part.
  /// - Throws: `NSError` as without the part, and for a part that reaches over the frame.
  public func embed(
    videoFrame: MPImage, timestampInMilliseconds: Int, regionOfInterest: CGRect
  ) throws -> ImageEmbedderResult {
    try task.video(videoFrame, timestampInMilliseconds, region: regionOfInterest)
  }

  /// Takes a frame of a live stream; the delegate gets the result.
  ///
  /// - Throws: `NSError` in another mode than that of live streams, for mirrored frames, and where
  ///   the time is not after that of the frame before.
  public func embedAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try embedAsync(
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
  public func embedAsync(
    image: MPImage, timestampInMilliseconds: Int, regionOfInterest: CGRect
  ) throws {
    try task.live(image, timestampInMilliseconds, region: regionOfInterest) {
      [weak self] outcome, time in
      guard let self else { return }
      delegate?.imageEmbedder(
        self, didFinishEmbedding: outcome.value, timestampInMilliseconds: time, error: outcome.error
      )
    }
  }

  /// How alike two vectors are: the cosine of the angle between them, from -1 to 1.
  ///
  /// - Throws: `NSError` where one vector is quantized and the other is not, their lengths differ,
  ///   or one of them is zero.
  public class func cosineSimilarity(
    embedding1: MediaPipeTasksCommon.Embedding, embedding2: MediaPipeTasksCommon.Embedding
  ) throws -> NSNumber {
    try MediaPipeTasksCommon.Embedding.cosineSimilarity(embedding1, embedding2)
  }
}
