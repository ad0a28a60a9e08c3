// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Formatting
import JSONDocuments
import Martlet
import VisionTasks

/// `martlet eval`: how often a model is right about images.
package struct EvalCommand {
  let arguments: ParsedArguments
  let options: EvalOptions
  let computation: ComputationOptions
  let image: ImageOptions
  let labels: LabelOptions
  let paths: ImagePaths
  let model: Model
  let task: EvaluationTask
  let console: any Console

  package static let description = CommandDescription(
    "eval", "Measure how often a model is right about images.",
    discussion: """
      A first argument that ends in .tflite, .lite or .json is the model, or the manifest of an \
      AutoML model; without one, the bundled classifier is used, with --task detect the bundled \
      localizer. What follows are folders that have a folder of images for each class, called \
      as the model calls the class or by its number; or, beside --truth, the one folder of the \
      images. Without folder and truth, the bundled digits are used. A localizer that knows no \
      classes is measured by its boxes alone. Docs/Evaluating.md defines every metric.
      """,
    arguments: [
      ArgumentDescription(
        "path", "A model, then folders.", isOptional: true, isRepeated: true,
        completion: .files(["tflite", "json"]))
    ],
    options: EvalOptions.descriptions + DecodingOptions.descriptions + LabelOptions.descriptions
      + ImageOptions.descriptions + ComputationOptions.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    try EvalCommand(arguments, console).run()
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    self.arguments = arguments
    self.console = console
    options = try EvalOptions(arguments)
    computation = try ComputationOptions(arguments)
    image = try ImageOptions(arguments)
    labels = try LabelOptions(arguments, console)
    paths = try ImagePaths(
      arguments.allArguments("path"),
      bundled: options.task == .detect
        ? (BundledModels.localizer, []) : (BundledModels.digits, [BundledModels.digitLabels]),
      command: arguments.command)
    model = try console.model(at: paths.model)
    if let given = options.task {
      task = given
    } else {
      task = try EvaluationTask(of: model, at: paths.model)
    }
    try options.check(task, arguments)
  }

  private func run() throws(CommandError) -> ExitCode {
    let form = try OutputForm(arguments)
    let report: EvalReport
    switch task {
    case .classify: report = try ClassificationEvaluation(self).run()
    case .detect: report = try DetectionEvaluation(self).run()
    }
    if areImagesBundled, task == .classify, !paths.haveImagesBesideModel {
      console.note(
        "warning: no images are given, and the bundled digits stand in\n"
          + "hint: '\(arguments.command) MODEL FOLDER' uses others\n")
    }
    for diagnostic in report.diagnostics { console.note(diagnostic.line + "\n") }
    switch form {
    case .text: try console.print(text(report))
    case .json: try console.print(document(report))
    case .csv: try console.print(table(report).text)
    }
    return report.diagnostics.isEmpty && report.broken.isEmpty ? .success : .failure
  }

  /// Whether the images and what is known about them are bundled.
  private var areImagesBundled: Bool { paths.areImagesBundled && options.truth == nil }

  private func text(_ report: EvalReport) -> String {
    var lines = [paths.summary, computation.summary]
    if areImagesBundled { lines.append("images: the bundled samples") }
    lines += report.lines
    for assertion in report.broken {
      let value = assertion.value(report.metrics)?.short() ?? "no value"
      lines.append("failed: \(assertion): \(value)")
    }
    return lines.joined(separator: "\n")
  }

  /// The metrics as a table; of those without a value, the value is empty.
  private func table(_ report: EvalReport) -> CSVTable {
    var table = CSVTable(["metric", "value"])
    for metric in report.metrics { table.add([metric.name, metric.value.map { "\($0)" }]) }
    return table
  }

  private func document(_ report: EvalReport) -> JSON {
    JSON.record([
      "schema": "martlet/eval/1", "model": .string(paths.model), "task": .string(task.rawValue),
      "bundled_model": .bool(paths.isModelBundled), "bundled_images": .bool(areImagesBundled),
    ]).adding(computation.members).adding(report.json).adding([
      "unreadable": .array(
        report.diagnostics.map { ["error": .string($0.what), "place": .string($0.location)] }),
      "failures": .array(
        report.broken.map { assertion in
          JSON.record([
            "assertion": .string("\(assertion)"),
            "value": assertion.value(report.metrics).map { .number($0) },
          ])
        }),
    ])
  }
}

/// What came out of an evaluation.
struct EvalReport {
  /// The numbers, by which assertions know them.
  let metrics: [EvalMetric]
  /// What a reader is told.
  let lines: [String]
  /// What a program is told.
  let json: JSON
  /// Why images could not be looked at.
  let diagnostics: [Diagnostic]
  /// The assertions that do not hold.
  let broken: [MetricAssertion]
}

extension [EvalMetric] {
  /// The metrics for a program; null where there is no value.
  var json: JSON { .object(map { JSON.Member($0.name, $0.value.map { .number($0) } ?? .null) }) }

  /// The metrics for a reader, without those that have no value.
  var text: String {
    TextTable(
      compactMap { metric in metric.value.map { [metric.title, $0.fixed(4), metric.remark] } },
      left: [0, 2]
    ).text
  }

  /// Mean times for a reader; nil where no image was looked at.
  var timeText: String? {
    let rows = compactMap { metric in
      metric.value.map { ["  \(metric.title)", "\($0.short(3))", "ms"] }
    }
    return rows.isEmpty ? nil : "mean time per image\n" + TextTable(rows).text
  }
}

extension EvalCommand {
  /// What `--truth` says, images being named from the folder on that is given, if one is.
  func truthFile(_ path: String) throws(CommandError) -> TruthFile {
    let folders = paths.areImagesBundled ? [] : paths.images
    guard folders.count < 2 else {
      throw arguments.usage("--truth names images from one folder on, not \(folders.count)")
    }
    return try TruthFile(at: path, folder: folders.first, console)
  }

  /// Why images could not be looked at.
  static func diagnostics<Answer>(_ outcomes: [ImageOutcome<Answer>]) -> [Diagnostic] {
    outcomes.compactMap { outcome in
      if case .failure(let error) = outcome.answer { Diagnostic(error) } else { nil }
    }
  }

  /// How many images were looked at, of how many.
  static func countLine(_ looked: Int, of all: Int) -> String {
    let unreadable = all - looked
    return "\(looked) image\(looked == 1 ? "" : "s")"
      + (unreadable > 0 ? ", \(unreadable) unreadable" : "")
  }
}
