// SPDX-License-Identifier: Apache-2.0

public import AudioCodecs
public import AudioProcessing
public import Martlet
public import ModelTasks

/// Gives vectors that are alike for sounds that are alike.
///
/// ```swift
/// let embedder = try AudioEmbedder(Model(path: "yamnet_embedding.tflite"))
/// let first = try embedder.embed(WAV.decode(bytes))[0].embeddings[0]
/// ```
///
/// Every output of the model is taken as an embedding. An embedder belongs to one task at a time,
/// as the interpreter it holds. TensorFlow Lite Task Library: `AudioEmbedder`.
public final class AudioEmbedder {
  /// How sounds are embedded.
  public struct Options: Sendable {
    /// How vectors are finished.
    public var embedding = EmbeddingOptions()
    /// What the model cannot say of its input.
    public var input = AudioInput.Options()
    /// The frames from the beginning of a window to that of the next; nil for as many as a window
    /// has, so that windows do not overlap.
    public var hop: Int?
    /// What turns sound into the features that the model takes; nil for a model that takes sound.
    public var features: FeatureModel?
    /// How the model is run.
    public var interpreter = Interpreter.Options()

    /// The model's vectors as they are.
    public init() {}
  }

  /// The vectors of a window.
  public struct Result: Sendable {
    /// When the window begins, in microseconds from the beginning of the sound.
    public let microseconds: Int
    /// One vector for each of the model's outputs.
    public let embeddings: [Embedding]

    /// When the window begins, in whole milliseconds.
    public var milliseconds: Int { microseconds / 1000 }
  }

  /// How sounds are embedded.
  public let options: Options
  private let runner: AudioRunner
  private let names: [String]

  /// An embedder that runs `model`.
  ///
  /// - Throws: `AudioTaskError` where the model takes no sound or the options are wrong.
  public init(_ model: Model, options: Options = Options()) throws(AudioTaskError) {
    self.options = options
    runner = try AudioRunner(
      model, options.input, features: options.features, hop: options.hop, options.interpreter)
    let outputs = runner.interpreter.outputs
    let described = try AudioTaskError.task { () throws(TaskError) in
      try ModelNotes(model).outputs ?? []
    }
    guard !outputs.isEmpty else { throw .incompatibleModel("The model has no output.") }
    guard described.isEmpty || described.count == outputs.count else {
      throw .incompatibleModel(
        "Mismatch between number of output tensors (\(outputs.count)) and output tensors metadata (\(described.count))."
      )
    }
    names = outputs.indices.map { index in
      (described.isEmpty ? nil : described[index].name) ?? outputs[index].name
    }
  }

  /// What the model takes; with a model of features, what that takes.
  public var input: AudioInput { runner.input }

  /// The model's interpreter; a new one for each sound where the model remembers earlier windows.
  public var interpreter: Interpreter { runner.interpreter }

  /// The frames that the model hears at once; nil where that is a whole clip.
  public var windowFrameCount: Int? { runner.windowFrameCount }

  /// The vectors of a clip.
  ///
  /// - Parameter clip: Sound of any rate, and with as many channels as the model takes, or any
  ///   number where it takes one.
  /// - Returns: A result for each window, as `AudioFraming` divides the clip: the last window ends
  ///   with zeros. None for a clip of no frames.
  /// - Throws: `AudioTaskError` when the clip cannot be prepared or the model fails on it.
  public func embed(_ clip: AudioClip) throws(AudioTaskError) -> [Result] {
    try runner.results(clip) { (time) throws(TaskError) in try result(time) }
  }

  /// A buffer for the newest frames of a stream, of the rate and channels that the model takes.
  ///
  /// - Returns: A buffer full of silence, for `embed(_:)`.
  /// - Throws: `AudioTaskError` for a model that takes any number of frames, without an option that
  ///   names one.
  public func makeBuffer() throws(AudioTaskError) -> AudioRingBuffer { try runner.makeBuffer() }

  /// The vectors of the newest frames of a stream.
  ///
  /// - Parameter buffer: As many frames as a window has, at the model's rate.
  /// - Returns: One vector for each of the model's outputs.
  /// - Throws: `AudioTaskError` for a buffer of another size, and when the model fails.
  public func embed(_ buffer: AudioRingBuffer) throws(AudioTaskError) -> [Embedding] {
    try runner.run(buffer)
    return try AudioTaskError.task { () throws(TaskError) in try result(0).embeddings }
  }

  /// Takes the next block of a stream.
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
    var embeddings: [Embedding] = []
    for (index, name) in names.enumerated() {
      let values = try runner.interpreter.values(ofOutput: index)
      embeddings.append(
        Embedding(headIndex: index, headName: name, values: options.embedding.finished(values)))
    }
    return Result(microseconds: microseconds, embeddings: embeddings)
  }
}
