// SPDX-License-Identifier: Apache-2.0

public import AudioCodecs
public import Martlet
import ModelTasks

/// Hears words such as "Alexa" in a stream, with the models of openWakeWord.
///
/// Three models follow each other. Every 80 ms of sound become rows of a mel spectrogram; the newest
/// 76 rows become an embedding; the newest 16 embeddings go to a classifier for each word.
///
/// ```swift
/// let detector = try WakeWordDetector(
///   melspectrogram: Model(path: "melspectrogram.tflite"),
///   embedding: Model(path: "embedding_model.tflite"),
///   words: ["alexa": Model(path: "alexa_v0.1.tflite")])
/// for result in try detector.process(block) where !result.detections.isEmpty {
///   print(result.milliseconds, result.detections)
/// }
/// ```
///
/// The results do not depend on how the stream is divided into blocks. Where openWakeWord fills the
/// history with embeddings of random noise and reports 0 for the first five steps, here scores begin
/// when there are enough embeddings of the stream itself. A detector belongs to one task at a time.
/// Source: `openwakeword/utils.py` and `model.py` of github.com/dscripka/openWakeWord.
public final class WakeWordDetector {
  /// When a word counts as heard.
  public struct Options: Sendable {
    /// The least score.
    public var threshold: Float = 0.5
    /// How many steps in a row must reach the threshold.
    public var patience = 1
    /// How many steps without the word must lie between two detections of it, beyond those that
    /// `patience` asks for; 12 are nearly a second.
    public var debounce = 12
    /// How the models are run.
    public var interpreter = Interpreter.Options()

    /// A score of 0.5 in one step, and a second between detections.
    public init() {}
  }

  /// What was heard at the end of a step of 80 ms.
  public struct Result: Sendable {
    /// When the step ends, in milliseconds from the beginning of the stream.
    public let milliseconds: Int
    /// The score of each word, from 0 to 1, by the names that the detector was given; for a
    /// classifier with several outputs, the names are followed by a colon and their number.
    public let scores: [String: Float]
    /// The words that begin to count as heard with this step, sorted.
    public let detections: [String]
  }

  /// When a word counts as heard.
  public let options: Options
  private let features: WakeWordFeatures
  private let words: [(name: String, classifier: WakeWordClassifier)]
  private var waiting: [Float] = []
  private var stepCount = 0
  private var streaks: [String: Int] = [:]
  private var lastHeard: [String: Int] = [:]

  /// A detector at the beginning of a stream.
  ///
  /// - Parameters:
  ///   - melspectrogram: Makes rows `[1, 1, rows, bands]` of samples `[1, samples]`.
  ///   - embedding: Makes a vector of rows `[1, 76, bands, 1]`.
  ///   - words: For each name, a classifier of vectors `[1, count, length]`.
  ///   - options: When a word counts as heard.
  /// - Throws: `AudioTaskError` for models that do not fit together, and for options out of range.
  public init(
    melspectrogram: Model, embedding: Model, words: [String: Model],
    options: Options = Options()
  ) throws(AudioTaskError) {
    guard options.patience > 0, options.debounce >= 0 else {
      throw .invalidOption("patience must be positive and debounce not negative")
    }
    self.options = options
    features = try WakeWordFeatures(melspectrogram, embedding, options.interpreter)
    var classifiers: [(name: String, classifier: WakeWordClassifier)] = []
    for name in words.keys.sorted() {
      guard let model = words[name] else { continue }
      let classifier = try WakeWordClassifier(
        model, name: name, vectorLength: features.vectorLength, options.interpreter)
      classifiers.append((name, classifier))
    }
    guard !classifiers.isEmpty else { throw .invalidOption("no word to listen for") }
    self.words = classifiers
    features.vectorCount = classifiers.map(\.classifier.vectorCount).max() ?? 0
  }

  /// Frames per second of the stream.
  public static let sampleRate = 16_000
  /// The frames of a step, 80 ms.
  public static let stepFrameCount = 1280

  /// Takes the next block of a stream.
  ///
  /// - Parameter block: Any number of frames at 16 kHz; several channels are mixed.
  /// - Returns: A result for each step that is complete now and has enough sound before it.
  /// - Throws: `AudioTaskError` for another rate, and when a model fails.
  public func process(_ block: AudioClip) throws(AudioTaskError) -> [Result] {
    guard block.sampleRate == Self.sampleRate else {
      throw .audio(.rate(block.sampleRate, expected: Self.sampleRate))
    }
    waiting += block.mono.samples
    var results: [Result] = []
    var start = 0
    defer { waiting.removeFirst(start) }
    while waiting.count - start >= Self.stepFrameCount {
      let step = waiting[start..<start + Self.stepFrameCount]
      start += Self.stepFrameCount
      stepCount += 1
      // The models know samples as 16-bit integers, given as floats.
      try features.process(step.map { Float(WAV.integer16($0)) })
      if let result = try result() { results.append(result) }
    }
    return results
  }

  /// Goes back to the beginning of a stream.
  public func reset() {
    waiting = []
    stepCount = 0
    streaks = [:]
    lastHeard = [:]
    features.reset()
  }

  /// The scores of the newest embeddings; nil while there are too few of them for each word.
  private func result() throws(AudioTaskError) -> Result? {
    var scores: [String: Float] = [:]
    for (name, classifier) in words {
      guard let vectors = features.newest(classifier.vectorCount) else { continue }
      let values = try classifier.scores(vectors)
      for (index, value) in values.enumerated() {
        scores[values.count == 1 ? name : "\(name):\(index)"] = value
      }
    }
    guard !scores.isEmpty else { return nil }
    return Result(
      milliseconds: stepCount * Self.stepFrameCount / (Self.sampleRate / 1000), scores: scores,
      detections: scores.keys.sorted().filter { isDetected($0, scores[$0] ?? 0) })
  }

  /// Whether a word begins to count as heard at this step.
  private func isDetected(_ name: String, _ score: Float) -> Bool {
    let streak = score >= options.threshold ? (streaks[name] ?? 0) + 1 : 0
    streaks[name] = streak
    guard streak >= options.patience else { return false }
    defer { lastHeard[name] = stepCount }
    guard let last = lastHeard[name] else { return true }
    return stepCount - last > options.debounce && streak == options.patience
  }
}
