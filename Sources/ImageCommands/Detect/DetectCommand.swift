// SPDX-License-Identifier: Apache-2.0

import BundledModels
import FileAccess
import ImageCodecs
import Imaging
import Martlet
import VisionTasks

/// `martlet detect`: where things are in images, and what they are.
package struct DetectCommand {
  let computation: ComputationOptions
  let detection: DetectionOptions
  let paths: ImagePaths
  let model: Model
  /// Where annotated images go; nil for nowhere.
  let annotation: AnnotationOutput?
  let command: String
  let console: any Console

  package static let description = CommandDescription(
    "detect", "Find things in images, and say what they are.",
    discussion: """
      An argument that ends in .tflite or .lite is the model: one that finishes its detections \
      itself, as SSD models with TFLite_Detection_PostProcess do, or with --anchors one of raw \
      heads. Without one, the bundled localizer is used, which knows no classes; without any \
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
    options: DetectionOptions.descriptions + [
      .value(
        "annotate", "png|folder",
        "Draw boxes, labels and scores into a copy; of several images, into a folder of copies.",
        completion: .files(["png"]))
    ] + DecodingOptions.descriptions + LabelOptions.descriptions(of: "a thing")
      + ImageOptions.descriptions + ComputationOptions.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    try DetectCommand(arguments, console).run(form: try OutputForm(arguments))
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    computation = try ComputationOptions(arguments)
    let paths = try ImagePaths(
      arguments.allArguments("path"),
      bundled: (BundledModels.localizer, BundledModels.localizerSamples),
      command: arguments.command)
    self.paths = paths
    annotation = try arguments.value("annotate").map { path throws(CommandError) in
      try AnnotationOutput(path, imageCount: paths.images.count, arguments)
    }
    model = try console.model(at: paths.model)
    detection = try DetectionOptions(arguments, computation, console, model: model)
    command = arguments.command
    self.console = console
  }

  private func run(form: OutputForm) throws(CommandError) -> ExitCode {
    let detector = try detection.detector(model, at: paths.model, command: command)
    try paths.checkImages(command: command)
    detector.input.noteRange(console)
    var results: [DetectResult] = []
    for (number, path) in paths.images.enumerated() {
      do throws(CommandError) {
        results.append(try detect(path, number: number, detector))
      } catch {
        // One image that fails is the command's error; of several, the others go on.
        guard paths.images.count > 1 else { throw error }
        let diagnostic = Diagnostic(error)
        console.note(diagnostic.line + "\n")
        results.append(DetectResult(path: path, diagnostic: diagnostic))
      }
    }
    paths.noteAssumedModel(
      "marks things of any kind, and knows no classes", command: command, console)
    // A single class needs no name.
    if detector.labels == nil, results.contains(where: \.hasSeveralClasses) {
      console.note(LabelOptions.missingLabels)
    }
    switch form {
    case .text: try console.print(text(results))
    case .json: try console.print(json(results))
    case .csv: try console.print(table(results).text)
    }
    return results.allSatisfy { $0.diagnostic == nil } ? .success : .failure
  }

  private func detect(
    _ path: String, number: Int, _ detector: ObjectDetector
  ) throws(CommandError) -> DetectResult {
    let decoded = try console.image(at: path)
    let image = PixelBuffer(decoded)
    var result = DetectResult(path: path)
    result.orientation = decoded.orientation ?? .up
    do throws(VisionError) {
      result.objects = try detector.detect(image, orientation: result.orientation)
    } catch {
      throw CommandError(error, file: path)
    }
    if result.objects.isEmpty {
      do throws(VisionError) { result.best = try detector.bestDetection() } catch {
        throw CommandError(error, file: path)
      }
      result.threshold = detector.scoreThreshold
    }
    if let annotation {
      result.annotated = try annotation.write(
        result.annotated(image), of: path, number: number, console)
    }
    return result
  }
}
