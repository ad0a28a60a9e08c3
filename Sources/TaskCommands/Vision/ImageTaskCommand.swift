// SPDX-License-Identifier: Apache-2.0

import ImageCodecs

/// A command that asks a model about images, or about the frames of a stream.
struct ImageTaskCommand {
  let setup: TaskSetup
  /// The paths of the images.
  let images: [String]
  private let task: TaskDescription
  /// The option that names where images go.
  private let option: String

  /// The arguments `MODEL IMAGE…`.
  static let arguments = [
    ArgumentDescription(
      "model", "A .tflite file, or a .task file of several.",
      completion: .files(["tflite", "task"])),
    ArgumentDescription(
      "image", "A PNG, JPEG, BMP, PPM, PGM or PBM file.", isRepeated: true,
      completion: .files(ImageFiles.extensions)),
  ]

  /// `--annotate`, with what is drawn.
  static func annotate(_ what: String) -> OptionDescription {
    .value(
      AnnotationOutput.option, "png|folder",
      "Draw \(what) into a copy; of several images, into a folder.", completion: .files(["png"]))
  }

  init(
    _ task: TaskDescription, writing option: String = AnnotationOutput.option,
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) {
    self.task = task
    self.option = option
    setup = try TaskSetup(arguments, console, model: arguments.argument("model") ?? "")
    images = arguments.allArguments("image")
  }

  /// Asks about each image, and prints the answers.
  ///
  /// - Parameter ask: what answers in the task's stead.
  /// - Returns: success, or failure where one of several images fails.
  /// - Throws: `CommandError` where the only image fails, and for options that mean nothing.
  func run(
    _ ask: ((AskedTask, TaskSubject, String) throws(CommandError) -> TaskAnswer)? = nil
  ) throws(CommandError) -> ExitCode {
    let (arguments, console) = (setup.arguments, setup.console)
    let frames = try FrameInput(arguments, console, images: images)
    let task = try self.task.prepare(setup).make()
    var run = try TaskRun(task, setup)
    if let ask {
      run.ask = { subject, location throws(CommandError) in try ask(task, subject, location) }
    }
    return try run.run(images, frames, writing: option, arguments)
  }
}
