// SPDX-License-Identifier: Apache-2.0

package import Imaging
package import Martlet
import ModelTasks
package import VisionTasks

/// The arguments that a task is made of.
package struct TaskSetup {
  /// Who asks.
  package enum Use {
    /// A command about files, texts or frames of its command line.
    case command
    /// A worker, about records.
    case records
  }

  package let arguments: ParsedArguments
  package let console: any Console
  package let computation: ComputationOptions
  /// The path of the model.
  package let model: String
  package let use: Use
  /// The model, where it is loaded already.
  package var loaded: Model?

  /// Arguments whose model is the one at `model`.
  package init(
    _ arguments: ParsedArguments, _ console: any Console, model: String, use: Use = .command
  ) throws(CommandError) {
    self.arguments = arguments
    self.console = console
    self.model = model
    self.use = use
    computation = try ComputationOptions(arguments)
  }

  /// The model at the path, or the only one of a bundle there.
  package func mainModel() throws(CommandError) -> Model {
    if let loaded { return loaded }
    guard isBundle else { return try console.model(at: model) }
    do throws(TaskError) {
      let bundle = try TaskBundle(path: model, limits: console.limits)
      let names = bundle.names.filter { $0.isEmpty || $0.hasSuffix(".tflite") }
      if names.count == 1 { return try bundle.model(names[0]) }
    } catch {
      throw CommandError(error, model: model)
    }
    throw .data(
      "a bundle of models, which this command does not take", location: model,
      hint: "'martlet inspect \(model)' says which do")
  }

  /// Whether the path is that of a bundle of models.
  var isBundle: Bool { model.lowercased().hasSuffix(".task") }

  /// What stands above the answers, for a reader.
  var heading: [String] { ["model \(model)", computation.summary] }

  /// Whether subjects are the frames of a video that is read frame by frame.
  var areFrames: Bool { arguments.value(FrameFormat.option) != nil }

  /// Whether answers shall have images with what was found drawn into them.
  package var wantsImages: Bool { arguments.value(AnnotationOutput.option) != nil }

  /// The task about images that `ask` answers, with the command's errors.
  ///
  /// - Parameters:
  ///   - name: the name of its documents.
  ///   - columns: the columns of its table.
  ///   - failure: what an error means, by default one about the model or the image.
  ///   - ask: what is said of an image in this orientation.
  /// - Returns: the task.
  package func imageTask(
    _ name: String, columns: [String], failure: ((VisionError, String) -> CommandError)? = nil,
    _ ask: @escaping (PixelBuffer, ImageOrientation) throws(VisionError) -> TaskAnswer
  ) -> AskedTask {
    let model = model
    return AskedTask(
      name, model: model, columns: columns, limits: console.limits,
      .image({ (image, orientation, location) throws(CommandError) in
        do throws(VisionError) { return try ask(image, orientation) } catch {
          throw failure?(error, location)
            ?? CommandError(error, askedOf: model, about: location)
        }
      }))
  }

  /// What an error of a labeler or detector means: a command tells the image.
  package var imageFailure: (VisionError, String) -> CommandError {
    let (model, use) = (model, use)
    return { error, location in
      if use == .records, case .inference = error { return CommandError(error, file: model) }
      return CommandError(error, file: location)
    }
  }

  /// The task that `make` makes of a model, with the command's errors.
  func made<Made>(_ make: () throws(VisionError) -> Made) throws(CommandError) -> Made {
    do throws(VisionError) { return try make() } catch {
      throw CommandError(error, askedOf: model, about: nil)
    }
  }
}

extension CommandError {
  /// An error about the model, or about an image.
  package init(_ error: VisionError, askedOf model: String, about image: String?) {
    switch error {
    case .image, .invalidOption: self.init(error, file: image ?? model)
    case .inference, .incompatibleModel, .labels, .manifest: self.init(error, file: model)
    }
  }
}

extension LabelOptions {
  /// Refuses names that no class has, and tells a person where classes have none.
  package func check(_ labels: [LabelMap?], _ setup: TaskSetup) throws(CommandError) {
    try checkNames(labels, command: setup.arguments.command)
    if setup.use == .command, labels.allSatisfy({ $0 == nil }) {
      setup.console.note(LabelOptions.missingLabels)
    }
  }
}
