// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import FileAccess
import JSONDocuments

/// What the JSON file beside a model of microWakeWord says of it.
///
/// Source: the manifests of github.com/esphome/micro-wake-word-models, versions 1 and 2.
struct WakeWordManifest {
  private let members: JSON
  /// Models of manifests of version 1 take rows every 20 ms.
  private let usualStep: Int?

  /// The manifest in the file that has the model's name, but ends in `.json`; nil where there is
  /// none, or it is about something else.
  ///
  /// - Throws: `CommandError` for a file that is no JSON.
  init?(besideModel model: String, _ console: any Console) throws(CommandError) {
    guard model.hasSuffix(Self.modelSuffix) else { return nil }
    let path = model.dropLast(Self.modelSuffix.count) + ".json"
    guard Folder.kind(of: String(path)) == .file else { return nil }
    let bytes = try console.read(String(path))
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
      throw .data("\(error)", location: String(path))
    }
    guard let members = document["micro"] else { return nil }
    self.members = members
    usualStep = document["version"]?.integer == 1 ? 20 : nil
  }

  private static let modelSuffix = ".tflite"

  /// Puts what is said into the options.
  func apply(to options: inout MicroWakeWordDetector.Options) {
    if let cutoff = members["probability_cutoff"]?.number { options.threshold = Float(cutoff) }
    let size = members["sliding_window_size"] ?? members["sliding_window_average_size"]
    if let size = size?.integer { options.windowSize = size }
    if let step = members["feature_step_size"]?.integer ?? usualStep { options.featureStep = step }
  }
}
