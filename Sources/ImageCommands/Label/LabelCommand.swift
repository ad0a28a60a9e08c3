// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Formatting
import ImageCodecs
import Imaging
import JSONDocuments
import Martlet
import VisionTasks

/// `martlet label`: what is in images.
package struct LabelCommand {
  let computation: ComputationOptions
  let options: ImageClassifier.Options
  let paths: ImagePaths
  let console: any Console

  package static let description = CommandDescription(
    "label", "Say what is in images, with a classification model.",
    discussion: """
      A first argument that ends in .tflite, .lite or .json is the model, or the manifest of an \
      AutoML model; without one, the bundled classifier of handwritten digits is used. Without \
      images, the bundled samples are. Preprocessing, labels, calibration and threshold are \
      those of the model's metadata.
      """,
    arguments: [
      ArgumentDescription(
        "path", "A model, then images: PNG, JPEG, BMP, PPM, PGM or PBM files.", isOptional: true,
        isRepeated: true,
        completion: .files(["tflite", "json"] + ImageFiles.extensions))
    ],
    options: [.leastScore] + LabelOptions.descriptions(of: "an image")
      + ImageOptions.descriptions + ComputationOptions.descriptions + [.json]
  ) { arguments, console throws(CommandError) in
    try LabelCommand(arguments, console).run(printsJSON: arguments.flag("json"))
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    computation = try ComputationOptions(arguments)
    paths = try ImagePaths(
      arguments.allArguments("path"),
      bundled: (BundledModels.digits, BundledModels.digitSamples))
    self.console = console
    var options = try ImageClassifier.Options(arguments, computation, console)
    if options.labels == nil { options.labels = try paths.labels() }
    self.options = options
  }

  /// What an image shows, or why nobody knows.
  private struct Result {
    let path: String
    let heads: [ImageClassifier.Head]
    let diagnostic: Diagnostic?
  }

  private func run(printsJSON: Bool) throws(CommandError) -> ExitCode {
    let model = try console.model(at: paths.model)
    let classifier: ImageClassifier
    do throws(VisionError) { classifier = try ImageClassifier(model, options: options) } catch {
      throw CommandError(error, file: paths.model)
    }
    var results: [Result] = []
    for path in paths.images {
      do throws(CommandError) {
        let heads = try classify(path, classifier)
        results.append(Result(path: path, heads: heads, diagnostic: nil))
      } catch {
        // One image that fails is the command's error; of several, the others go on.
        guard paths.images.count > 1 else { throw error }
        let diagnostic = Diagnostic(error)
        console.note(diagnostic.line + "\n")
        results.append(Result(path: path, heads: [], diagnostic: diagnostic))
      }
    }
    try printsJSON ? console.print(json(results)) : console.print(text(results))
    return results.allSatisfy { $0.diagnostic == nil } ? .success : .failure
  }

  private func classify(
    _ path: String, _ classifier: ImageClassifier
  ) throws(CommandError) -> [ImageClassifier.Head] {
    let image = try console.image(at: path)
    do throws(VisionError) {
      return try classifier.classify(PixelBuffer(image), orientation: image.orientation ?? .up)
    } catch {
      throw CommandError(error, file: path)
    }
  }

  private func text(_ results: [Result]) -> String {
    var lines = ["\(paths.summary), \(computation.summary)"]
    if paths.areImagesBundled { lines.append("images: the bundled samples") }
    for result in results where result.diagnostic == nil {
      for head in result.heads {
        lines.append(result.heads.count > 1 ? "\(result.path), \(head.name)" : result.path)
        let rows = head.classifications.map { entry in
          ["  \(entry.label.isEmpty ? "class \(entry.index)" : entry.label)"]
            + [Double(entry.score).fixed(4)]
        }
        lines.append(rows.isEmpty ? "  nothing above the threshold" : TextTable(rows).text)
      }
    }
    return lines.joined(separator: "\n")
  }

  private func json(_ results: [Result]) -> JSON {
    let images = results.map { result in
      JSON.record([
        "image": .string(result.path),
        "labels": result.diagnostic == nil
          ? .array(result.heads.json) : nil,
        "error": result.diagnostic.map { .string("\($0.what) (\($0.location))") },
      ])
    }
    return JSON.record([
      "schema": "martlet/label/1", "model": .string(paths.model),
      "bundled_model": .bool(paths.isModelBundled),
      "bundled_images": .bool(paths.areImagesBundled),
    ]).adding(computation.members).adding(["images": .array(images)])
  }
}
