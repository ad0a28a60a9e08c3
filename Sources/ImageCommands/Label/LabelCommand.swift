// SPDX-License-Identifier: Apache-2.0

import BundledModels
import JSONDocuments
import TaskCommands

/// `martlet label`: what is in images.
package enum LabelCommand {
  package static let description = CommandDescription(
    "label", "Say what is in images, with a classification model.",
    discussion: """
      An argument that ends in .tflite, .lite or .json is the model, or the manifest of an AutoML \
      model. Without any argument, the bundled classifier of handwritten digits looks at the \
      bundled samples; it also stands in, with a warning, where only images are given. \
      Preprocessing, labels, calibration and threshold are those of the model's metadata.
      """,
    arguments: [
      ArgumentDescription(
        "path", "A model, then images: PNG, JPEG, BMP, PPM, PGM or PBM files.", isOptional: true,
        isRepeated: true,
        completion: .files(["tflite", "json"] + ImageFiles.extensions))
    ],
    options: LabelTask.descriptions + ComputationOptions.descriptions + FrameInput.descriptions
      + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    let command = arguments.command
    let paths = try ImagePaths(
      arguments.allArguments("path"),
      bundled: (BundledModels.digits, BundledModels.digitSamples), command: command)
    let setup = try TaskSetup(arguments, console, model: paths.model)
    let frames = try FrameInput(arguments, console, paths)
    let task = try LabelTask.prepared(setup, paths.source) { () throws(CommandError) in
      try paths.checkImages(command: command)
    }
    var run = try TaskRun(try task.make(), setup)
    run.describe(paths)
    run.finish = {
      paths.noteAssumedModel(
        "takes every image for a handwritten digit", command: command, console)
    }
    return try run.run(paths.images, frames, arguments)
  }
}
