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
  let options: ObjectDetector.Options
  let paths: ImagePaths
  let model: Model
  /// The path of the classification model, if there is one.
  let classifier: String?
  /// Where annotated images go: a file, or a folder for several.
  let annotation: String?
  let console: any Console

  package static let description = CommandDescription(
    "detect", "Find things in images, and say what they are.",
    discussion: """
      A first argument that ends in .tflite or .lite is the model: one that finishes its \
      detections itself, as SSD models with TFLite_Detection_PostProcess do, or with --anchors \
      one of raw heads. Without one, the bundled localizer is used, which knows no classes; without images, the \
      bundled scenes are. \
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
        "annotate", "png", "Draw boxes, labels and scores into a copy.",
        completion: .files(["png"]))
    ] + DecodingOptions.descriptions + LabelOptions.descriptions(of: "a thing")
      + ImageOptions.descriptions + ComputationOptions.descriptions + [.json]
  ) { arguments, console throws(CommandError) in
    try DetectCommand(arguments, console).run(printsJSON: arguments.flag("json"))
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    computation = try ComputationOptions(arguments)
    paths = try ImagePaths(
      arguments.allArguments("path"),
      bundled: (BundledModels.localizer, BundledModels.localizerSamples))
    model = try console.model(at: paths.model)
    let detection = try DetectionOptions(arguments, computation, console, model: model)
    options = detection.options
    classifier = detection.classifier
    annotation = arguments.value("annotate")
    self.console = console
  }

  private func run(printsJSON: Bool) throws(CommandError) -> ExitCode {
    let detector: ObjectDetector
    do throws(VisionError) { detector = try ObjectDetector(model, options: options) } catch {
      throw CommandError(error, file: paths.model)
    }
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
    try printsJSON ? console.print(json(results)) : console.print(text(results))
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
    if let annotation {
      result.annotated = try annotate(
        image, result, to: annotation, number: paths.images.count > 1 ? number : nil)
    }
    return result
  }

  /// Writes the upright image with boxes, labels and scores; returns the path of the file.
  private func annotate(
    _ image: PixelBuffer, _ result: DetectResult, to output: String, number: Int?
  ) throws(CommandError) -> String {
    let annotations = result.objects.enumerated().map { index, object in
      Annotation(
        frame: result.orientation.uprightRect(
          object.frame, storedWidth: Double(image.width), storedHeight: Double(image.height)),
        text: object.caption, colorIndex: index)
    }
    let annotated = image.upright(from: result.orientation).converted(to: .rgb8)
      .annotated(with: annotations)
    let file: [UInt8]
    do throws(PNGError) { file = try annotated.encodedAsPNG() } catch {
      throw .data("\(error)", location: result.path)
    }
    guard let number else {
      try console.write(file, to: output)
      return output
    }
    do throws(FileSystemError) { try Folder.create(at: output) } catch { throw .file(error) }
    let path = "\(output)/annotated_\(number).png"
    try console.write(file, to: path)
    return path
  }
}
