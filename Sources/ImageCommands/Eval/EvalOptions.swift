// SPDX-License-Identifier: Apache-2.0

import Martlet

/// What is evaluated.
enum EvaluationTask: String, CaseIterable {
  /// The classes of images.
  case classify
  /// Boxes in images.
  case detect

  /// What a model is for, by its outputs: one that has four of them, or boxes `[…, n, 4]`, detects.
  init(of model: Model, at path: String) throws(CommandError) {
    let shapes = try naming(path) { () throws(InferenceError) in
      try Interpreter(model).outputs.map { $0.type?.shape.dimensions ?? [] }
    }
    let hasBoxes = shapes.contains { $0.count == 3 && $0[2] == 4 }
    self = shapes.count == 4 || hasBoxes ? .detect : .classify
  }
}

/// The options of `eval` that belong to no other command.
struct EvalOptions {
  /// The task that is asked for; nil where the model says it.
  let task: EvaluationTask?
  /// The path of the file that says what is in the images.
  let truth: String?
  /// The k of top-k accuracy, rising; nil for 1 and 5.
  let ranks: [Int]?
  /// The most images.
  let limit: Int?
  /// How many images are worked on at a time.
  let jobs: Int
  /// Whether the confusion matrix is printed.
  let printsConfusion: Bool
  /// Where wrong images are listed.
  let errors: String?
  /// The least score of a detection; nil for the default.
  let threshold: Float?

  static let descriptions: [OptionDescription] = [
    .choice(
      "task", EvaluationTask.allCases.map(\.rawValue),
      "What is evaluated; by default, what the model's outputs look like."),
    .value(
      "truth", "file",
      "What is in the images: lines 'picture,label' (csv, or tsv with tabs), or COCO "
        + "annotations (json); images are looked for in PATH, or else beside the file.",
      completion: .files(["csv", "tsv", "json"])),
    .value("top", "k[,k...]", "The k of top-k accuracy.", defaultValue: "1,5"),
    .value("limit", "n", "Only so many images, evenly spaced among all."),
    .value("jobs", "n", "How many images at a time.", defaultValue: "1"),
    .value(
      "threshold", "x", "Only detections of a greater score.",
      defaultValue: "\(defaultThreshold)"),
    .flag("confusion", "Print which classes are taken for which."),
    .value(
      "errors", "file", "Write a line 'picture,truth,predicted,score' for each wrong image.",
      completion: .files(["csv"])),
    .value(
      "assert", "limit", "Exit with 1 unless a metric is as it must be: top1>=0.9.",
      isRepeated: true),
  ]

  /// Detections below it hardly move average precision, but take time.
  static let defaultThreshold: Float = 0.001

  init(_ arguments: ParsedArguments) throws(CommandError) {
    task = arguments.value("task").flatMap(EvaluationTask.init)
    truth = arguments.value("truth")
    ranks = try Self.ranks(arguments)
    limit =
      arguments.value("limit") == nil
      ? nil : try arguments.integer("limit", default: 0, in: 1...Int.max)
    jobs = try arguments.integer("jobs", default: 1, in: 1...1024)
    printsConfusion = arguments.flag("confusion")
    errors = arguments.value("errors")
    threshold = try arguments.number("threshold").map { Float($0) }
    if errors == "-" {
      throw arguments.usage("--errors goes to a file, the results to standard output")
    }
  }

  private static func ranks(_ arguments: ParsedArguments) throws(CommandError) -> [Int]? {
    guard let text = arguments.value("top") else { return nil }
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = words.compactMap { Int($0) }.filter { $0 > 0 }
    guard numbers.count == words.count, numbers.count <= 100 else {
      throw arguments.usage("'\(text)' for '--top', wanted numbers from 1 separated by commas")
    }
    return Set(numbers).sorted()
  }

  /// Checks that every option that was given has a meaning for `task`.
  func check(_ task: EvaluationTask, _ arguments: ParsedArguments) throws(CommandError) {
    let others: [String]
    switch task {
    case .classify: others = ["threshold"] + DecodingOptions.descriptions.map(\.name)
    case .detect: others = ["top", "confusion", "errors"]
    }
    for name in others where arguments.value(name) != nil || arguments.flag(name) {
      throw arguments.usage("--\(name) says nothing about the task \(task.rawValue)")
    }
  }

  /// So many of `items` as `--limit` allows, evenly spaced.
  func limited<Item>(_ items: [Item]) -> [Item] {
    guard let limit, limit < items.count else { return items }
    // Each product is at most the square of a number of files.
    return (0..<limit).map { items[$0 * items.count / limit] }
  }
}
