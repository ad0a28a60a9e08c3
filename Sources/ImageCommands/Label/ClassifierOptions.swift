// SPDX-License-Identifier: Apache-2.0

import VisionTasks

extension ImageClassifier.Options {
  /// What `--threshold`, the options of labels and those of images ask for.
  init(
    _ arguments: ParsedArguments, _ computation: ComputationOptions, _ console: any Console
  ) throws(CommandError) {
    self.init()
    let chosen = try LabelOptions(arguments, console)
    interpreter = computation.interpreter
    preprocessing = try ImageOptions(arguments).preprocessing
    maxResults = try LabelOptions.top(arguments)
    scoreThreshold = try arguments.number("threshold").map { Float($0) }
    locale = chosen.locale
    allowedLabels = chosen.allowed
    deniedLabels = chosen.denied
    labels = chosen.labels
  }
}

extension OptionDescription {
  /// `--threshold` of a classifier.
  static let leastScore = value(
    "threshold", "x", "The least score; by default, the metadata's.")
}
