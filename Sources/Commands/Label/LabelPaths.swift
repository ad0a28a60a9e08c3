// SPDX-License-Identifier: Apache-2.0

import BundledModels
import VisionTasks

/// The model and the pictures that the arguments of `martlet label` mean.
struct LabelPaths {
  let model: String
  let images: [String]
  let isModelBundled: Bool
  let areImagesBundled: Bool
  /// The AutoML manifest that names the model, if one does.
  let manifest: AutoMLManifest?

  /// The paths that `arguments` give: perhaps a model or manifest, then pictures.
  init(_ arguments: [String]) throws(CommandError) {
    var images = arguments[...]
    let first = arguments.first?.lowercased() ?? ""
    if first.hasSuffix(".json"), let path = images.popFirst() {
      do throws(VisionError) {
        let manifest = try AutoMLManifest(path: path)
        self.manifest = manifest
        model = manifest.modelPath
      } catch {
        throw CommandError(error, file: path)
      }
      isModelBundled = false
    } else {
      manifest = nil
      isModelBundled = !(first.hasSuffix(".tflite") || first.hasSuffix(".lite"))
      model =
        isModelBundled
        ? try Self.bundled(BundledModels.digits) : images.popFirst() ?? ""
    }
    areImagesBundled = images.isEmpty
    self.images = areImagesBundled ? try Self.samples() : Array(images)
  }

  private static func samples() throws(CommandError) -> [String] {
    var paths: [String] = []
    for name in BundledModels.digitSamples { paths.append(try bundled(name)) }
    return paths
  }

  private static func bundled(_ name: String) throws(CommandError) -> String {
    do throws(BundledFileError) { return try BundledModels.path(of: name) } catch {
      throw .missing(
        "\(error)", place: name, hint: "MARTLET_MODELS may name the folder that holds them")
    }
  }
}

extension CommandError {
  /// A vision error as a command's; `file` is what it is about.
  init(_ error: VisionError, file: String) {
    switch error {
    case .inference(let error): self = .inference(error, model: file)
    case .incompatibleModel(let reason), .labels(let reason), .invalidOption(let reason):
      self = .data(reason, place: file)
    case .manifest(let path, let reason): self = .data(reason, place: path)
    case .image(let error): self = .data("\(error)", place: file)
    }
  }
}
