// SPDX-License-Identifier: Apache-2.0

import Martlet
import VisionTasks

/// What the options of `detect` ask for: what is looked for, and what looks at each thing.
struct DetectionOptions {
  let options: ObjectDetector.Options
  /// The path of the classification model, if there is one.
  let classifier: String?

  /// The options of the detector itself and of its classifier.
  static let descriptions: [OptionDescription] = [
    .value(
      "threshold", "x",
      "Only things of a greater score; by default, of the metadata's, or else 0.4."),
    .value("max", "n", "The most things in an image.", defaultValue: "20"),
    .flag("prominent", "Only the most prominent thing: sure, large, near the middle."),
    .value("overlap", "x", "Of things that overlap more, only the best one."),
    .value(
      "classifier", "model", "A model, or AutoML manifest, that labels each thing.",
      completion: .files(["tflite", "json"])),
    .value(
      "classifier-threshold", "x", "The least score of its labels; by default, its metadata's."),
  ]

  init(
    _ arguments: ParsedArguments, _ computation: ComputationOptions, _ console: any Console,
    model: Model
  ) throws(CommandError) {
    let labels = try LabelOptions(arguments, console)
    var options = ObjectDetector.Options()
    options.interpreter = computation.interpreter
    options.preprocessing = try ImageOptions(arguments).preprocessing
    options.maxObjects = try arguments.integer("max", default: 20, in: 1...Int.max)
    options.detectsMultipleObjects = !arguments.flag("prominent")
    options.scoreThreshold = try arguments.number("threshold").map { Float($0) }
    options.overlapThreshold = try arguments.number("overlap").map { Float($0) }
    options.labels = labels.labels
    options.locale = labels.locale
    options.allowedLabels = labels.allowed
    options.deniedLabels = labels.denied
    options.decoding = try DecodingOptions(arguments, console, model: model).decoding
    guard let path = arguments.value("classifier") else {
      guard arguments.value("classifier-threshold") == nil else {
        throw arguments.usage("--classifier-threshold goes with --classifier")
      }
      self.options = options
      classifier = nil
      return
    }
    let source = try ModelPath(path)
    options.classifier = try console.model(at: source.model)
    options.classification.labels = try source.labels()
    options.classification.interpreter = computation.interpreter
    options.classification.maxResults = try LabelOptions.top(arguments)
    options.classification.locale = labels.locale
    options.classification.scoreThreshold = try arguments.number("classifier-threshold")
      .map { Float($0) }
    self.options = options
    classifier = source.model
  }
}
