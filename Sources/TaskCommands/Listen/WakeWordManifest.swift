// SPDX-License-Identifier: Apache-2.0

package import AudioTasks
import FileAccess
import JSONDocuments

/// The JSON file beside a model of microWakeWord: it has the model's name, but ends in `.json`.
///
/// Source: the manifests of github.com/esphome/micro-wake-word-models, versions 1 and 2.
package struct WakeWordManifest {
  private let path: String
  private let members: JSON
  /// Models of manifests of version 1 take rows every 20 ms.
  private let usualStep: Int?

  /// What the manifest beside a model says; the usual options where there is none, or the file is
  /// about something else.
  ///
  /// - Parameters:
  ///   - model: the path of the model.
  ///   - console: reads the manifest.
  /// - Returns: when a word counts as heard.
  /// - Throws: `CommandError` for a file that is no JSON, or whose values are no numbers.
  package static func options(
    besideModel model: String, _ console: any Console
  ) throws(CommandError) -> MicroWakeWordDetector.Options {
    var options = MicroWakeWordDetector.Options()
    try WakeWordManifest(besideModel: model, console)?.apply(to: &options)
    return options
  }

  private init?(besideModel model: String, _ console: any Console) throws(CommandError) {
    guard model.hasSuffix(Self.modelSuffix) else { return nil }
    path = model.dropLast(Self.modelSuffix.count) + ".json"
    guard Folder.kind(of: path) == .file else { return nil }
    let bytes = try console.read(path)
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
      throw .data("\(error)", location: path)
    }
    guard let members = document["micro"] else { return nil }
    self.members = members
    usualStep = document["version"]?.integer == 1 ? 20 : nil
  }

  private static let modelSuffix = ".tflite"

  private func apply(to options: inout MicroWakeWordDetector.Options) throws(CommandError) {
    if let cutoff = try value("probability_cutoff", \.number) { options.threshold = Float(cutoff) }
    var size = try value("sliding_window_size", \.integer)
    if size == nil { size = try value("sliding_window_average_size", \.integer) }
    if let size { options.windowSize = size }
    if let step = try value("feature_step_size", \.integer) ?? usualStep {
      options.featureStep = step
    }
  }

  private func value<Value>(
    _ key: String, _ number: (JSON) -> Value?
  ) throws(CommandError) -> Value? {
    guard let member = members[key] else { return nil }
    guard let value = number(member) else {
      throw .data("the manifest's '\(key)' is not the number that it should be", location: path)
    }
    return value
  }
}
