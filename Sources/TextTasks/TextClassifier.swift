// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import ModelTasks
import MetadataFormat
import Tensors

/// Says what a text is about, or in which language it is: one implementation of tokenizers, labels,
/// thresholds.
///
/// ```swift
/// let classifier = try TextClassifier(Model(path: "movie_review.tflite"))
/// for result in try classifier.classify("a great film")[0].classifications {
///   print(result.label, result.score)
/// }
/// ```
///
/// The model takes a string, or the numbers of tokens that its metadata's tokenizer makes: a
/// regular expression's, BERT's word pieces or SentencePiece's. Its outputs are scores `[classes]`
/// or `[1, classes]`, of real, quantized or Boolean type; labels are in the metadata, or another
/// output of strings or integers has them. A classifier belongs to one task at a time, as the
/// interpreter it holds. Task Library: `NLClassifier`, `BertNLClassifier`; MediaPipe:
/// `TextClassifier`, `LanguageDetector`.
public final class TextClassifier {
  /// How texts are classified.
  ///
  /// The properties of `classes` can be used as the options' own: `options.maxResults = 3`.
  @dynamicMemberLookup
  public struct Options: Sendable {
    /// Which classes are reported, and by which names.
    public var classes = ClassificationOptions()
    /// The input that takes the text; nil for the usual one.
    public var input: TensorChoice?
    /// The output of scores; nil for all outputs that can be.
    public var scores: TensorChoice?
    /// The output that has the labels of the scores; nil for none.
    public var labelOutput: TensorChoice?
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

  /// How texts are classified.
  public let options: Options
  /// The model's interpreter.
  public let interpreter: Interpreter
  private let input: TextInput
  private let heads: [TextHead]

  /// A classifier that runs `model`.
  ///
  /// - Throws: `TaskError` where the model is no text classifier or the options are wrong.
  public init(_ model: Model, options: Options = Options()) throws(TaskError) {
    try options.classes.check()
    self.options = options
    let notes = try ModelNotes(model)
    interpreter = try Interpreter(forTask: model, options: options.interpreter)
    input = try TextInput(of: interpreter, notes, choice: options.input)
    heads = try TextHead.heads(of: interpreter, notes, options)
  }

  /// The classes of a text.
  ///
  /// - Returns: one head for each output of scores.
  /// - Throws: `TaskError` when the text cannot become tokens or the model fails on it.
  public func classify(_ text: String) throws(TaskError) -> [ClassificationHead] {
    try input.feed(text, to: interpreter)
    try interpreter.invokeForTask()
    var results: [ClassificationHead] = []
    for head in heads { results.append(try head.result(interpreter, options.classes)) }
    return results
  }

  /// The labels of each head; nil for one whose labels a run tells, or without any.
  public var labels: [LabelMap?] { heads.map(\.labels) }
}
