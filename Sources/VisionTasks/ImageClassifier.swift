// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Martlet

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
  public struct Options: Sendable {
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
    /// How images become the model's input.
    public var preprocessing = Preprocessing()
    /// How the model is run.
    public var interpreter = Interpreter.Options()

    /// The model's own threshold and labels, every result.
    public init() {}
  }

  /// What a classifier says about an image on one of its outputs.
  public struct Head: Sendable {
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
  }

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
    guard options.maxResults != 0 else { throw .invalidOption("maxResults must not be 0") }
    guard options.allowedLabels.isEmpty || options.deniedLabels.isEmpty else {
      throw .invalidOption("allowed and denied labels exclude each other")
    }
    self.options = options
    do throws(InferenceError) {
      interpreter = try Interpreter(model, options: options.interpreter)
    } catch {
      throw .inference(error)
    }
    let metadata = try ModelNotes(model)
    input = try ImageInput(
      of: interpreter, metadata: metadata.metadata, preprocessing: options.preprocessing)
    heads = try ClassifierHead.heads(of: interpreter, notes: metadata, options: options)
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
    do throws(InferenceError) {
      try interpreter.invoke()
    } catch {
      throw .inference(error)
    }
    return try results()
  }

  /// What the interpreter's latest run says, one head for each of the model's outputs.
  package func results() throws(VisionError) -> [Head] {
    var results: [Head] = []
    for head in heads { results.append(try head.result(interpreter, options)) }
    return results
  }

  /// How many classes each of the model's outputs has.
  public var classCounts: [Int] { heads.map(\.classCount) }

  /// The labels of each of the model's outputs; nil for one without.
  public var labels: [LabelMap?] { heads.map(\.labels) }
}
