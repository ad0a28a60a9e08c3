// SPDX-License-Identifier: Apache-2.0

@_exported public import CommandCore
import Formatting
import JSONDocuments
import Martlet
import ModelFormat
import Tensors
import VisionTasks

/// `martlet run`: one inference, or a list of them.
package struct RunCommand {
  let computation: ComputationOptions
  let inputs: RunInputs
  let signature: String?
  let outputFolder: String?
  /// Where an output goes as an image.
  let imageFile: String?
  let labels: LabelMap?
  let keepsAllTensors: Bool
  let printsJSON: Bool
  let command: String
  let console: any Console

  package static let description = CommandDescription(
    "run", "Run a model and show or store its outputs.",
    discussion: """
      Inputs come from npy, npz, raw or bin files or from images (png, jpg, bmp, ppm, pgm, \
      pbm), by name or in the model's order. An array whose shape differs from the model's \
      resizes the input. Outputs are printed, or stored as out_0.npy, out_1.npy and so on.

      With --batch, a file lists one run per line, with tabs between the columns: model, input \
      files with commas between them, output folder and, if wanted, a signature.
      """,
    arguments: [
      ArgumentDescription(
        "model", "The model; - reads it from standard input.", isOptional: true,
        completion: .files(["tflite"]))
    ],
    options: [
      .outputFolder("Store the outputs here, as npy files.")
    ] + RunInputs.descriptions + ComputationOptions.descriptions + [
      .value(
        "image", "png", "Write the first output that is an image as one.",
        completion: .files(["png"])),
      .value(
        "labels", "file", "Names of classes, one per line, instead of the model's own.",
        completion: .files(["txt"])),
      .flag("keep-all", "Store every tensor of the run too, as tensor_<index>.npy."),
      .value(
        "batch", "list", "Run what this file lists; - reads standard input.",
        completion: .files([])),
      .json,
    ]
  ) { arguments, console throws(CommandError) in
    let run = try RunCommand(arguments, console)
    guard let list = arguments.value("batch") else {
      return try run.once(model: try arguments.required("model"))
    }
    if let model = arguments.argument("model") {
      throw arguments.usage("'\(model)' beside --batch, whose lines name the models")
    }
    return try BatchRun(run, list: list).run()
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    computation = try ComputationOptions(arguments)
    signature = arguments.value("signature")
    outputFolder = arguments.value("output-dir")
    imageFile = arguments.value("image")
    labels = try LabelOptions(arguments, console).labels
    keepsAllTensors = arguments.flag("keep-all")
    printsJSON = arguments.flag("json")
    command = arguments.command
    self.console = console
    inputs = try RunInputs(arguments, madeUp: nil)
    let isBatch = arguments.value("batch") != nil
    if let imageFile {
      try arguments.checkPNG(imageFile, option: "image")
      guard imageFile != "-" || printsJSON == false else {
        throw arguments.usage("--json beside --image -, which both print on standard output")
      }
      guard !isBatch else { throw arguments.usage("--image beside --batch, which runs several") }
    }
    if keepsAllTensors, outputFolder == nil, !isBatch {
      throw arguments.usage("--keep-all without --output-dir")
    }
    if isBatch, outputFolder != nil {
      throw arguments.usage("--output-dir beside --batch, whose lines name the folders")
    }
  }

  private func once(model path: String) throws(CommandError) -> ExitCode {
    let model = try console.model(at: path)
    let interpreter = try interpreter(model, path, signature: signature)
    try inputs.apply(to: interpreter, model: path, command: command, console: console)
    let clock = ContinuousClock()
    let start = clock.now
    try naming(path) { () throws(InferenceError) in try interpreter.invoke() }
    let duration = clock.now - start
    let outputs = try RunOutputs(of: interpreter, model: path, labels: labels)
    if printsJSON, outputFolder == nil { try outputs.checkListed(model: path) }
    let written = try imageFile.map { file throws(CommandError) in
      try outputs.writeImage(to: file, model: path, console)
    }
    if let outputFolder {
      try outputs.write(to: outputFolder)
      if keepsAllTensors { try RunOutputs.writeAllTensors(of: interpreter, to: outputFolder) }
    }
    if printsJSON {
      try console.print(
        JSON.record([
          "schema": "martlet/run/1", "model": .string(path),
          "signature": signature.map { .string($0) },
        ]).adding(computation.members).adding([
          "invoke_ms": .number(duration.milliseconds),
          "outputs": outputs.json(folder: outputFolder),
          "image": written.map { .string($0) },
        ]))
    } else {
      console.note("\(computation.summary), \(duration.milliseconds.short(4)) ms\n")
      if imageFile != "-" { try console.print(outputs.text) }
      if let hint = outputs.hint(hasImage: imageFile != nil) { console.note("hint: \(hint)\n") }
    }
    return .success
  }

  /// An interpreter with the command's options.
  func interpreter(
    _ model: Model, _ path: String, signature: String?
  ) throws(CommandError) -> Interpreter {
    try computation.interpreter(
      of: model, path, signature: signature, keepsAllTensors: keepsAllTensors, command: command)
  }
}
