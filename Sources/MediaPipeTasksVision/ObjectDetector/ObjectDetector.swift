// SPDX-License-Identifier: Apache-2.0

import Foundation
import Imaging
import MediaPipeTasksCommon
import VisionTasks

/// Finds things in images.
///
/// Any thread may use it; images are looked at one after another.
public final class ObjectDetector: DetectionTask<ObjectDetectorResult>, OptionsTask,
  @unchecked Sendable
{
  private weak var delegate: (any ObjectDetectorLiveStreamDelegate)?

  /// A detector.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such model, or it is no detector.
  public init(options: ObjectDetectorOptions) throws {
    delegate = options.objectDetectorLiveStreamDelegate
    super.init(
      try VisionTask(
        "objectDetector", options.runningMode,
        hasDelegate: options.objectDetectorLiveStreamDelegate != nil
      ) { () throws(NSError) in
        let settings = try Self.settings(options)
        let model = try options.baseOptions.model()
        return try TasksErrorCode.looking { () throws(VisionError) in
          try VisionTasks.ObjectDetector(model, options: settings)
        }
      } process: { (detector, input, time) throws(NSError) in
        try TasksErrorCode.looking { () throws(VisionError) in
          let objects = try detector.detect(input.pixels, orientation: input.orientation)
          return ObjectDetectorResult(
            detections: objects.map { Detection($0, in: input) }, timestampInMilliseconds: time)
        }
      })
  }

  private static func settings(
    _ options: ObjectDetectorOptions
  ) throws(NSError) -> VisionTasks.ObjectDetector.Options {
    let classes = try options.classes()
    var settings = VisionTasks.ObjectDetector.Options()
    settings.preprocessing = .mediaPipe
    settings.maxObjects = classes.maxResults
    // The engine reports greater scores only; MediaPipe those that are equal, too.
    settings.scoreThreshold = classes.scoreThreshold?.nextDown
    settings.locale = classes.locale
    settings.allowedLabels = classes.allowedLabels
    settings.deniedLabels = classes.deniedLabels
    return settings
  }

  override func deliver(
    _ result: ObjectDetectorResult?, at timestampInMilliseconds: Int, error: (any Error)?
  ) {
    delegate?.objectDetector(
      self, didFinishDetection: result, timestampInMilliseconds: timestampInMilliseconds,
      error: error)
  }
}

extension Detection {
  /// A thing that a detector found; MediaPipe names its category and leaves out the number.
  fileprivate convenience init(_ object: DetectedObject, in input: VisionInput) {
    let name = object.category?.className ?? ""
    self.init(
      categories: [
        ResultCategory(
          index: -1, score: object.score, categoryName: name.isEmpty ? nil : name,
          displayName: object.category?.displayName)
      ],
      boundingBox: CGRect(wholePixels: object.extent, in: input.pixels), keypoints: nil)
  }
}

extension CGRect {
  /// A rectangle in whole pixels, as detections have it: cut off after the point, and no number
  /// below 0 or above the image's size.
  ///
  /// Source: `detection_transformation_calculator.cc`.
  init(wholePixels rect: ImageRect, in image: PixelBuffer) {
    func limited(_ value: Double, _ size: Int) -> Double {
      min(max(value.rounded(.towardZero), 0), Double(size))
    }
    self.init(
      x: limited(rect.x, image.width), y: limited(rect.y, image.height),
      width: limited(rect.width, image.width), height: limited(rect.height, image.height))
  }
}
