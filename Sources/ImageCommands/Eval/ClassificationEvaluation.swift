// SPDX-License-Identifier: Apache-2.0

import FileAccess
import ImageCodecs
import Imaging
import JSONDocuments
import Martlet
import VisionTasks

/// Classes of images, as a model sees them and as they are.
struct ClassificationEvaluation {
  private let command: EvalCommand
  private let assertions: [MetricAssertion]
  private let ranks: [Int]

  /// An image and its class.
  struct Item: Sendable {
    let path: String
    let truth: Int
  }

  /// What the model says about an image.
  struct Answer: Sendable {
    /// The best classes, as many as metrics look at.
    let ranking: [Int]
    /// The best score.
    let score: Float?
    /// What the true class has, where scores are probabilities.
    let probability: Double?
  }

  init(_ command: EvalCommand) throws(CommandError) {
    self.command = command
    let ranks = command.options.ranks ?? [1, 5]
    self.ranks = ranks
    let names = ClassificationReport.metricNames(ranks) + ImageTimes.Step.allCases.map(\.metric)
    assertions = try MetricAssertion.assertions(command.arguments, metrics: names)
  }

  func run() throws(CommandError) -> EvalReport {
    let options = try classifierOptions()
    let first = try classifier(options)
    try command.labels.checkNames(first.labels, command: command.arguments.command)
    first.input.noteRange(command.console)
    guard let classCount = first.classCounts.first else {
      throw .data("the model has no output", location: command.paths.model)
    }
    let lookup = ClassLookup(first.labels.first ?? nil, classCount: classCount)
    let items = try items(lookup)
    let outcomes = try outcomes(items, options)
    var report = ClassificationReport(
      score: ClassificationScore(classCount: classCount, ranks: ranks), lookup: lookup)
    for (item, outcome) in zip(items, outcomes) {
      guard case .success(let answer) = outcome.answer else { continue }
      report.add(item, answer)
    }
    if let path = command.options.errors {
      try command.console.write(Array(report.wrongTable.utf8), to: path)
    }
    let times = ImageTimes.metrics(of: outcomes.map(\.times))
    let metrics = report.metrics
    let all = metrics + times
    return EvalReport(
      metrics: all,
      lines: [EvalCommand.countLine(report.score.imageCount, of: items.count)]
        + report.lines(printsConfusion: command.options.printsConfusion)
        + [times.timeText].compactMap(\.self),
      json: JSON.record([
        "pictures": .integer(report.score.imageCount), "metrics": metrics.json,
        "times": times.json,
      ]).adding(report.json),
      diagnostics: EvalCommand.diagnostics(outcomes),
      broken: assertions.filter { !$0.holds(all) })
  }

  /// Every class has its score, whatever threshold the model's metadata has.
  private func classifierOptions() throws(CommandError) -> ImageClassifier.Options {
    var options = ImageClassifier.Options()
    options.interpreter = command.computation.interpreter
    options.preprocessing = command.image.preprocessing
    options.scoreThreshold = -.infinity
    options.locale = command.labels.locale
    options.allowedLabels = command.labels.allowed
    options.deniedLabels = command.labels.denied
    options.labels = command.labels.labels
    if options.labels == nil { options.labels = try command.paths.labels() }
    return options
  }

  private func classifier(
    _ options: ImageClassifier.Options
  ) throws(CommandError) -> ImageClassifier {
    do throws(VisionError) {
      return try ImageClassifier(command.model, options: options)
    } catch {
      throw CommandError(
        error, model: command.model, path: command.paths.model, labels: command.labels.file,
        task: .classification, images: options.preprocessing)
    }
  }

  private func items(_ lookup: ClassLookup) throws(CommandError) -> [Item] {
    var items: [Item] = []
    for image in command.options.limited(try labeledImages()) {
      items.append(
        Item(
          path: image.path, truth: try lookup.index(of: image.label, location: image.location)))
    }
    return items
  }

  private func labeledImages() throws(CommandError) -> [LabeledImage] {
    let paths = command.paths
    var truth = command.options.truth
    // The bundled images come with a table of their own.
    if truth == nil, paths.areImagesBundled { truth = paths.images.first }
    if let truth {
      guard case .labels(let images) = try command.truthFile(truth) else {
        throw .data(
          "COCO annotations are for --task detect, classes want lines 'picture,label'",
          location: truth
        )
      }
      return images
    }
    var images: [LabeledImage] = []
    for folder in paths.images {
      guard Folder.kind(of: folder) != .file else {
        throw command.arguments.usage(
          "\(folder) is a file", hint: "folders with a folder for each class, or --truth FILE")
      }
      images += try LabeledImage.images(inClassFolders: folder)
    }
    return images
  }

  private func outcomes(
    _ items: [Item], _ options: ImageClassifier.Options
  ) throws(CommandError) -> [ImageOutcome<Answer>] {
    let (model, file, rankLimit) = (command.model, command.paths.model, ranks.max() ?? 1)
    return try ImageRun(jobs: command.options.jobs, console: command.console).outcomes(items) {
      () throws(CommandError) in
      let classifier: ImageClassifier
      do throws(VisionError) {
        classifier = try ImageClassifier(model, options: options)
      } catch {
        throw CommandError(error, file: file)
      }
      return { Self.outcome($0, classifier, rankLimit: rankLimit) }
    }
  }

  private static func outcome(
    _ item: Item, _ classifier: ImageClassifier, rankLimit: Int
  ) -> ImageOutcome<Answer> {
    var times = ImageTimes()
    do throws(CommandError) {
      let image = try times.measure(.decode) { () throws(CommandError) in
        try decodedImage(at: item.path, limits: classifier.interpreter.model.limits)
      }
      let answer = try naming(image: item.path) { () throws(VisionError) in
        try Self.answer(image, item.truth, classifier, rankLimit, &times)
      }
      return ImageOutcome(answer: .success(answer), times: times)
    } catch {
      return ImageOutcome(answer: .failure(error), times: ImageTimes())
    }
  }

  private static func answer(
    _ image: DecodedImage, _ truth: Int, _ classifier: ImageClassifier, _ rankLimit: Int,
    _ times: inout ImageTimes
  ) throws(VisionError) -> Answer {
    _ = try times.measure(.preprocess) { () throws(VisionError) in
      try classifier.input.feed(
        PixelBuffer(image), orientation: image.orientation ?? .up, to: classifier.interpreter)
    }
    try times.measure(.inference) { () throws(VisionError) in
      do throws(InferenceError) { try classifier.interpreter.invoke() } catch {
        throw .inference(error)
      }
    }
    return try times.measure(.postprocess) { () throws(VisionError) in
      let results = try classifier.results().first?.classifications ?? []
      let areProbabilities = results.allSatisfy { (0...1).contains($0.score) }
      let own = areProbabilities ? results.first { $0.index == truth } : nil
      return Answer(
        ranking: results.prefix(rankLimit).map(\.index), score: results.first?.score,
        probability: own.map { Double($0.score) })
    }
  }
}

/// Does something with an image; errors name its file.
func naming<Result>(
  image: String, _ body: () throws(VisionError) -> Result
) throws(CommandError) -> Result {
  do throws(VisionError) { return try body() } catch { throw CommandError(error, file: image) }
}
