// SPDX-License-Identifier: Apache-2.0

public import Foundation
import VisionTasks

/// A model in a file.
public class LocalModel: NSObject, @unchecked Sendable {
  /// The path of the model's file.
  public let path: String
  /// The path of the AutoML manifest that names the model; nil without one.
  public let manifestPath: String?

  /// The model in a file, which is looked at when it is first used.
  public init(path: String) {
    self.path = path
    manifestPath = nil
  }

  /// The model that an AutoML manifest names; nil where the manifest is missing or invalid.
  public init?(manifestPath: String) {
    guard let manifest = try? AutoMLManifest(path: manifestPath) else { return nil }
    path = manifest.modelPath
    self.manifestPath = manifestPath
  }

  /// The model that a manifest names, or would name.
  fileprivate init(uncheckedManifest manifestPath: String) {
    path = (try? AutoMLManifest(path: manifestPath))?.modelPath ?? manifestPath
    self.manifestPath = manifestPath
  }
}

/// A custom model in a file: Firebase ML Kit's form.
public final class CustomLocalModel: LocalModel, @unchecked Sendable {
  /// The model in a file, which is looked at when it is first used.
  public init(modelPath: String) { super.init(path: modelPath) }
}

/// A model that AutoML Vision Edge trained: Firebase ML Kit's form.
public final class AutoMLLocalModel: LocalModel, @unchecked Sendable {
  /// The model that a manifest names; the manifest is looked at when the model is first used.
  public override init(manifestPath: String) { super.init(uncheckedManifest: manifestPath) }
}

/// A model that AutoML Vision Edge trained: ML Kit's former name.
@available(*, deprecated, message: "use LocalModel(manifestPath:)")
public final class AutoMLImageLabelerLocalModel: LocalModel, @unchecked Sendable {
  /// The model that a manifest names; the manifest is looked at when the model is first used.
  public override init(manifestPath: String) { super.init(uncheckedManifest: manifestPath) }
}
