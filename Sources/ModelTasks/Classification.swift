// SPDX-License-Identifier: Apache-2.0

/// One class and its score.
public struct Classification: Sendable, Equatable {
  /// The class's position in the output.
  public let index: Int
  /// The score, after calibration where the model has one.
  public let score: Float
  /// The class name; empty where the model has no labels.
  public let className: String
  /// The name for people in the chosen language; nil where the model has none.
  public let displayName: String?

  /// The display name, or else the class name.
  public var label: String { displayName ?? className }

  /// The label, or the number of a class without one.
  package var text: String { label.isEmpty ? "class \(index)" : label }

  package init(index: Int, score: Float, className: String, displayName: String? = nil) {
    self.index = index
    self.score = score
    self.className = className
    self.displayName = displayName
  }
}

/// What a classifier says on one of its outputs.
public struct ClassificationHead: Sendable {
  /// The position of the output.
  public let index: Int
  /// The output's name in the metadata, or of the tensor.
  public let name: String
  /// The results, best first; equal scores by class index.
  public let classifications: [Classification]
  /// The score that results must reach; nil for none.
  package let threshold: Float?
  /// The best of the wanted classes, whether it reaches the threshold or not.
  package let best: Classification?
}

/// Which classes are reported, and by which names.
public struct ClassificationOptions: Sendable {
  /// Scores below are dropped; nil takes the metadata's threshold, or none.
  public var scoreThreshold: Float?
  /// The most results for each output; nil for all.
  public var maxResults: Int?
  /// The language of display names.
  public var locale = "en"
  /// If not empty, only these class names are reported.
  public var allowedLabels: Set<String> = []
  /// These class names are not reported.
  public var deniedLabels: Set<String> = []
  /// Labels that replace the model's own.
  public var labels: LabelMap?

  /// The model's own threshold and labels, every result.
  public init() {}

  /// Refuses values that mean nothing.
  package func check() throws(TaskError) {
    guard maxResults != 0 else { throw .invalidOption("maxResults must not be 0") }
    guard allowedLabels.isEmpty || deniedLabels.isEmpty else {
      throw .invalidOption("allowed and denied labels exclude each other")
    }
  }
}
