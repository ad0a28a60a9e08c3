// SPDX-License-Identifier: Apache-2.0

import Formatting
import Martlet
import VisionTasks

/// What the options of `detect` ask for: what is looked for, and what looks at each thing.
struct DetectionOptions {
  let options: ObjectDetector.Options
  /// The path of the classification model, if there is one.
  let classifier: String?
  /// Which labels are reported.
  let labels: LabelOptions
  /// Whether the detector only says where things are, and not what.
  var isLocalizing = false
  /// Whether things keep a number from one image to the next.
  let isTracking: Bool

  /// The options of the detector itself and of its classifier.
  static let descriptions: [OptionDescription] = [
    .value(
      "threshold", "x",
      "Only things of a greater score; by default, of the metadata's, or else 0.4."),
    .value("max", "n", "The most things in an image.", defaultValue: "20"),
    .flag("prominent", "Only the most prominent thing: sure, large, near the middle."),
    .flag("track", "The images follow each other: give each thing a number that it keeps."),
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
    labels = try LabelOptions(arguments, console)
    isTracking = arguments.flag("track")
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
    try Self.checkThreshold(options, arguments)
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

  /// Refuses a threshold that no score can be above: only raw values may be greater than 1.
  private static func checkThreshold(
    _ options: ObjectDetector.Options, _ arguments: ParsedArguments
  ) throws(CommandError) {
    if case .rawHeads(let heads) = options.decoding, heads.scoreFunction == .identity { return }
    guard let threshold = options.scoreThreshold, !(0..<1).contains(threshold) else { return }
    throw arguments.usage(
      "'\(Double(threshold).short())' for '--threshold', wanted a score from 0 to less than 1")
  }

  /// The detector that the options ask for; what it does not know is refused.
  func detector(
    _ model: Model, at path: String, command: String
  ) throws(CommandError) -> ObjectDetector {
    let detector: ObjectDetector
    do throws(VisionError) { detector = try ObjectDetector(model, options: options) } catch {
      try checkClassifier()
      throw CommandError(
        error, model: model, path: path, labels: labels.file, task: options.decoding.task,
        images: options.preprocessing)
    }
    try labels.checkNames([detector.labels], command: command)
    return detector
  }

  /// Refuses the classifier where it is what no detector can be made with.
  private func checkClassifier() throws(CommandError) {
    guard let model = options.classifier, let path = classifier else { return }
    do throws(VisionError) {
      _ = try ImageClassifier(model, options: options.classification)
    } catch {
      throw CommandError(
        error, model: model, path: path, task: .classification,
        images: options.classification.preprocessing)
    }
  }
}
