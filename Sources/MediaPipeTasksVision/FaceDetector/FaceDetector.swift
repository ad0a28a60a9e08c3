// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Imaging
import Landmarks
import MediaPipeTasksCommon
import VisionTasks

/// Finds faces with their eyes, nose, mouth and ears.
///
/// Any thread may use it; images are looked at one after another.
public final class FaceDetector: NSObject, OptionsTask, @unchecked Sendable {
  private let task: VisionTask<VisionTasks.FaceDetector, FaceDetectorResult>
  private weak var delegate: (any FaceDetectorLiveStreamDelegate)?

  /// A detector.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such model, or it finds no faces.
  public init(options: FaceDetectorOptions) throws {
    delegate = options.faceDetectorLiveStreamDelegate
    task = try VisionTask(
      "faceDetector", options.runningMode,
      hasDelegate: options.faceDetectorLiveStreamDelegate != nil
    ) { () throws(NSError) in
      var settings = VisionTasks.FaceDetector.Options()
      settings.minScore = options.minDetectionConfidence
      settings.maxOverlap = options.minSuppressionThreshold
      let model = try options.baseOptions.model()
      return try TasksErrorCode.looking { () throws(VisionError) in
        try VisionTasks.FaceDetector(model, options: settings)
      }
    } process: { (detector, input, time) throws(NSError) in
      let faces = try TasksErrorCode.looking { () throws(VisionError) in
        try detector.detect(input.pixels, orientation: input.orientation)
      }
      return FaceDetectorResult(
        detections: faces.map { Detection($0, in: input) }, timestampInMilliseconds: time)
    }
  }

  /// The faces in an image.
  ///
  /// - Throws: `NSError` in another mode than that of images, for mirrored images, and where the
  ///   model fails on the image.
  public func detect(image: MPImage) throws -> FaceDetectorResult { try task.image(image) }

  /// The faces in a frame of a video.
  ///
  /// - Throws: `NSError` in another mode than that of videos, for mirrored frames, where the time is
  ///   not after that of the frame before, and where the model fails on the frame.
  public func detect(
    videoFrame: MPImage, timestampInMilliseconds: Int
  ) throws -> FaceDetectorResult {
    try task.video(videoFrame, timestampInMilliseconds)
  }

  /// Takes a frame of a live stream; the delegate gets the result.
  ///
  /// - Throws: `NSError` in another mode than that of live streams, for mirrored frames, and where
  ///   the time is not after that of the frame before.
  public func detectAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try task.live(image, timestampInMilliseconds) { [weak self] outcome, time in
      guard let self else { return }
      delegate?.faceDetector(
        self, didFinishDetection: outcome.value, timestampInMilliseconds: time, error: outcome.error
      )
    }
  }
}

extension Detection {
  /// A face; it has no category but a score.
  fileprivate convenience init(_ face: VisionTasks.FaceDetector.Face, in input: VisionInput) {
    self.init(
      categories: [
        ResultCategory(index: 0, score: face.score, categoryName: nil, displayName: nil)
      ], boundingBox: CGRect(wholePixels: face.frame, in: input.pixels),
      keypoints: face.points.normalized(
        columns: input.pixels.width, rows: input.pixels.height
      ).map {
        NormalizedKeypoint(
          location: CGPoint(x: CGFloat($0.x), y: CGFloat($0.y)), label: nil, score: 0)
      })
  }
}
