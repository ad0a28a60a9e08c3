// SPDX-License-Identifier: Apache-2.0

package import ModelTasks

extension ClassificationOptions {
  /// What `--threshold`, `--top` and the options of labels ask for.
  package init(
    _ arguments: ParsedArguments, _ labels: LabelOptions
  ) throws(CommandError) {
    self.init()
    maxResults = try LabelOptions.top(arguments)
    scoreThreshold = try arguments.number("threshold").map { Float($0) }
    locale = labels.locale
    allowedLabels = labels.allowed
    deniedLabels = labels.denied
    self.labels = labels.labels
  }
}

extension OptionDescription {
  /// `--threshold` of a classifier.
  package static let leastScore = value(
    "threshold", "x", "The least score; by default, the metadata's.")
}
