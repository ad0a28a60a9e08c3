// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import ModelTasks
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
  public typealias LabelFile = ModelTasks.LabelFile

  /// How scores are calibrated.
  public typealias Calibration = CalibrationFile

  /// What the model makes of an image.
  public enum Product: Sendable, Hashable {
    /// What the outputs tell: finished detections, or classes.
    case automatic
    /// The category of each pixel.
    case masks
    /// An image, or a number for each pixel.
    case image
    /// Vectors.
    case vectors
    /// What no metadata describes: points and alike.
    case others
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
  /// What the model makes of an image.
  public var product = Product.automatic
  /// What makes confidences of a segmenter's values, for MediaPipe.
  public var activation: SegmentationActivation?
  /// What the numbers of an image are that the model makes.
  public var outputRange: OutputPixelRange?
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
      || calibration != nil || product != .automatic
  }

  /// What is said about the results.
  package var results: ResultDescription {
    var results = ResultDescription()
    (results.output, results.name, results.labels) = (output, outputName, labels)
    (results.scoreThreshold, results.calibration) = (scoreThreshold, calibration)
    return results
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
      try VisionError.converting { () throws(TaskError) in try writer.describeOutputs() }
    }
    return writer.draft.finished(files, adding: results.files)
  }
}
