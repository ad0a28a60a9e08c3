// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Imaging
import Landmarks
public import MediaPipeTasksCommon
import VisionTasks

/// Says which pixels of an image belong to what a user points at.
///
/// Masks have the size and the orientation of the image as stored. Any thread may use it; images are
/// segmented one after another.
public final class InteractiveSegmenterLegacy: NSObject, OptionsTask, @unchecked Sendable {
  private let engine: TaskEngine<VisionTasks.InteractiveSegmenter>
  private let masks: SegmenterMasks
  /// The names of the categories by their numbers; empty where the model has none.
  public let labels: [String]

  /// A segmenter.
  ///
  /// - Throws: `NSError` where no mask is asked for, there is no such model, or its input has not
  ///   four channels.
  public init(options: InteractiveSegmenterLegacyOptions) throws {
    let masks = try SegmenterMasks(
      confidences: options.shouldOutputConfidenceMasks,
      categories: options.shouldOutputCategoryMask,
      refusal:
        "At least one of `output_confidence_masks` and `output_category_mask` must be set.")
    self.masks = masks
    let model = try options.baseOptions.model()
    let segmenter = try TasksErrorCode.looking { () throws(VisionError) in
      try VisionTasks.InteractiveSegmenter(
        model, options: masks.settings(locale: options.displayNamesLocale))
    }
    labels = segmenter.labels?.classNames ?? []
    engine = TaskEngine(segmenter)
  }

  /// The pixels of what a user points at in an image.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - regionOfInterest: where the user points, in shares of the image's width and height.
  /// - Returns: the masks.
  /// - Throws: `NSError` for mirrored images, for points beside the image, and where the model fails
  ///   on the image.
  public func segment(
    image: MPImage, regionOfInterest: RegionOfInterest
  ) throws -> InteractiveSegmenterLegacyResult {
    try result(image, regionOfInterest)
  }

  /// Hands the pixels of what a user points at in an image to `completion`, before this returns.
  public func segment(
    image: MPImage, regionOfInterest: RegionOfInterest,
    completion: (InteractiveSegmenterLegacyResult?, (any Error)?) -> Void
  ) {
    ImageSegmenterResult.complete(completion) { () throws(NSError) in
      try result(image, regionOfInterest)
    }
  }

  private func result(
    _ image: MPImage, _ region: RegionOfInterest
  ) throws(NSError) -> InteractiveSegmenterLegacyResult {
    let input = try VisionInput(image, region: .zero)
    let points = (region.scribbles ?? [region.keypoint].compactMap(\.self)).map { point in
      Landmarks.Landmark(
        x: Float(point.location.x) * Float(input.pixels.width),
        y: Float(point.location.y) * Float(input.pixels.height))
    }
    return try engine.run { (segmenter, time) throws(NSError) in
      let found = try TasksErrorCode.looking { () throws(VisionError) in
        try segmenter.segment(input.pixels, at: points, orientation: input.orientation)
      }
      return masks.result(found, timestampInMilliseconds: time)
    }
  }
}
