// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import VisionTasks

/// The arguments of a command that asks a model about images.
struct ImageQuestion {
  let arguments: ParsedArguments
  let console: any Console
  let computation: ComputationOptions
  /// The path of the model.
  let model: String
  /// The paths of the images.
  let images: [String]
  let preprocessing: Preprocessing

  /// The arguments `MODEL IMAGE…`.
  static let arguments = [
    ArgumentDescription(
      "model", "A .tflite file, or a .task file of several.",
      completion: .files(["tflite", "task"])),
    ArgumentDescription(
      "image", "A PNG, JPEG, BMP, PPM, PGM or PBM file.", isRepeated: true,
      completion: .files(ImageFiles.extensions)),
  ]

  /// The option of images that are drawn into, and of those that are made.
  static let (annotation, output) = ("annotate", "output")

  /// `--annotate`, with what is drawn.
  static func annotate(_ what: String) -> OptionDescription {
    .value(
      annotation, "png|folder", "Draw \(what) into a copy; of several images, into a folder.",
      completion: .files(["png"]))
  }

  init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    self.arguments = arguments
    self.console = console
    computation = try ComputationOptions(arguments)
    preprocessing = try ImageOptions(arguments).preprocessing
    model = arguments.argument("model") ?? ""
    images = arguments.allArguments("image")
  }

  /// Asks about each image, which `ask` gets as stored, and prints the answers.
  ///
  /// - Parameters:
  ///   - name: the name of the document.
  ///   - option: what names the file or folder of the answers' images.
  ///   - columns: the columns of the table.
  ///   - ask: what is said of an image in this orientation.
  /// - Returns: success, or failure where one of several images fails.
  /// - Throws: `CommandError` where the only image fails, and for options that mean nothing.
  func run(
    _ name: String, writing option: String = annotation, columns: [String],
    _ ask: (PixelBuffer, ImageOrientation) throws(VisionError) -> TaskAnswer
  ) throws(CommandError) -> ExitCode {
    var task = TaskRun(
      name: name, subject: .image, model: model, columns: columns, computation: computation,
      form: try OutputForm(arguments), console: console)
    task.annotation = try arguments.value(option).map { path throws(CommandError) in
      try AnnotationOutput(path, imageCount: images.count, arguments)
    }
    return try task.run(images) { path throws(CommandError) in
      let decoded = try console.image(at: path)
      do throws(VisionError) {
        return try ask(PixelBuffer(decoded), decoded.orientation ?? .up)
      } catch {
        throw failure(error, image: path)
      }
    }
  }

  /// The task that `make` makes of a model, with the command's errors.
  func made<Made>(_ make: () throws(VisionError) -> Made) throws(CommandError) -> Made {
    do throws(VisionError) { return try make() } catch { throw failure(error, image: nil) }
  }

  /// An error about the model, or about an image.
  func failure(_ error: VisionError, image: String?) -> CommandError {
    switch error {
    case .image, .invalidOption: CommandError(error, file: image ?? model)
    case .inference, .incompatibleModel, .labels, .manifest: CommandError(error, file: model)
    }
  }

  /// The image that `--annotate` writes: only where it is asked for.
  func picture(_ draw: () throws(VisionError) -> PixelBuffer) throws(VisionError) -> PixelBuffer? {
    arguments.value(Self.annotation) == nil ? nil : try draw()
  }
}
