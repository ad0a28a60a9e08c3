// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import Martlet
import VisionTasks

/// A detector and, for streams, a tracker, set up as a detector's options say.
final class ObjectFinder {
  /// What options said when the detector was made.
  struct Settings {
    let isStream: Bool
    let findsSeveral: Bool
    let localizer: LabelingModel?
    let configure: (@Sendable (inout VisionTasks.ObjectDetector.Options) -> Void)?
    let classifier: LabelingModel?
    let threshold: Float?
    let labelCount: Int

    init(_ options: CommonObjectDetectorOptions) {
      isStream = options.detectorMode == .stream
      findsSeveral = options.shouldEnableMultipleObjects
      localizer = options.localizerModel.map { .local($0) }
      configure = options.configureDetector
      let custom = options as? CustomObjectDetectorOptions
      classifier = options.shouldEnableClassification ? custom?.model : nil
      threshold = custom?.classificationConfidenceThreshold?.confidence
      let count = custom?.maxPerObjectLabelCount ?? 10
      labelCount = count > 0 ? count : 10
    }
  }

  private let detector: VisionTasks.ObjectDetector
  private var tracker: ObjectTracker?

  /// The most objects that ML Kit reports.
  private static let largestCount = 5

  init(_ settings: Settings) throws(NSError) {
    var options = VisionTasks.ObjectDetector.Options()
    options.maxObjects = Self.largestCount
    options.detectsMultipleObjects = settings.findsSeveral
    if settings.isStream {
      // The tracker chooses, so that it stays with what it has chosen; doubtful findings help it to
      // follow objects that are half hidden.
      options.detectsMultipleObjects = true
      options.maxObjects = 4 * Self.largestCount
      options.scoreThreshold = 0.2
    }
    if let classifier = settings.classifier {
      let (model, labels) = try classifier.load(.mlKit)
      options.classifier = model
      options.classification.labels = labels
      options.classification.scoreThreshold = settings.threshold
      options.classification.maxResults = settings.labelCount
    }
    settings.configure?(&options)
    let model: Model
    if let localizer = settings.localizer {
      model = try localizer.load(.mlKit).model
    } else {
      model = try LabelingModel.local(Self.bundledLocalizer()).load(.mlKit).model
    }
    do throws(VisionError) {
      detector = try VisionTasks.ObjectDetector(model, options: options)
    } catch {
      throw Generation.mlKit.error(error)
    }
    if settings.isStream {
      var tracking = ObjectTracker.Options()
      tracking.focus = settings.findsSeveral ? .all : .prominent
      tracking.maxObjects = Self.largestCount
      tracker = ObjectTracker(options: tracking)
    }
  }

  private static func bundledLocalizer() throws(NSError) -> LocalModel {
    do throws(BundledFileError) {
      return LocalModel(path: try BundledModels.path(of: BundledModels.localizer))
    } catch {
      throw Generation.mlKit.error(.notFound, "Object localizer model is missing. (\(error))")
    }
  }

  /// The things in an image; in a stream, with their numbers.
  func objects(in image: VisionImage.Snapshot) throws(NSError) -> [Object] {
    do throws(VisionError) {
      var found = try detector.located(image.pixels, orientation: image.orientation)
      if let tracked = tracker?.update(objects: found, image: image.pixels) { found = tracked }
      return try detector.classified(found, in: image.pixels, orientation: image.orientation)
        .map(Object.init)
    } catch {
      throw Generation.mlKit.error(error)
    }
  }
}
