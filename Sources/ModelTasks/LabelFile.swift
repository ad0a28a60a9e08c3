// SPDX-License-Identifier: Apache-2.0

public import MetadataFormat

/// A file of labels that is packed into a model.
public struct LabelFile: Sendable {
  /// The name under which it is packed, and its contents: a label on each line.
  public var file: AssociatedFileContents
  /// The language of the labels, such as `en`; nil where it does not matter.
  public var locale: String?

  /// A label file in this language.
  public init(_ file: AssociatedFileContents, locale: String? = nil) {
    self.file = file
    self.locale = locale
  }
}

/// A file that calibrates scores and is packed into a model.
public struct CalibrationFile: Sendable {
  /// The parameters: for each class `scale,slope,offset` and perhaps the smallest score, or an
  /// empty line.
  public var file: AssociatedFileContents
  /// What is done before, and the score of classes without parameters.
  public var options: ScoreCalibrationOptions

  /// A calibration by these parameters.
  public init(_ file: AssociatedFileContents, _ options: ScoreCalibrationOptions) {
    self.file = file
    self.options = options
  }
}

/// What metadata says about the results on an output, whatever the task.
public struct ResultDescription: Sendable {
  /// The position of the output; nil for the one that the model or the number of labels tells.
  public var output: Int?
  /// The name of the output for people.
  public var name: String?
  /// The labels, once or in several languages.
  public var labels: [LabelFile] = []
  /// The score from which on results count.
  public var scoreThreshold: Float?
  /// How scores are made comparable.
  public var calibration: CalibrationFile?

  /// A description that says nothing yet.
  public init() {}

  /// Whether nothing is said.
  package var isEmpty: Bool {
    output == nil && name == nil && labels.isEmpty && scoreThreshold == nil && calibration == nil
  }

  /// The files that are packed.
  package var files: [AssociatedFileContents] {
    labels.map(\.file) + (calibration.map { [$0.file] } ?? [])
  }
}
