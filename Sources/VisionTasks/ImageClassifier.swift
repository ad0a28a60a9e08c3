// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Martlet
public import ModelTasks

/// Labels images: one implementation of preprocessing, score calibration, thresholds and labels.
///
/// ```swift
/// let classifier = try ImageClassifier(Model(path: "digits_int8.tflite"))
/// for result in try classifier.classify(image)[0].classifications {
///   print(result.label, result.score)
/// }
/// ```
///
/// A classifier belongs to one task at a time, as the interpreter it holds.
public final class ImageClassifier {
  /// How images are labeled.
  ///
  /// The properties of `classes` can be used as the options' own: `options.maxResults = 3`.
  @dynamicMemberLookup
  public struct Options: Sendable {
    /// Which classes are reported, and by which names.
    public var classes = ClassificationOptions()
    /// How images become the model's input.
    public var preprocessing = Preprocessing()
    /// How the model is run.
    public var interpreter = Interpreter.Options()

    /// The model's own threshold and labels, every result.
    public init() {}

    /// A property of `classes`.
    public subscript<Value>(
      dynamicMember path: WritableKeyPath<ClassificationOptions, Value>
    ) -> Value {
      get { classes[keyPath: path] }
      set { classes[keyPath: path] = newValue }
    }
  }

  /// What a classifier says about an image on one of its outputs.
  public typealias Head = ClassificationHead

  /// One class and its score.
  public typealias Classification = ModelTasks.Classification

  /// How images are labeled.
  public let options: Options
  /// What the model takes.
  public let input: ImageInput
  /// The model's interpreter.
  public let interpreter: Interpreter
  let heads: [ClassifierHead]

  /// A classifier that runs `model`.
  ///
  /// - Throws: `VisionError` where the model is no image classifier or the options are wrong.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    self.options = options
    try VisionError.converting(options.classes.check)
    let notes = try ModelNotes(forVision: model)
    interpreter = try VisionError.converting { () throws(TaskError) in
      try Interpreter(forTask: model, options: options.interpreter)
    }
    input = try ImageInput(
      of: interpreter, notes: notes, preprocessing: options.preprocessing)
    heads = try VisionError.converting { [interpreter] () throws(TaskError) in
      try ClassifierHead.heads(of: interpreter, notes: notes, options: options.classes)
    }
  }

  /// The classes of an image, or of a part of it.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - region: the part to look at, in pixels of the image as stored, not turned; every pixel
  ///     that it touches counts. Nil for all of the image.
  ///   - orientation: how the image must be turned to be upright.
  /// - Returns: one head for each of the model's outputs.
  /// - Throws: `VisionError` when the image cannot be prepared or the model fails on it.
  public func classify(
    _ image: PixelBuffer, region: ImageRect? = nil, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [Head] {
    try input.feed(image, region: region, orientation: orientation, to: interpreter)
    try VisionError.converting(interpreter.invokeForTask)
    return try results()
  }

  /// What the interpreter's latest run says, one head for each of the model's outputs.
  package func results() throws(VisionError) -> [Head] {
    try VisionError.converting { () throws(TaskError) in
      try heads.results(of: interpreter, options.classes)
    }
  }

  /// How many classes each of the model's outputs has.
  public var classCounts: [Int] { heads.map(\.classCount) }

  /// The labels of each of the model's outputs; nil for one without.
  public var labels: [LabelMap?] { heads.map(\.labels) }
}
