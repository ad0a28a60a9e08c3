// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import JSONDocuments
import Martlet
import VisionTasks

/// Boxes in images, as a model sees them and as they are.
struct DetectionEvaluation {
  private let command: EvalCommand
  private let assertions: [MetricAssertion]

  /// The class of every box where the model knows none.
  private static let onlyClass = 0

  init(_ command: EvalCommand) throws(CommandError) {
    self.command = command
    let names = DetectionReport.metricNames + ImageTimes.Step.allCases.map(\.metric)
    assertions = try MetricAssertion.assertions(command.arguments, metrics: names)
  }

  func run() throws(CommandError) -> EvalReport {
    let options = try detectorOptions()
    let first: ObjectDetector
    do throws(VisionError) { first = try ObjectDetector(command.model, options: options) } catch {
      throw CommandError(
        error, model: command.model, path: command.paths.model, labels: command.labels.file,
        task: options.decoding.task, images: options.preprocessing)
    }
    try command.labels.checkNames([first.labels], command: command.arguments.command)
    first.input.noteRange(command.console)
    let truth = try truth()
    let classes = first.knowsClasses ? try DetectedClasses(truth, first) : nil
    let images = command.options.limited(truth.images)
    let outcomes = try outcomes(images.map(\.path), options, classes)
    var score = DetectionScore()
    for (image, outcome) in zip(images, outcomes) {
      guard case .success(let detections) = outcome.answer else { continue }
      score.add(detections, truths: classes == nil ? image.boxes.map(Self.merged) : image.boxes)
    }
    let report = DetectionReport(
      score: score, categories: classes == nil ? [:] : truth.categories)
    let times = ImageTimes.metrics(of: outcomes.map(\.times))
    let all = report.metrics + times
    return EvalReport(
      metrics: all,
      lines: [EvalCommand.countLine(score.imageCount, of: images.count)] + report.lines
        + [times.timeText].compactMap(\.self),
      json: JSON.record([
        "pictures": .integer(score.imageCount), "metrics": report.metrics.json,
        "times": times.json,
      ]).adding(report.json),
      diagnostics: EvalCommand.diagnostics(outcomes),
      broken: assertions.filter { !$0.holds(all) })
  }

  private func detectorOptions() throws(CommandError) -> ObjectDetector.Options {
    var options = ObjectDetector.Options()
    options.interpreter = command.computation.interpreter
    options.preprocessing = command.image.preprocessing
    options.maxObjects = nil
    options.scoreThreshold = command.options.threshold ?? EvalOptions.defaultThreshold
    options.decoding = try DecodingOptions(
      command.arguments, command.console, model: command.model
    ).decoding
    options.labels = command.labels.labels
    options.locale = command.labels.locale
    options.allowedLabels = command.labels.allowed
    options.deniedLabels = command.labels.denied
    return options
  }

  private static func detector(
    _ model: Model, _ path: String, _ options: ObjectDetector.Options
  ) throws(CommandError) -> ObjectDetector {
    do throws(VisionError) { return try ObjectDetector(model, options: options) } catch {
      throw CommandError(error, file: path)
    }
  }

  private func truth() throws(CommandError) -> BoxTruth {
    guard let path = command.options.truth else {
      throw command.arguments.usage(
        "missing '--truth'", hint: "a detector is measured by COCO annotations: --truth FILE.json")
    }
    guard case .boxes(let truth) = try command.truthFile(path) else {
      throw .data(
        "a detector is measured by COCO annotations in JSON, not by lines", location: path)
    }
    return truth
  }

  /// The same box, its class forgotten.
  private static func merged(_ box: DetectionScore.Truth) -> DetectionScore.Truth {
    var box = box
    box.classIndex = onlyClass
    return box
  }

  private func outcomes(
    _ paths: [String], _ options: ObjectDetector.Options, _ classes: DetectedClasses?
  ) throws(CommandError) -> [ImageOutcome<[DetectionScore.Detection]>] {
    let (model, file) = (command.model, command.paths.model)
    return try ImageRun(jobs: command.options.jobs, console: command.console).outcomes(paths) {
      () throws(CommandError) in
      let detector = try Self.detector(model, file, options)
      return { Self.outcome($0, detector, classes) }
    }
  }

  private static func outcome(
    _ path: String, _ detector: ObjectDetector, _ classes: DetectedClasses?
  ) -> ImageOutcome<[DetectionScore.Detection]> {
    var times = ImageTimes()
    do throws(CommandError) {
      let image = try times.measure(.decode) { () throws(CommandError) in
        try decodedImage(at: path, limits: detector.interpreter.model.limits)
      }
      let objects = try naming(image: path) { () throws(VisionError) in
        try Self.objects(in: image, detector, &times)
      }
      let detections = objects.compactMap { object -> DetectionScore.Detection? in
        let category = classes.map { $0.category(of: object) } ?? onlyClass
        return category.map { category in
          DetectionScore.Detection(
            frame: object.frame, classIndex: category, score: Double(object.score))
        }
      }
      return ImageOutcome(answer: .success(detections), times: times)
    } catch {
      return ImageOutcome(answer: .failure(error), times: ImageTimes())
    }
  }

  private static func objects(
    in decoded: DecodedImage, _ detector: ObjectDetector, _ times: inout ImageTimes
  ) throws(VisionError) -> [DetectedObject] {
    let image = PixelBuffer(decoded)
    let prepared = try times.measure(.preprocess) { () throws(VisionError) in
      try detector.input.feed(
        image, orientation: decoded.orientation ?? .up, to: detector.interpreter)
    }
    try times.measure(.inference) { () throws(VisionError) in
      do throws(InferenceError) { try detector.interpreter.invoke() } catch {
        throw .inference(error)
      }
    }
    return try times.measure(.postprocess) { () throws(VisionError) in
      try detector.found(in: image, prepared)
    }
  }
}

/// Which categories of annotations the classes of a detector are.
struct DetectedClasses: Sendable {
  private var categories: [String: Int] = [:]
  private let areNamed: Bool

  /// Categories by the detector's names, or where it has none, by numbers.
  ///
  /// - Throws: `CommandError` that names a category of which there are boxes and no class.
  init(_ truth: BoxTruth, _ detector: ObjectDetector) throws(CommandError) {
    areNamed = detector.labels != nil
    guard let labels = detector.labels else { return }
    let names = Set(labels.classNames + (labels.displayNames ?? []))
    let used = Set(truth.images.flatMap { $0.boxes.map(\.classIndex) })
    for (id, category) in truth.categories.sorted(by: { $0.key < $1.key }) {
      guard names.contains(category.name) || !used.contains(id) else {
        throw .data(
          "the model has no class '\(category.name)'", location: category.location,
          hint: Suggestion.hint(for: category.name, among: names.sorted()))
      }
      guard categories.updateValue(id, forKey: category.name) == nil else {
        throw .data("two categories are called '\(category.name)'", location: category.location)
      }
    }
  }

  /// The category of an object; nil where there is none.
  func category(of object: DetectedObject) -> Int? {
    guard let category = object.category else { return nil }
    guard areNamed else { return category.index }
    return categories[category.className] ?? category.displayName.flatMap { categories[$0] }
  }
}
