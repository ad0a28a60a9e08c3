// SPDX-License-Identifier: Apache-2.0

import FileAccess
import ImageCodecs
import Imaging
import Martlet
import ModelFormat
import Npy
import Tensors
import VisionTasks

/// `martlet preprocess`: the tensor that an image becomes.
package struct PreprocessCommand {
  let options: ImageOptions
  let model: String
  let image: String
  let folder: String
  let console: any Console

  package static let description = CommandDescription(
    "preprocess", "Write the tensor that an image becomes, and say where its numbers come from.",
    discussion: """
      The folder receives input_0.npy, the values of the model's input, and input_0.png, the \
      image that the model sees: upright, resized, before it is normalized.
      """,
    arguments: [
      ArgumentDescription("model", "A model that takes an image.", completion: .files(["tflite"])),
      ArgumentDescription(
        "image", "An image.", completion: .files(ImageFiles.extensions)),
    ],
    options: [
      .outputFolder("Where the files go; made where it is missing.")
    ] + ImageOptions.descriptions + [.json]
  ) { arguments, console throws(CommandError) in
    guard let folder = arguments.value("output-dir") else {
      throw arguments.usage("missing '--output-dir'")
    }
    try PreprocessCommand(
      options: try ImageOptions(arguments), model: try arguments.required("model"),
      image: try arguments.required("image"), folder: folder, console: console
    ).run(printsJSON: arguments.flag("json"))
    return .success
  }

  private func run(printsJSON: Bool) throws(CommandError) {
    let loaded = try console.model(at: model)
    let interpreter = try naming(model) { () throws(InferenceError) in try Interpreter(loaded) }
    let input: ImageInput
    do throws(VisionError) {
      input = try ImageInput(
        of: interpreter, model: loaded, preprocessing: options.preprocessing)
    } catch {
      throw CommandError(
        error, model: loaded, path: model, task: .input, images: options.preprocessing)
    }
    input.noteRange(console)
    let decoded = try console.image(at: image)
    let prepared: PreparedImage
    do throws(VisionError) {
      prepared = try input.feed(
        PixelBuffer(decoded), orientation: decoded.orientation ?? .up, to: interpreter)
    } catch {
      throw CommandError(error, file: image)
    }
    let array = try values(interpreter)
    try write(array, prepared)
    let report = PreprocessReport(
      model: model, image: image, folder: folder, input: input, info: interpreter.inputs[0],
      prepared: prepared, given: options.given)
    try printsJSON ? console.print(report.json) : console.print(report.text)
  }

  /// The values of the input.
  private func values(_ interpreter: Interpreter) throws(CommandError) -> NpyArray {
    guard let info = interpreter.inputs.first, let (type, bytes) = interpreter.tensor(info.index)
    else { throw .data("the input has no value", location: model) }
    do throws(NpyError) { return try NpyArray(type, tensorBytes: bytes) } catch {
      throw .npy(error, file: model)
    }
  }

  private func write(_ array: NpyArray, _ prepared: PreparedImage) throws(CommandError) {
    let file: [UInt8]
    do throws(PNGError) { file = try prepared.image.encodedAsPNG() } catch {
      throw .data("\(error)", location: image)
    }
    do throws(FileSystemError) {
      try Folder.create(at: folder)
      try array.write(to: "\(folder)/input_0.npy")
    } catch {
      throw .file(error)
    }
    try console.write(file, to: "\(folder)/input_0.png")
  }
}
