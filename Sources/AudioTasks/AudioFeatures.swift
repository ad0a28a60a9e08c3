// SPDX-License-Identifier: Apache-2.0

import AudioProcessing
public import Martlet
import ModelTasks
import Tensors

/// A model that turns short pieces of sound into rows of features for another model.
///
/// TensorFlow Lite Micro's `micro_speech` has one, `audio_preprocessor_int8`: pieces of 30 ms, 20 ms
/// apart, become 40 numbers each, and the classifier takes 49 such rows, that is about a second.
public struct FeatureModel: Sendable {
  /// The model: its first input takes a piece of sound, its first output is a row.
  public var model: Model
  /// The frames from the beginning of a piece to that of the next.
  public var hop: Int
  /// Whether the model of features begins anew with each window of the other model, as micro_speech
  /// has it: it learns the noise of a window and forgets it.
  ///
  /// Models that remember earlier rows themselves, as those of microWakeWord, take each row of a
  /// stream once: then nothing is forgotten, and the task's hop is that of its rows together.
  public var forgets = true

  /// Rows by `model` for pieces that begin every `hop` frames.
  public init(_ model: Model, hop: Int) {
    self.model = model
    self.hop = hop
  }
}

/// Computes the rows of features for the input of a model.
final class AudioFeatures {
  let input: AudioInput
  /// The frames of sound that all rows need.
  let windowFrameCount: Int
  private var interpreter: Interpreter
  private let framing: AudioFraming
  private let rowCount: Int
  private let isCopied: Bool
  private let forgets: Bool

  /// Features by `features` for the first input of `target`.
  init(
    _ features: FeatureModel, for target: Interpreter, _ options: AudioInput.Options,
    _ interpreterOptions: Interpreter.Options
  ) throws(AudioTaskError) {
    interpreter = try AudioTaskError.task { () throws(TaskError) in
      try Interpreter(forTask: features.model, options: interpreterOptions)
    }
    input = try AudioInput(of: interpreter, model: features.model, options: options)
    guard let pieceFrameCount = input.frameCount else {
      throw .invalidOption("the model of features takes any number: windowFrameCount is needed")
    }
    framing = try AudioTaskError.audio { () throws(AudioProcessingError) in
      try AudioFraming(frameCount: pieceFrameCount, hop: features.hop)
    }
    try AudioTaskError.inference(interpreter.prepare)
    guard let output = interpreter.outputs.first?.type, let type = target.inputs.first?.type,
      target.inputs.count == 1
    else { throw .incompatibleModel("Models of features have an output, others one input.") }
    guard let width = Self.count(output), let count = Self.count(type), width > 0, count > 0,
      count % width == 0
    else {
      throw .incompatibleModel(
        "The input \(type.shape.dimensions) holds no rows of the features \(output.shape.dimensions)."
      )
    }
    rowCount = count / width
    forgets = features.forgets
    let (reach, overflow) = (rowCount - 1).multipliedReportingOverflow(by: framing.hop)
    guard !overflow, reach < 1 << 28,
      reach + pieceFrameCount <= (1 << 28) / input.channelCount
    else {
      throw .invalidOption(
        "\(rowCount) pieces of sound, each \(framing.hop) frames on, are too much")
    }
    windowFrameCount = reach + pieceFrameCount
    // Integers of the same type go over as they are: rows often lack the scale of the input.
    isCopied = output.elementType == type.elementType && output.elementType != .float32
  }

  /// The number of elements, if it is known.
  private static func count(_ type: TensorType) -> Int? {
    var count = 1
    for side in type.shape.dimensions {
      let (product, overflow) = count.multipliedReportingOverflow(by: side)
      guard !overflow, side > 0 else { return nil }
      count = product
    }
    return count
  }

  /// Begins a sound.
  func reset() throws(AudioTaskError) { interpreter = try interpreter.atBeginning() }

  /// Writes the rows of a window into the input of a model.
  func feed(_ window: [Float], to target: Interpreter) throws(AudioTaskError) {
    guard window.count == windowFrameCount * input.channelCount else {
      throw .audio(.frameCount(window.count / input.channelCount))
    }
    if forgets { try reset() }
    var bytes: [UInt8] = []
    var values: [Float] = []
    let piece = framing.frameCount * input.channelCount
    for row in 0..<rowCount {
      let start = row * framing.hop * input.channelCount
      try input.feed(Array(window[start..<start + piece]), to: interpreter)
      try AudioTaskError.task(interpreter.invokeForTask)
      let (interpreter, isCopied) = (interpreter, isCopied)
      try AudioTaskError.inference { () throws(InferenceError) in
        if isCopied {
          bytes += try interpreter.outputBytes(0)
        } else {
          values += try interpreter.dequantizedOutput(0)
        }
      }
    }
    try AudioTaskError.inference { () throws(InferenceError) in
      if isCopied {
        try target.setInput(0, bytes: bytes)
      } else {
        try target.setInput(0, quantizing: values)
      }
    }
  }
}
