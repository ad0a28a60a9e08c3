// SPDX-License-Identifier: Apache-2.0

import BundledModels
import TaskCommands
import VisionTasks

/// What a worker does with records.
enum WorkerTask: Equatable {
  /// Runs the model on tensors.
  case run
  /// Says what images show.
  case label
  /// Says where things are in images.
  case detect
  /// Asks a model of another task.
  case model(TaskDescription)

  static let allCases: [WorkerTask] = [.run, .label, .detect] + TaskDescription.all.map(Self.model)

  /// The task that `--task` calls so.
  init?(_ word: String) {
    guard let task = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = task
  }

  /// The word of `--task`.
  var word: String {
    switch self {
    case .run: "run"
    case .label: "label"
    case .detect: "detect"
    case .model(let description): description.task.rawValue
    }
  }

  /// The options that mean something for this task alone, or for some tasks.
  private var descriptions: [OptionDescription] {
    switch self {
    case .run: [RunInputs.signature] + ImageOptions.descriptions
    case .label: LabelTask.descriptions
    case .detect: DetectTask.descriptions
    case .model(let description): description.options
    }
  }

  /// The options of all tasks, each once.
  static let descriptions: [OptionDescription] = {
    // Those that mean one thing here and another there.
    let general: [OptionDescription] = [
      .value("threshold", "x", "The least score, as for the command of the task.")
    ]
    let common: [OptionDescription] = [
      .value("max", "n", "The most things, faces, hands or people in an image."),
      .value(
        "scores", "word|name",
        "What makes scores of raw values, as for detect; the output of scores, as for read."),
      .value(
        "landmarks", "file", "The model that finds points where the first finds what has them.",
        completion: .files(["tflite"])),
    ]
    let all =
      general + LabelOptions.descriptions(of: "an image, thing, window or text") + common
      + allCases.flatMap(\.descriptions)
    var names = Set(ComputationOptions.descriptions.map(\.name))
    return all.filter { names.insert($0.name).inserted }
  }()

  /// Refuses options that belong to other tasks.
  func check(_ arguments: ParsedArguments) throws(CommandError) {
    let own = Set(descriptions.map(\.name))
    for option in Self.descriptions where !own.contains(option.name) {
      guard arguments.value(option.name) == nil, !arguments.flag(option.name) else {
        throw arguments.usage("--\(option.name) beside --task \(word), which has no use for it")
      }
    }
  }

  /// The bundled model that stands in where none is given; nil where one must be.
  private var bundledModel: String? {
    switch self {
    case .label: BundledModels.digits
    case .detect: BundledModels.localizer
    case .run, .model: nil
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
    guard let bundledModel else { throw arguments.usage("--task \(word) without --model") }
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
