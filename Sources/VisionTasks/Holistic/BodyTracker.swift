// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Martlet

/// The body of one person from image to image: MediaPipe's `holistic_pose_tracking.cc`.
final class BodyTracker {
  private let detector: KeyPointDetector
  private let model: BodyModel
  private let minPresence: Float
  private let wantsMask: Bool
  /// The region in which the body of the image before is expected.
  private var region: NormalizedRect?
  private var smoothers: BodySmoothers
  private var alignmentSmoother: LandmarkSmoother
  private var maskSmoother = MaskSmoother()

  init(
    _ models: HolisticLandmarker.Models, _ options: HolisticLandmarker.Options
  ) throws(VisionError) {
    detector = try KeyPointDetector(
      models.poseDetector, .pose, minScore: options.minPoseDetectionScore,
      overlap: options.maxPoseOverlap, limit: 1, options: options.interpreter)
    model = try BodyModel(models.poseLandmarks, options: options.interpreter)
    guard model.hasMask || !options.wantsMask else {
      throw .incompatibleModel("the pose landmark model has no mask")
    }
    minPresence = options.minPosePresenceScore
    wantsMask = options.wantsMask
    smoothers = try VisionError.wrapping { () throws(LandmarkError) in try BodySmoothers() }
    alignmentSmoother = try VisionError.wrapping { () throws(LandmarkError) in
      try LandmarkSmoother(.oneEuro(.poseAlignment))
    }
  }

  /// What runs the models.
  var interpreters: [Interpreter] { [detector.model.interpreter, model.interpreter] }

  func reset() {
    region = nil
    smoothers.reset()
    alignmentSmoother.reset()
    maskSmoother.reset()
  }

  /// The body in the next image; nil where none is seen.
  func next(_ image: UprightImage, at nanoseconds: Int64) throws(VisionError) -> FoundBody? {
    let (columns, rows) = (image.columns, image.rows)
    let rect = if let region { region } else { try detected(image) }
    guard let rect, rect.isUsable else {
      reset()
      return nil
    }
    let part = rect.inPixels(columns: columns, rows: rows)
    var body = try model.body(image, part)
    guard body.presence > minPresence else {
      reset()
      return nil
    }
    if wantsMask {
      body.mask = try model.mask(image, part).map { maskSmoother.apply($0) }
    }
    let extent = NormalizedRect(alignedTo: body.alignment, by: .pose, columns: columns, rows: rows)
    body.alignment = alignmentSmoother.apply(
      body.alignment.inPixels(columns: columns, rows: rows), at: nanoseconds,
      region: extent?.inPixels(columns: columns, rows: rows)
    ).normalized(columns: columns, rows: rows)
    region = body.region(image)
    return smoothers.apply(body, image, at: nanoseconds, extent: extent)
  }

  private func detected(_ image: UprightImage) throws(VisionError) -> NormalizedRect? {
    try detector.detections(image).first.flatMap { detection in
      NormalizedRect(
        alignedTo: detection.keyPoints, by: .pose, columns: image.columns, rows: image.rows)
    }.map {
      RectTransformation.pose.applied(to: $0, columns: image.columns, rows: image.rows)
    }
  }
}
