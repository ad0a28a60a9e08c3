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
  let labels: LabelOptions
  let command: String
  let console: any Console

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
    options: [.leastScore] + LabelOptions.descriptions(of: "an image")
      + ImageOptions.descriptions + ComputationOptions.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    try LabelCommand(arguments, console).run(form: try OutputForm(arguments))
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    computation = try ComputationOptions(arguments)
    paths = try ImagePaths(
      arguments.allArguments("path"),
      bundled: (BundledModels.digits, BundledModels.digitSamples), command: arguments.command)
    labels = try LabelOptions(arguments, console)
    command = arguments.command
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

  private func run(form: OutputForm) throws(CommandError) -> ExitCode {
    let model = try console.model(at: paths.model)
    let classifier: ImageClassifier
    do throws(VisionError) { classifier = try ImageClassifier(model, options: options) } catch {
      throw CommandError(
        error, model: model, path: paths.model, labels: labels.file, task: .classification,
        images: options.preprocessing)
    }
    try paths.checkImages(command: command)
    try labels.checkNames(classifier.labels, command: command)
    if classifier.labels.allSatisfy({ $0 == nil }) { console.note(LabelOptions.missingLabels) }
    classifier.input.noteRange(console)
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
    paths.noteAssumedModel(
      "takes every image for a handwritten digit", command: command, console)
    switch form {
    case .text: try console.print(text(results))
    case .json: try console.print(json(results))
    case .csv: try console.print(table(results).text)
    }
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
    var lines = [paths.summary, computation.summary]
    if paths.areImagesBundled { lines.append("images: the bundled samples") }
    for result in results where result.diagnostic == nil {
      for head in result.heads {
        lines.append(result.heads.count > 1 ? "\(result.path), \(head.name)" : result.path)
        let rows = head.classifications.map { entry in
          ["  \(entry.text)", Double(entry.score).fixed(4)]
        }
        lines.append(
          rows.isEmpty ? "  \(head.emptiness)".narrow : TextTable(rows, shortening: [0]).text)
      }
    }
    return lines.joined(separator: "\n")
  }

  private func table(_ results: [Result]) -> CSVTable {
    var table = CSVTable(["image", "output", "rank", "index", "label", "class_name", "score"])
    for result in results {
      for head in result.heads {
        for (rank, entry) in head.classifications.enumerated() {
          table.add([
            result.path, head.name, "\(rank + 1)", "\(entry.index)", entry.label, entry.className,
            "\(entry.score)",
          ])
        }
      }
    }
    return table
  }

  private func json(_ results: [Result]) -> JSON {
    let images = results.map { result in
      JSON.record([
        "image": .string(result.path),
        "labels": result.diagnostic == nil
          ? .array(result.heads.json) : nil,
        "best_below_threshold": result.heads.bestBelowThreshold?.json,
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
