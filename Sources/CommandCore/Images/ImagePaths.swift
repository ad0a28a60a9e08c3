// SPDX-License-Identifier: Apache-2.0

import BundledModels
import FileAccess
package import ImageInputs
package import ModelTasks

/// The model and the images that the arguments of a command mean: `[MODEL] [IMAGE...]`.
package struct ImagePaths {
  package let images: [String]
  package let isModelBundled: Bool
  package let areImagesBundled: Bool
  /// The model's path, with the manifest that names it, if one does.
  package let source: ModelPath

  /// The paths that `words` give: perhaps a model or manifest, and images, in any order.
  ///
  /// - Parameters:
  ///   - words: the words of the command line.
  ///   - bundled: the model, and the images, that stand in for those that are not given.
  ///   - command: the words that call the command, for errors.
  /// - Throws: `CommandError` where there are two models, a manifest cannot be used or a bundled
  ///   file is not there.
  package init(
    _ words: [String], bundled: (model: String, images: [String]), command: String
  ) throws(CommandError) {
    let models = words.filter(ModelPath.isOne)
    guard models.count <= 1 else {
      throw .usage(
        "two models, \(models[0]) and \(models[1])", command: command,
        hint: "one model and images; 'martlet compare' compares two models")
    }
    let images = words.filter { !ModelPath.isOne($0) }
    isModelBundled = models.isEmpty
    source =
      if let model = models.first {
        try ModelPath(model)
      } else {
        ModelPath(model: try Self.path(of: bundled.model), manifest: nil)
      }
    areImagesBundled = images.isEmpty
    var samples: [String] = []
    if areImagesBundled {
      for name in bundled.images { samples.append(try Self.path(of: name)) }
    }
    self.images = areImagesBundled ? samples : images
    bundledImages = bundled.images
  }

  private let bundledImages: [String]

  /// Whether the bundled images belong to the model: it is bundled, or has them beside it.
  package var haveImagesBesideModel: Bool {
    guard !isModelBundled, let sample = bundledImages.first else { return true }
    let inside = sample.split(separator: "/").dropFirst().joined(separator: "/")
    return Folder.kind(of: "\(Folder.parent(of: model) ?? ".")/\(inside)") != nil
  }

  /// Refuses a model without images, unless the bundled ones belong to it, and folders.
  package func checkImages(command: String) throws(CommandError) {
    if let folder = images.first(where: { Folder.kind(of: $0) == .folder }) {
      throw .usage(
        "\(folder) is a folder", command: command,
        hint: "'\(folder)/*.png' names images in it; 'martlet eval' measures folders of classes")
    }
    guard areImagesBundled, !haveImagesBesideModel else { return }
    throw .usage(
      "no image beside the model \(model)", command: command,
      hint: "'\(command) MODEL IMAGE…' names what it looks at")
  }

  /// Whether the bundled model looks at images that are not those bundled with it: the model may
  /// have been forgotten.
  package var isModelAssumed: Bool {
    isModelBundled && !areImagesBundled
      && !images.allSatisfy { image in bundledImages.contains { "/\(image)".hasSuffix("/\($0)") } }
  }

  /// Says where the bundled model looks at images that are not its own.
  ///
  /// - Parameters:
  ///   - words: what the model makes of images.
  ///   - command: the words that call the command.
  ///   - console: where it is said.
  package func noteAssumedModel(_ words: String, command: String, _ console: any Console) {
    guard isModelAssumed else { return }
    console.note(
      "warning: no model is given, and the bundled one \(words)".narrow
        + "\nhint: '\(command) MODEL IMAGE…' uses another\n")
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

  /// Whether a word names a model or manifest rather than an image: by its ending, or by how the
  /// file begins.
  package static func isOne(_ word: String) -> Bool {
    if [".tflite", ".lite", ".json", ".task"].contains(where: { word.lowercased().hasSuffix($0) }) {
      return true
    }
    guard Folder.kind(of: word) == .file, let start = InputFile.beginning(of: word, count: 8) else {
      return false
    }
    return start.count == 8 && start[4...].elementsEqual("TFL3".utf8)
  }

  /// The labels that the manifest names, if there is one.
  package func labels() throws(CommandError) -> LabelMap? {
    guard let manifest else { return nil }
    do throws(VisionError) { return try manifest.labels() } catch {
      throw CommandError(error, file: manifest.labelsPath)
    }
  }
}
