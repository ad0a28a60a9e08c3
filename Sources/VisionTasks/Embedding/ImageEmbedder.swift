// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Martlet
public import ModelTasks

/// Says what images are like: vectors that are similar for similar images.
///
/// ```swift
/// let embedder = try ImageEmbedder(Model(path: "mobilenet_embedder.tflite"))
/// let first = try embedder.embed(image)[0]
/// let second = try embedder.embed(other)[0]
/// print(try Embedding.cosineSimilarity(first, second))
/// ```
///
/// The rules are those of the task library's `ImageEmbedder`: outputs `[1, n]` or `[1, 1, 1, n]`,
/// as floats or 8-bit integers. An embedder belongs to one task at a time, as the interpreter it
/// holds.
public final class ImageEmbedder {
  /// How images are embedded.
  public struct Options: Sendable {
    /// How vectors are finished.
    public var embedding = EmbeddingOptions()
    /// How images become the model's input.
    public var preprocessing = Preprocessing()
    /// How the model is run.
    public var interpreter = Interpreter.Options()

    /// The model's vectors as they are.
    public init() {}
  }

  /// How images are embedded.
  public let options: Options
  /// What the model takes.
  public let input: ImageInput
  /// The model's interpreter.
  public let interpreter: Interpreter
  /// How many elements the vector of each of the model's outputs has.
  public let dimensions: [Int]
  private let names: [String]

  /// An embedder that runs `model`.
  ///
  /// - Throws: `VisionError` where the model gives no vectors.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    self.options = options
    let notes = try ModelNotes(forVision: model)
    interpreter = try VisionError.converting { () throws(TaskError) in
      try Interpreter(forTask: model, options: options.interpreter)
    }
    input = try ImageInput(
      of: interpreter, notes: notes, preprocessing: options.preprocessing)
    let outputs = interpreter.outputs
    var dimensions: [Int] = []
    for (index, output) in outputs.enumerated() {
      dimensions.append(
        try Self.dimension(output.type?.shape.dimensions ?? [], of: output, at: index))
    }
    self.dimensions = dimensions
    let described = notes.outputs ?? []
    names = outputs.enumerated().map { index, output in
      (described.indices.contains(index) ? described[index].name : nil) ?? output.name
    }
  }

  private static func dimension(
    _ sides: [Int], of output: Interpreter.TensorInfo, at index: Int
  ) throws(VisionError) -> Int {
    guard sides.count == 2 || sides.count == 4 else {
      throw .incompatibleModel(
        "Unexpected number of dimensions for output index \(index): got \(sides.count)D, expected either 2D (BxN with B=1) or 4D (BxHxWxN with B=1, W=1, H=1)."
      )
    }
    guard sides[0] == 1 else {
      throw .incompatibleModel(
        "The output array is expected to have a batch size of 1. Got \(sides[0]) for output index \(index)."
      )
    }
    guard sides.count == 2 || sides[1] == 1 && sides[2] == 1 else {
      throw .incompatibleModel(
        "Unexpected WxH sizes for output index \(index): got \(sides[2])x\(sides[1]), expected 1x1."
      )
    }
    switch output.type?.elementType {
    case .uint8, .float32, .int8, .int16: return sides[sides.count - 1]
    case let other:
      throw .incompatibleModel(
        "Type mismatch for output tensor \(output.name). Requested one of these types: kTfLiteUint8/kTfLiteFloat32, got \(other?.schemaName ?? "unknown")."
      )
    }
  }

  /// The vectors of an image, or of a part of it.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - region: the part to look at, in pixels of the image as stored, not turned; every pixel
  ///     that it touches counts. Nil for all of the image.
  ///   - orientation: how the image must be turned to be upright.
  /// - Returns: one vector for each of the model's outputs.
  /// - Throws: `VisionError` when the image cannot be prepared or the model fails on it.
  public func embed(
    _ image: PixelBuffer, region: ImageRect? = nil, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [Embedding] {
    try input.feed(image, region: region, orientation: orientation, to: interpreter)
    try VisionError.converting(interpreter.invokeForTask)
    var embeddings: [Embedding] = []
    for (index, name) in names.enumerated() {
      let values = try VisionError.converting { () throws(TaskError) in
        try interpreter.values(ofOutput: index)
      }
      embeddings.append(
        Embedding(
          headIndex: index, headName: name, values: options.embedding.finished(values)))
    }
    return embeddings
  }
}
