// SPDX-License-Identifier: Apache-2.0

public import AudioCodecs
import BundledModels
public import Martlet
import ModelTasks
import Tensors

/// Hears a word such as "Okay Nabu", or that somebody speaks, in a stream, with a model of
/// microWakeWord.
///
/// Every 10 ms of sound become 40 features by TensorFlow Lite Micro's audio front end. The model
/// takes a few rows of them at a time and remembers those before. A word counts as heard where the
/// mean of the newest probabilities exceeds a threshold.
///
/// ```swift
/// let detector = try MicroWakeWordDetector(Model(path: "okay_nabu.tflite"))
/// for result in try detector.process(block) where result.isHeard { print(result.milliseconds) }
/// ```
///
/// The results do not depend on how the stream is divided into blocks. A detector belongs to one
/// task at a time. Sources: `microwakeword.py` of github.com/OHF-Voice/pymicro-wakeword, and
/// github.com/kahrendt/microWakeWord.
public final class MicroWakeWordDetector {
  /// When a word counts as heard, and how features are made.
  ///
  /// The manifests of published models, JSON files beside them, say the first three.
  public struct Options: Sendable {
    /// What the mean must exceed, from 0 to 1: `probability_cutoff`.
    public var threshold: Float = 0.9
    /// How many of the newest probabilities are averaged, 1 to 1,000: `sliding_window_size`.
    public var windowSize = 5
    /// From one row of features to the next, 1 to 1,000 ms: `feature_step_size`.
    public var featureStep = 10
    /// What turns 480 samples at 16 kHz into 40 features; nil for the front end that comes with the
    /// package.
    public var frontEnd: Model?
    /// How the models are run.
    public var interpreter = Interpreter.Options()

    /// A mean of 0.9 over five probabilities.
    public init() {}
  }

  /// What is known at the end of a step.
  public struct Result: Sendable {
    /// When the step ends, in milliseconds from the beginning of the stream.
    public let milliseconds: Int
    /// What the model says, from 0 to 1.
    public let probability: Float
    /// The mean of the newest probabilities; 0 while there are too few of them.
    public let mean: Float
    /// Whether the word begins to count as heard with this step: the mean exceeds the threshold, and
    /// that of the step before did not.
    public let isHeard: Bool
  }

  /// Frames per second that the features are made of.
  public static let sampleRate = 16_000
  /// How many features a row has.
  static let featureCount = 40

  /// When a word counts as heard, and how features are made.
  public let options: Options
  private let runner: AudioRunner
  private let windowMilliseconds: Int
  private var probabilities: [Float] = []
  private var isExceeded = false

  /// A detector at the beginning of a stream.
  ///
  /// - Parameters:
  ///   - model: The model of a word: an input of rows `[1, rows, 40]`, an output of one probability.
  ///   - options: When a word counts as heard.
  /// - Throws: `AudioTaskError` for another model, options out of range, and where the front end is
  ///   missing.
  public init(_ model: Model, options: Options = Options()) throws(AudioTaskError) {
    guard (1...1000).contains(options.windowSize), (1...1000).contains(options.featureStep),
      (0...1).contains(options.threshold)
    else {
      throw .invalidOption(
        "a threshold of \(options.threshold) for the mean of \(options.windowSize), \(options.featureStep) ms apart"
      )
    }
    guard let rows = Self.rowCount(of: model) else {
      throw .incompatibleModel(
        "Models of microWakeWord have one input of 1 to \(Self.mostRows) rows, [1, rows, \(Self.featureCount)], and one output with a probability."
      )
    }
    self.options = options
    let frameStep = options.featureStep * (Self.sampleRate / 1000)
    let frontEnd = if let model = options.frontEnd { model } else { try Self.bundledFrontEnd() }
    var features = FeatureModel(frontEnd, hop: frameStep)
    features.forgets = false
    var input = AudioInput.Options()
    input.sampleRate = Self.sampleRate
    runner = try AudioRunner(
      model, input, features: features, hop: rows * frameStep, options.interpreter)
    windowMilliseconds = (runner.windowFrameCount ?? 0) / (Self.sampleRate / 1000)
  }

  /// The most rows that a model may take at once, ten seconds of the usual ones.
  private static let mostRows = 1000

  /// How many rows of features a model takes at once; nil for one that is none of microWakeWord's.
  private static func rowCount(of model: Model) -> Int? {
    guard let sides = rowShape(of: model), sides[0] == 1, (1...mostRows).contains(sides[1]),
      let graph = model.file.subgraphs.first, graph.outputs.count == 1,
      let output = graph.outputs.first, graph.tensors.indices.contains(output),
      graph.tensors[output].type.shape.dimensions.allSatisfy({ $0 == 1 })
    else { return nil }
    return sides[1]
  }

  /// The three sides of a model's only input, where that is rows of features; else nil.
  private static func rowShape(of model: Model) -> [Int]? {
    guard let graph = model.file.subgraphs.first, graph.inputs.count == 1,
      let input = graph.inputs.first, graph.tensors.indices.contains(input)
    else { return nil }
    let sides = graph.tensors[input].type.shape.dimensions
    return sides.count == 3 && sides[2] == featureCount ? sides : nil
  }

  /// Whether a model is meant to be one of microWakeWord's: it takes rows of features, and remembers
  /// those before.
  package static func takes(_ model: Model) -> Bool {
    guard rowShape(of: model) != nil, let graph = model.file.subgraphs.first else { return false }
    return graph.nodes.contains { $0.identity.name == "VAR_HANDLE" }
  }

  private static func bundledFrontEnd() throws(AudioTaskError) -> Model {
    let path: String
    do throws(BundledFileError) { path = try BundledModels.path(of: BundledModels.frontEnd) } catch
    {
      throw .task(.incompatibleModel("\(error)"))
    }
    return try AudioTaskError.inference { () throws(InferenceError) in try Model(path: path) }
  }

  /// The model's interpreter; a new one for each stream.
  package var interpreter: Interpreter { runner.interpreter }

  /// What the front end takes.
  package var input: AudioInput { runner.input }

  /// The frames that the first step hears.
  package var stepFrameCount: Int? { runner.windowFrameCount }

  /// Takes the next block of a stream.
  ///
  /// - Parameter block: Any number of frames, of the same rate and channels in all blocks; channels
  ///   are mixed, other rates than 16 kHz resampled.
  /// - Returns: A result for each step that is complete now.
  /// - Throws: `AudioTaskError` for another rate than before, and when a model fails.
  public func process(_ block: AudioClip) throws(AudioTaskError) -> [Result] {
    let runner = runner
    let steps = try runner.process(block) { (time) throws(TaskError) in
      do throws(InferenceError) {
        return (time, try runner.interpreter.dequantizedOutput(0).first ?? 0)
      } catch {
        throw .inference(error)
      }
    }
    return steps.map { result($0.1, endingAt: $0.0 / 1000 + windowMilliseconds) }
  }

  /// Goes back to the beginning of a stream.
  public func reset() {
    runner.endStream()
    probabilities = []
    isExceeded = false
  }

  private func result(_ value: Float, endingAt milliseconds: Int) -> Result {
    let probability = value.isNaN ? 0 : value
    probabilities.append(probability)
    if probabilities.count > options.windowSize { probabilities.removeFirst() }
    let isFull = probabilities.count == options.windowSize
    let sum = probabilities.reduce(0) { $0 + Double($1) }
    let mean = isFull ? Float(sum / Double(options.windowSize)) : 0
    let wasExceeded = isExceeded
    isExceeded = mean > options.threshold
    return Result(
      milliseconds: milliseconds, probability: probability, mean: mean,
      isHeard: isExceeded && !wasExceeded)
  }
}
