// SPDX-License-Identifier: Apache-2.0

import BundledModels
import JSONDocuments
import Martlet
import VisionTasks

/// What a worker does with records.
enum WorkerTask: String, CaseIterable {
  /// Runs the model on tensors.
  case run
  /// Says what images show.
  case label
  /// Says where things are in images.
  case detect

  /// The options that mean something for this task alone, or for some tasks.
  private var descriptions: [OptionDescription] {
    switch self {
    case .run: [RunInputs.signature] + ImageOptions.descriptions
    case .label:
      [.leastScore] + LabelOptions.descriptions(of: "an image") + ImageOptions.descriptions
    case .detect:
      DetectionOptions.descriptions + DecodingOptions.descriptions
        + LabelOptions.descriptions(of: "a thing") + ImageOptions.descriptions
    }
  }

  /// The options of all tasks, each once.
  static let descriptions: [OptionDescription] = {
    let general: [OptionDescription] = [
      .value("threshold", "x", "The least score, as for label and detect.")
    ]
    let all =
      general + LabelOptions.descriptions(of: "an image or thing")
      + allCases.flatMap(\.descriptions)
    var names: Set<String> = []
    return all.filter { names.insert($0.name).inserted }
  }()

  /// Refuses options that belong to other tasks.
  func check(_ arguments: ParsedArguments) throws(CommandError) {
    let own = Set(descriptions.map(\.name))
    for option in Self.descriptions where !own.contains(option.name) {
      guard arguments.value(option.name) == nil, !arguments.flag(option.name) else {
        throw arguments.usage("--\(option.name) beside --task \(rawValue), which has no use for it")
      }
    }
  }

  /// The bundled model that stands in where none is given; nil where one must be.
  private var bundledModel: String? {
    switch self {
    case .run: nil
    case .label: BundledModels.digits
    case .detect: BundledModels.localizer
    }
  }

  /// The model that `--model` names, or the bundled one.
  func model(
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> ModelPath {
    if let path = arguments.value("model") {
      guard path != "-" else {
        throw arguments.usage("--model - beside records, which come from standard input")
      }
      return try ModelPath(path)
    }
    guard let bundledModel else { throw arguments.usage("--task run without --model") }
    // Programs read what is on standard error; people see a terminal.
    if console.showsProgress {
      console.note(
        "warning: no model is given, and the bundled one answers\nhint: --model names another\n")
    }
    return ModelPath(
      model: try ImagePaths([], bundled: (bundledModel, []), command: arguments.command).model,
      manifest: nil)
  }
}

extension WorkerTask {
  /// What answers the records, one for each of `count` jobs.
  func answering(
    _ model: Model, _ path: ModelPath, count: Int, arguments: ParsedArguments,
    console: any Console
  ) throws(CommandError) -> [any RecordAnswering] {
    let computation = try ComputationOptions(arguments)
    var jobs: [any RecordAnswering] = []
    switch self {
    case .run:
      let images = try ImageOptions(arguments).preprocessing
      for _ in 0..<count {
        let interpreter = try computation.interpreter(
          of: model, path.model, signature: arguments.value("signature"),
          command: arguments.command)
        jobs.append(RunAnswering(interpreter, model: path.model, images: images))
      }
    case .label:
      let labels = try LabelOptions(arguments, console)
      var options = try ImageClassifier.Options(arguments, computation, console)
      if options.labels == nil { options.labels = try path.labels() }
      for _ in 0..<count {
        let classifier: ImageClassifier
        do throws(VisionError) { classifier = try ImageClassifier(model, options: options) } catch {
          throw CommandError(
            error, model: model, path: path.model, labels: labels.file, task: .classification,
            images: options.preprocessing)
        }
        try labels.checkNames(classifier.labels, command: arguments.command)
        jobs.append(
          images(model, path.model) { (pixels, orientation) throws(VisionError) in
            let heads = try classifier.classify(pixels, orientation: orientation)
            return JSON.Member("labels", .array(heads.json))
          })
      }
    case .detect:
      let options = try DetectionOptions(arguments, computation, console, model: model)
      for _ in 0..<count {
        let detector = try options.detector(model, at: path.model, command: arguments.command)
        jobs.append(
          images(model, path.model) { (pixels, orientation) throws(VisionError) in
            let objects = try detector.detect(pixels, orientation: orientation)
            return JSON.Member("objects", .array(objects.map(\.json)))
          })
      }
    }
    return jobs
  }

  /// What answers records that are images, with what `find` finds in each.
  private func images(
    _ model: Model, _ path: String, _ find: @escaping ImageAnswering.Finder
  ) -> ImageAnswering {
    ImageAnswering(task: self, limits: model.limits, model: path, find: find)
  }
}
