// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Martlet
import ModelFormat
import VisionTasks

/// The options of `metadata add` that describe models of images.
enum ImageMetadataOptions {
  static let descriptions: [OptionDescription] = [
    .value("input", "n", "The position of the input that takes the image."),
    .value("input-name", "text", "The name of that input."),
    .value(
      "mean", "m[,m,m]",
      "What is subtracted from an image's bytes, for all channels or each; for --std alone, 0."),
    .value("std", "s[,s,s]", "What the rest is divided by; for --mean alone, 1."),
    .choice("color-space", ["rgb", "grayscale"], "What the channels are, 3 or 1."),
    .value(
      "labels", "file", "Labels, one per line; once for each language.", isRepeated: true,
      completion: .files(["txt"])),
    .value(
      "locale", "language", "The language of the labels, in the order of --labels.",
      isRepeated: true),
    .value("labels-output", "n", "The position of the output that labels and scores belong to."),
    .value("output-name", "text", "The name of that output."),
    .choice(
      "outputs", ["automatic", "tf1", "tf2"],
      "A detector's outputs: boxes, classes, scores, count, or scores, boxes, count, classes.",
      defaultValue: "automatic"),
    .value("score-threshold", "x", "The score from which on results count."),
    .value(
      "score-calibration", "file", "For each class, a line 'scale,slope,offset[,least score]'.",
      completion: .files(["txt", "csv"])),
    .choice(
      "score-transformation", ["identity", "log", "inverse-logistic"],
      "What is done to scores before they are calibrated.", defaultValue: "identity"),
    .value(
      "default-score", "x", "The score of classes without calibration.", defaultValue: "0"),
  ]

  /// What the options say; files are read.
  static func description(
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> ImageModelDescription {
    var description = ImageModelDescription()
    if arguments.value("input") != nil {
      description.input = try arguments.integer("input", default: 0, in: 0...Int.max)
    }
    description.inputName = arguments.value("input-name")
    if let (means, deviations) = try arguments.normalization() {
      description.normalization = NormalizationOptions(
        mean: means, standardDeviation: deviations)
    }
    switch arguments.value("color-space") {
    case "rgb": description.colorSpace = .rgb
    case "grayscale": description.colorSpace = .grayscale
    case _: break
    }
    if arguments.value("labels-output") != nil {
      description.output = try arguments.integer("labels-output", default: 0, in: 0...Int.max)
    }
    description.outputName = arguments.value("output-name")
    switch arguments.value("outputs") {
    case "tf1": description.order = .tensorFlow1
    case "tf2": description.order = .tensorFlow2
    case _: break
    }
    description.labels = try labels(arguments, console)
    description.scoreThreshold = try arguments.number("score-threshold").map { Float($0) }
    description.calibration = try calibration(arguments, console)
    return description
  }

  private static func labels(
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> [ImageModelDescription.LabelFile] {
    let (paths, locales) = (arguments.allValues("labels"), arguments.allValues("locale"))
    guard locales.isEmpty || locales.count == paths.count else {
      throw arguments.usage("\(locales.count) --locale for \(paths.count) --labels")
    }
    var labels: [ImageModelDescription.LabelFile] = []
    for (position, path) in paths.enumerated() {
      labels.append(
        ImageModelDescription.LabelFile(
          try contents(of: path, console), locale: locales.isEmpty ? nil : locales[position]))
    }
    return labels
  }

  private static func calibration(
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> ImageModelDescription.Calibration? {
    guard let path = arguments.value("score-calibration") else {
      for name in ["score-transformation", "default-score"] where arguments.value(name) != nil {
        throw arguments.usage("--\(name) goes with --score-calibration")
      }
      return nil
    }
    let transformation: ScoreCalibrationOptions.Transformation =
      switch arguments.value("score-transformation") {
      case "log": .log
      case "inverse-logistic": .inverseLogistic
      case _: .identity
      }
    let score = try arguments.number("default-score") ?? 0
    return ImageModelDescription.Calibration(
      try contents(of: path, console),
      ScoreCalibrationOptions(transformation: transformation, defaultScore: Float(score)))
  }

  /// The file at `path` under its own name.
  static func contents(
    of path: String, _ console: any Console
  ) throws(CommandError) -> AssociatedFileContents {
    let name = Folder.lastName(of: path)
    return AssociatedFileContents(name: name, contents: try console.read(path))
  }
}
