// SPDX-License-Identifier: Apache-2.0

public import AudioCodecs
public import AudioProcessing
public import Martlet
public import ModelTasks

/// Says what sounds are heard in a clip or a stream.
///
/// ```swift
/// let classifier = try AudioClassifier(Model(path: "yamnet.tflite"))
/// for result in try classifier.classify(WAV.decode(bytes)) {
///   print(result.milliseconds, result.heads[0].classifications[0].label)
/// }
/// ```
///
/// Sounds of another rate are resampled, those with several channels are mixed where the model
/// takes one. A classifier belongs to one task at a time, as the interpreter it holds.
/// MediaPipe Tasks: `AudioClassifier`; TensorFlow Lite Task Library: `AudioClassifier`.
public final class AudioClassifier {
  /// How sounds are classified.
  ///
  /// The properties of `classes` can be used as the options' own: `options.maxResults = 3`.
  @dynamicMemberLookup
  public struct Options: Sendable {
    /// Which classes are reported, and by which names.
    public var classes = ClassificationOptions()
    /// What the model cannot say of its input.
    public var input = AudioInput.Options()
    /// The frames from the beginning of a window to that of the next; nil for as many as a window
    /// has, so that windows do not overlap.
    public var hop: Int?
    /// What turns sound into the features that the model takes; nil for a model that takes sound.
    public var features: FeatureModel?
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

  /// What is heard in a window.
  public struct Result: Sendable {
    /// When the window begins, in microseconds from the beginning of the sound.
    public let microseconds: Int
    /// One head for each of the model's outputs.
    public let heads: [ClassificationHead]

    /// When the window begins, in whole milliseconds, as MediaPipe gives it.
    public var milliseconds: Int { microseconds / 1000 }
  }

  /// How sounds are classified.
  public let options: Options
  private let runner: AudioRunner
  private let heads: [ClassifierHead]

  /// A classifier that runs `model`.
  ///
  /// - Throws: `AudioTaskError` where the model is no audio classifier or the options are wrong.
  public init(_ model: Model, options: Options = Options()) throws(AudioTaskError) {
    self.options = options
    try AudioTaskError.task(options.classes.check)
    let runner = try AudioRunner(
      model, options.input, features: options.features, hop: options.hop, options.interpreter)
    self.runner = runner
    heads = try AudioTaskError.task { () throws(TaskError) in
      try ClassifierHead.heads(
        of: runner.interpreter, notes: try ModelNotes(model), options: options.classes)
    }
  }

  /// What the model takes; with a model of features, what that takes.
  public var input: AudioInput { runner.input }

  /// The model's interpreter; a new one for each sound where the model remembers earlier windows.
  public var interpreter: Interpreter { runner.interpreter }

  /// The frames that the model hears at once; nil where that is a whole clip.
  public var windowFrameCount: Int? { runner.windowFrameCount }

  /// The labels of each of the model's outputs; nil for one without.
  public var labels: [LabelMap?] { heads.map(\.labels) }

  /// What is heard in a clip.
  ///
  /// - Parameter clip: Sound of any rate, and with as many channels as the model takes, or any
  ///   number where it takes one.
  /// - Returns: A result for each window, as `AudioFraming` divides the clip: the last window ends
  ///   with zeros. None for a clip of no frames.
  /// - Throws: `AudioTaskError` when the clip cannot be prepared or the model fails on it.
  public func classify(_ clip: AudioClip) throws(AudioTaskError) -> [Result] {
    try runner.results(clip) { (time) throws(TaskError) in try result(time) }
  }

  /// A buffer for the newest frames of a stream, of the rate and channels that the model takes.
  ///
  /// - Returns: A buffer full of silence, for `classify(_:)`.
  /// - Throws: `AudioTaskError` for a model that takes any number of frames, without an option that
  ///   names one.
  public func makeBuffer() throws(AudioTaskError) -> AudioRingBuffer { try runner.makeBuffer() }

  /// What is heard in the newest frames of a stream, as the Task Library classifies them.
  ///
  /// - Parameter buffer: As many frames as a window has, at the model's rate.
  /// - Returns: One head for each of the model's outputs.
  /// - Throws: `AudioTaskError` for a buffer of another size, and when the model fails.
  public func classify(_ buffer: AudioRingBuffer) throws(AudioTaskError) -> [ClassificationHead] {
    try runner.run(buffer)
    return try AudioTaskError.task { () throws(TaskError) in try result(0).heads }
  }

  /// Takes the next block of a stream, as MediaPipe's stream mode does.
  ///
  /// - Parameter block: Any number of frames, of the same rate and channels in all blocks.
  /// - Returns: A result for each window that is complete now, often none.
  /// - Throws: `AudioTaskError` when the block cannot be prepared or the model fails.
  public func process(_ block: AudioClip) throws(AudioTaskError) -> [Result] {
    try runner.process(block) { (time) throws(TaskError) in try result(time) }
  }

  /// Ends the stream; the next block begins another one.
  ///
  /// - Returns: The results for what is left; the last window ends with zeros.
  /// - Throws: `AudioTaskError` when the model fails.
  public func finish() throws(AudioTaskError) -> [Result] {
    try runner.finish { (time) throws(TaskError) in try result(time) }
  }

  private func result(_ microseconds: Int) throws(TaskError) -> Result {
    Result(
      microseconds: microseconds,
      heads: try heads.results(of: runner.interpreter, options.classes))
  }
}
