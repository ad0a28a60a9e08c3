// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet
import VisionTasks

/// The model of a labeler, or of the classifier of a detector, before it is loaded.
enum LabelingModel: Sendable {
  case local(LocalModel)
  case remote(RemoteModel)

  /// The model itself, and the labels that a manifest names.
  func load(_ generation: Generation) throws(NSError) -> (model: Model, labels: LabelMap?) {
    switch self {
    case .local(let local):
      guard let manifestPath = local.manifestPath else {
        return (try model(at: local.path, generation), nil)
      }
      let manifest: AutoMLManifest
      let labels: LabelMap
      do throws(VisionError) {
        manifest = try AutoMLManifest(path: manifestPath)
        labels = try manifest.labels()
      } catch {
        throw generation.error(error)
      }
      return (try model(at: manifest.modelPath, generation), labels)
    case .remote(let remote):
      let path = try ModelManager.modelManager().latestModelFilePath(remote)
      return (try model(at: path, generation), nil)
    }
  }

  private func model(at path: String, _ generation: Generation) throws(NSError) -> Model {
    do throws(InferenceError) {
      return
        try Model(path: path, limits: MLKitSettings.limits)
    } catch {
      throw generation.error(error)
    }
  }

  /// A classifier that runs the model.
  ///
  /// - Parameters:
  ///   - generation: whose errors are thrown.
  ///   - threshold: the least confidence; nil for that of the model's metadata.
  ///   - maxResults: the most labels; nil for all.
  /// - Returns: the classifier.
  /// - Throws: `NSError` where the model cannot be loaded or is no classifier.
  func classifier(
    _ generation: Generation, threshold: Float?, maxResults: Int?
  ) throws(NSError) -> ImageClassifier {
    let (model, labels) = try load(generation)
    var options = ImageClassifier.Options()
    options.scoreThreshold = threshold
    options.maxResults = maxResults
    options.labels = labels
    do throws(VisionError) { return try ImageClassifier(model, options: options) } catch {
      throw generation.error(error)
    }
  }
}

extension ImageClassifier {
  /// The labels of an image, best first, by the model's first output.
  func labels(
    of image: VisionImage.Snapshot, _ generation: Generation
  ) throws(NSError) -> [Classification] {
    do throws(VisionError) {
      return try classify(image.pixels, orientation: image.orientation).first?.classifications ?? []
    } catch {
      throw generation.error(error)
    }
  }
}

extension NSNumber {
  /// A confidence from 0 to 1; nil for other numbers, which count as not set.
  var confidence: Float? { (0...1).contains(floatValue) ? floatValue : nil }
}
