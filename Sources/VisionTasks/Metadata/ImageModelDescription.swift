// SPDX-License-Identifier: Apache-2.0

public import Martlet
import Tensors

/// What the metadata of a classifier or detector of images says, so that ML Kit, MediaPipe and
/// TensorFlow Lite's task library can use the model.
///
/// The input is an image, with the normalization that float inputs need. A classifier's labels
/// belong to the output with as many classes; those of a detector that finishes its detections
/// itself belong to the output with class numbers, and its outputs get the names by which the task
/// library tells them apart.
public struct ImageModelDescription: Sendable {
  /// A label file.
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

  /// How scores are calibrated.
  public struct Calibration: Sendable {
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

  /// The position of the input that takes the image; nil for the only one that can.
  public var input: Int?
  /// The name of that input for people.
  public var inputName: String?
  /// How bytes of an image become values, one number for all channels or one for each.
  public var normalization: NormalizationOptions?
  /// What the channels are; nil for what their number says.
  public var colorSpace: ImageProperties.ColorSpace?
  /// The position of the output that labels, threshold and calibration belong to; nil for the one
  /// that the model or the number of labels tells.
  public var output: Int?
  /// The name of that output for people.
  public var outputName: String?
  /// What a detector's outputs are; nil for what the model tells.
  public var order: PostProcessOrder?
  /// The labels, once or in several languages.
  public var labels: [LabelFile] = []
  /// The score from which on results count.
  public var scoreThreshold: Float?
  /// How scores are made comparable.
  public var calibration: Calibration?

  /// A description that says nothing yet.
  public init() {}

  /// Whether anything is said about the image.
  var describesInput: Bool {
    input != nil || inputName != nil || normalization != nil || colorSpace != nil
  }

  /// Whether anything is said about results.
  var describesOutput: Bool {
    output != nil || outputName != nil || order != nil || !labels.isEmpty || scoreThreshold != nil
      || calibration != nil
  }

  /// The metadata and files of `model` after the description is put into them.
  ///
  /// Each input and output of the model gets an entry, with the graph's name where there was none.
  /// Files that only replaced parts of the metadata named are dropped.
  ///
  /// - Parameters:
  ///   - metadata: what is said so far; nil for nothing.
  ///   - files: the files so far.
  ///   - model: the model.
  /// - Returns: the metadata and the files, which `Model.bytes(with:files:)` takes.
  /// - Throws: `VisionError` that says which part does not fit the model.
  public func added(
    to metadata: ModelMetadata?, files: [AssociatedFileContents], of model: Model
  ) throws(VisionError) -> (metadata: ModelMetadata, files: [AssociatedFileContents]) {
    var writer = try ImageMetadataWriter(self, metadata, model)
    if describesInput || describesOutput {
      try writer.describeInput()
      try writer.describeOutputs()
    }
    let added = labels.map(\.file) + (calibration.map { [$0.file] } ?? [])
    let dropped = Set(metadata?.allAssociatedFiles.compactMap(\.name) ?? [])
      .subtracting(writer.metadata.allAssociatedFiles.compactMap(\.name))
    let kept = files.filter { file in
      !dropped.contains(file.name) && !added.contains { $0.name == file.name }
    }
    return (writer.metadata, kept + added)
  }
}
