// SPDX-License-Identifier: Apache-2.0

import BundledModels
package import VisionTasks

/// The model and the images that the arguments of a command mean: `[MODEL] [IMAGE...]`.
package struct ImagePaths {
  package let images: [String]
  package let isModelBundled: Bool
  package let areImagesBundled: Bool
  private let source: ModelPath

  /// The paths that `arguments` give: perhaps a model or manifest, then images.
  ///
  /// - Parameters:
  ///   - arguments: the words of the command line.
  ///   - bundled: the model, and the images, that stand in for those that are not given.
  /// - Throws: `CommandError` where a manifest cannot be used or a bundled file is not there.
  package init(
    _ arguments: [String], bundled: (model: String, images: [String])
  ) throws(CommandError) {
    var images = arguments[...]
    var source = ModelPath(model: "", manifest: nil)
    isModelBundled = !(arguments.first.map(ModelPath.isOne) ?? false)
    if isModelBundled {
      source.model = try Self.path(of: bundled.model)
    } else if let first = images.popFirst() {
      source = try ModelPath(first)
    }
    self.source = source
    areImagesBundled = images.isEmpty
    if areImagesBundled {
      var samples: [String] = []
      for name in bundled.images { samples.append(try Self.path(of: name)) }
      self.images = samples
    } else {
      self.images = Array(images)
    }
  }

  private static func path(of name: String) throws(CommandError) -> String {
    do throws(BundledFileError) { return try BundledModels.path(of: name) } catch {
      throw .missing(
        "\(error)", location: name, hint: "MARTLET_MODELS may name the folder that holds them")
    }
  }

  /// The path of the model.
  package var model: String { source.model }

  /// The labels that the manifest names, if a manifest names the model.
  package func labels() throws(CommandError) -> LabelMap? { try source.labels() }

  /// The model, for a reader.
  package var summary: String { "model \(model)\(isModelBundled ? " (bundled)" : "")" }
}

/// A model's path, given as such or by an AutoML manifest.
package struct ModelPath {
  package var model: String
  /// The manifest that names the model, if one does.
  package var manifest: AutoMLManifest?

  package init(model: String, manifest: AutoMLManifest?) {
    self.model = model
    self.manifest = manifest
  }

  /// The model at `path`, or the one that the manifest there names.
  package init(_ path: String) throws(CommandError) {
    guard path.lowercased().hasSuffix(".json") else {
      self.init(model: path, manifest: nil)
      return
    }
    do throws(VisionError) {
      let manifest = try AutoMLManifest(path: path)
      self.init(model: manifest.modelPath, manifest: manifest)
    } catch {
      throw CommandError(error, file: path)
    }
  }

  /// Whether a word names a model or manifest rather than an image.
  static func isOne(_ word: String) -> Bool {
    [".tflite", ".lite", ".json"].contains { word.lowercased().hasSuffix($0) }
  }

  /// The labels that the manifest names, if there is one.
  package func labels() throws(CommandError) -> LabelMap? {
    guard let manifest else { return nil }
    do throws(VisionError) { return try manifest.labels() } catch {
      throw CommandError(error, file: manifest.labelsPath)
    }
  }
}

extension CommandError {
  /// A vision error as a command's; `file` is what it is about.
  package init(_ error: VisionError, file: String) {
    switch error {
    case .inference(let error): self = .inference(error, model: file)
    case .incompatibleModel(let reason), .labels(let reason), .invalidOption(let reason):
      self = .data(reason, location: file)
    case .manifest(let path, let reason): self = .data(reason, location: path)
    case .image(let error): self = .data("\(error)", location: file)
    }
  }
}
