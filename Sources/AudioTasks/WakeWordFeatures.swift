// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelTasks
import Tensors

/// The mel spectrogram and the embeddings of a stream.
final class WakeWordFeatures {
  private let spectrogram: Interpreter
  private let embedding: Interpreter
  private let rowCount: Int
  private let bandCount: Int
  let vectorLength: Int
  /// How many vectors are kept.
  var vectorCount = 16
  private var samples: [Float] = []
  private var rows: [Float] = []
  private var vectors: [[Float]] = []

  /// How much of the sound before a step the first rows of a step reach back: 30 ms.
  private static let overlap = 480

  init(
    _ spectrogram: Model, _ embedding: Model, _ options: Interpreter.Options
  ) throws(AudioTaskError) {
    (self.spectrogram, self.embedding) = try AudioTaskError.task { () throws(TaskError) in
      (
        try Interpreter(forTask: spectrogram, options: options),
        try Interpreter(forTask: embedding, options: options)
      )
    }
    guard let input = self.embedding.inputs.first?.type, input.elementType == .float32,
      input.shape.dimensions.count == 4, input.shape.dimensions[0] == 1,
      input.shape.dimensions[3] == 1, input.shape.dimensions[1] > 0, input.shape.dimensions[2] > 0
    else {
      throw .incompatibleModel(
        "The embedding model's input is float32 [1, rows, bands, 1] in openWakeWord.")
    }
    rowCount = input.shape.dimensions[1]
    bandCount = input.shape.dimensions[2]
    guard rowCount <= (1 << 24) / bandCount else {
      throw .incompatibleModel(
        "The embedding model takes \(rowCount) rows of \(bandCount) numbers.")
    }
    guard let sound = self.spectrogram.inputs.first,
      (sound.shapeSignature ?? sound.type?.shape.dimensions ?? []).count == 2,
      sound.type?.elementType == .float32
    else {
      throw .incompatibleModel(
        "The spectrogram model's input is float32 [1, samples] in openWakeWord.")
    }
    try AudioTaskError.inference(self.embedding.prepare)
    guard let length = self.embedding.outputs.first?.type?.shape.dimensions.last, length > 0
    else { throw .incompatibleModel("The embedding model has no output of known length.") }
    vectorLength = length
    reset()
  }

  /// Goes back to the beginning of a stream: rows of ones, no vectors.
  func reset() {
    samples = []
    rows = Array(repeating: 1, count: rowCount * bandCount)
    vectors = []
  }

  /// The newest vectors, one after the other; nil while there are fewer.
  func newest(_ count: Int) -> [Float]? {
    vectors.count >= count ? vectors.suffix(count).flatMap { $0 } : nil
  }

  /// Takes a step of the stream, in samples from -32768 to 32767.
  func process(_ step: [Float]) throws(AudioTaskError) {
    samples = samples.suffix(Self.overlap) + step
    rows += try newRows().map { $0 / 10 + 2 }
    rows.removeFirst(max(0, rows.count - rowCount * bandCount))
    let (embedding, rows) = (embedding, rows)
    let vector = try AudioTaskError.inference { () throws(InferenceError) in
      try embedding.setInput(0, rows)
      try embedding.invoke()
      return try embedding.output(0, as: Float.self)
    }
    guard vector.count == vectorLength else {
      throw .incompatibleModel("The embedding model gave \(vector.count) numbers.")
    }
    vectors.append(vector)
    if vectors.count > vectorCount { vectors.removeFirst(vectors.count - vectorCount) }
  }

  /// The rows of the spectrogram of `samples`.
  private func newRows() throws(AudioTaskError) -> [Float] {
    let (spectrogram, samples) = (spectrogram, samples)
    let rows = try AudioTaskError.inference { () throws(InferenceError) in
      let shape: Shape = [1, samples.count]
      if spectrogram.inputs.first?.type?.shape != shape {
        try spectrogram.resizeInput(0, to: shape)
      }
      try spectrogram.setInput(0, samples)
      try spectrogram.invoke()
      return try spectrogram.output(0, as: Float.self)
    }
    guard rows.count % bandCount == 0 else {
      throw .incompatibleModel(
        "The spectrogram has \(rows.count) numbers, the embedding model takes rows of \(bandCount)."
      )
    }
    return rows
  }
}

/// Says how sure it is that embeddings are those of a word.
struct WakeWordClassifier {
  private let interpreter: Interpreter
  /// How many embeddings are looked at.
  let vectorCount: Int

  init(
    _ model: Model, name: String, vectorLength: Int, _ options: Interpreter.Options
  ) throws(AudioTaskError) {
    interpreter = try AudioTaskError.task { () throws(TaskError) in
      try Interpreter(forTask: model, options: options)
    }
    guard let sides = interpreter.inputs.first?.type?.shape.dimensions, sides.count == 3,
      sides[0] == 1, (1...4096).contains(sides[1]), sides[2] == vectorLength
    else {
      throw .incompatibleModel(
        "The classifier of '\(name)' does not take embeddings [1, count, \(vectorLength)].")
    }
    vectorCount = sides[1]
  }

  /// The scores for vectors that follow each other; what is not a number counts as 0.
  func scores(_ vectors: [Float]) throws(AudioTaskError) -> [Float] {
    let interpreter = interpreter
    return try AudioTaskError.inference { () throws(InferenceError) in
      try interpreter.setInput(0, quantizing: vectors)
      try interpreter.invoke()
      return try interpreter.dequantizedOutput(0).map { $0.isNaN ? 0 : $0 }
    }
  }
}
