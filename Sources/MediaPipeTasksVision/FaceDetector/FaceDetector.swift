// SPDX-License-Identifier: Apache-2.0

import Foundation
import Imaging
import Landmarks
import MediaPipeTasksCommon
import VisionTasks

/// Finds faces with their eyes, nose, mouth and ears.
///
/// Any thread may use it; images are looked at one after another.
public final class FaceDetector: DetectionTask<FaceDetectorResult>, OptionsTask,
  @unchecked Sendable
{
  private weak var delegate: (any FaceDetectorLiveStreamDelegate)?

  /// A detector.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such model, or it finds no faces.
  public init(options: FaceDetectorOptions) throws {
    delegate = options.faceDetectorLiveStreamDelegate
    super.init(
      try VisionTask(
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
      })
  }

  override func deliver(
    _ result: FaceDetectorResult?, at timestampInMilliseconds: Int, error: (any Error)?
  ) {
    delegate?.faceDetector(
      self, didFinishDetection: result, timestampInMilliseconds: timestampInMilliseconds,
      error: error)
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
