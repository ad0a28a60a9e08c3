// SPDX-License-Identifier: Apache-2.0

package import Martlet
package import ImageInputs

extension CommandError {
  /// The way out for a model that does not fit a command.
  package static let fittingTasks = "'martlet inspect MODEL' says which tasks a model fits"

  /// A vision error as a command's; `file` is what it is about.
  package init(_ error: VisionError, file: String) {
    switch error {
    case .inference(let error): self = .inference(error, model: file)
    case .incompatibleModel(VisionError.missingNormalization):
      self = .data(
        VisionError.missingNormalization, location: file, hint: ModelShape.normalizationHint)
    case .incompatibleModel(let reason):
      self = .data(reason, location: file, hint: Self.fittingTasks)
    case .labels(let reason), .invalidOption(let reason): self = .data(reason, location: file)
    case .manifest(let path, let reason): self = .data(reason, location: path)
    case .image(let error): self = .data("\(error)", location: file)
    }
  }

  /// Why a model does not fit a task, with what fits it instead, if anything does.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - model: the model.
  ///   - path: the model's file.
  ///   - labels: the file of labels that the command line names, if it does.
  ///   - task: what the command asked of the model.
  ///   - images: how the command line makes images the model's input.
  package init(
    _ error: VisionError, model: Model, path: String, labels: String? = nil, task: ImageTask,
    images: Preprocessing
  ) {
    switch error {
    case .incompatibleModel(let reason):
      let hint = ModelShape(of: model)?.hint(for: task, images: images)
      self = .data(reason, location: path, hint: hint)
    case .labels(let reason):
      self = .data(reason, location: labels ?? path)
    case .inference, .manifest, .image, .invalidOption:
      self.init(error, file: path)
    }
  }
}
