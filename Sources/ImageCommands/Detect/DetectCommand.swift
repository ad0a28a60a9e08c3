// SPDX-License-Identifier: Apache-2.0

import BundledModels
import JSONDocuments
import TaskCommands
import VisionTasks

/// `martlet detect`: where things are in images, and what they are.
package enum DetectCommand {
  package static let description = CommandDescription(
    "detect", "Find things in images, and say what they are.",
    discussion: """
      An argument that ends in .tflite or .lite is the model: one that finishes its detections \
      itself, as SSD models with TFLite_Detection_PostProcess do, or with --anchors one of raw \
      heads. --localizer MODEL is a model that only says where things are, and --classifier \
      another one that names them. Without a model, the bundled localizer is used; without any \
      argument, it looks at the bundled scenes. \
      Boxes are in pixels of the image as stored, from its first pixel; --annotate writes the \
      image turned upright, of several images as annotated_0.png, annotated_1.png… in a \
      folder.
      """,
    arguments: [
      ArgumentDescription(
        "path", "A model, then images.", isOptional: true, isRepeated: true,
        completion: .files(["tflite", "json"] + ImageFiles.extensions))
    ],
    options: [
      .value(
        localizerOption, "model", "The model, of whose things no classes are told.",
        completion: .files(["tflite"]))
    ] + DetectionOptions.descriptions + [
      .value(
        AnnotationOutput.option, "png|folder",
        "Draw boxes, labels and scores into a copy; of several images, into a folder of copies.",
        completion: .files(["png"]))
    ] + DecodingOptions.descriptions + LabelOptions.descriptions(of: "a thing")
      + ImageOptions.descriptions + ComputationOptions.descriptions + FrameInput.descriptions
      + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    let command = arguments.command
    let localizer = try localizerPath(arguments)
    let paths = try ImagePaths(
      [localizer].compactMap(\.self) + arguments.allArguments("path"),
      bundled: (BundledModels.localizer, BundledModels.localizerSamples), command: command)
    let setup = try TaskSetup(arguments, console, model: paths.model)
    let frames = try FrameInput(arguments, console, paths)
    let model = try setup.mainModel()
    var detection = try DetectionOptions(arguments, setup.computation, console, model: model)
    detection.isLocalizing = localizer != nil
    var lacksNames = false
    let task = DetectTask.prepared(setup, model, detection) { () throws(CommandError) in
      try paths.checkImages(command: command)
    } found: { objects, detector in
      // A single class needs no name.
      if detector.labels == nil, objects.contains(where: \.isOfAnotherClass) { lacksNames = true }
    }
    var run = try TaskRun(try task.make(), setup)
    run.describe(paths)
    if let classifier = detection.classifier {
      run.heading.append("classifier \(classifier)")
      run.members = run.members.adding(["classifier": .string(classifier)])
    }
    run.finish = {
      paths.noteAssumedModel(
        "marks things of any kind, and knows no classes", command: command, console)
      if lacksNames { console.note(LabelOptions.missingLabels) }
    }
    return try run.run(paths.images, frames, arguments)
  }

  private static let localizerOption = "localizer"

  /// The model of `--localizer`; nil where the option is not given.
  private static func localizerPath(_ arguments: ParsedArguments) throws(CommandError) -> String? {
    guard let path = arguments.value(localizerOption) else { return nil }
    guard ModelPath.isOne(path) else {
      throw arguments.usage("'\(path)' for '--\(localizerOption)', wanted a .tflite file")
    }
    return path
  }
}
