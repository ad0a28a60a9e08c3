// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What an image, a sound or a text is like: a vector, and similar things have similar ones.
///
/// MediaPipe Tasks: `Embedding`; TensorFlow Lite Task Library: `FeatureVector`.
public struct Embedding: Sendable, Equatable {
  /// The position of the output that the vector is from.
  public let headIndex: Int
  /// The name of that output in the metadata, or of the tensor.
  public let headName: String
  /// The vector.
  public let values: Values

  /// A vector's elements.
  public enum Values: Sendable, Equatable {
    /// As the model computes them, perhaps divided by their length.
    case float([Float])
    /// Each element times 128, rounded and limited to −128 to 127.
    case quantized([Int8])
  }

  /// A vector of one of the model's outputs.
  public init(headIndex: Int, headName: String, values: Values) {
    self.headIndex = headIndex
    self.headName = headName
    self.values = values
  }

  /// The elements as floats; of a quantized vector, its integers.
  public var floats: [Float] {
    switch values {
    case .float(let values): values
    case .quantized(let values): values.map { Float($0) }
    }
  }

  /// How alike two vectors are: the cosine of the angle between them, from −1 to 1.
  ///
  ///     Σ a[i] b[i] / (‖a‖ ‖b‖)
  ///
  /// - Throws: `TaskError.invalidOption` where one vector is quantized and the other is not, their
  ///   lengths differ, or one of them is zero, has no elements, or has one that is no number.
  public static func cosineSimilarity(
    _ first: Embedding, _ second: Embedding
  ) throws(TaskError) -> Double {
    switch (first.values, second.values) {
    case (.float(let first), .float(let second)): return try cosine(first, second)
    case (.quantized, .quantized): return try cosine(first.floats, second.floats)
    case (.float, .quantized), (.quantized, .float):
      throw .invalidOption("a quantized embedding cannot be compared with a float one")
    }
  }

  private static func cosine(
    _ first: [Float], _ second: [Float]
  ) throws(TaskError) -> Double {
    guard first.count == second.count else {
      throw .invalidOption(
        "embeddings of \(first.count) and \(second.count) elements cannot be compared")
    }
    guard let cosine = cosine(first.span, second.span) else {
      throw .invalidOption("an embedding that is zero, or not finite, is like nothing")
    }
    return cosine
  }

  /// The cosine of the angle between vectors of one length; nil where one is zero or not finite.
  static func cosine(_ first: Span<Float>, _ second: Span<Float>) -> Double? {
    var (product, firstSquares, secondSquares) = (0.0, 0.0, 0.0)
    for index in first.indices {
      let (one, other) = (Double(first[index]), Double(second[index]))
      product += one * other
      firstSquares += one * one
      secondSquares += other * other
    }
    let lengths = firstSquares.squareRoot() * secondSquares.squareRoot()
    return lengths > 0 && lengths.isFinite ? product / lengths : nil
  }
}

/// How embeddings are finished.
public struct EmbeddingOptions: Sendable, Equatable {
  /// Whether vectors are divided by their length; not needed where the model does so.
  public var normalizesLength = false
  /// Whether elements become 8-bit integers.
  public var isQuantized = false

  /// The model's vectors as they are.
  public init() {}

  /// The vector that `elements` become.
  package func finished(_ elements: [Float]) -> Embedding.Values {
    var elements = elements
    if normalizesLength {
      let squares = elements.reduce(0) { $0 + $1 * $1 }
      if squares > 0 {
        let factor = 1 / squares.squareRoot()
        for index in elements.indices { elements[index] *= factor }
      }
    }
    guard isQuantized else { return .float(elements) }
    return .quantized(elements.map { Int8(clamping: Self.rounded($0 * 128)) })
  }

  /// The nearest integer within 16 bits, halves away from zero; 0 for what is no number.
  private static func rounded(_ value: Float) -> Int {
    guard !value.isNaN else { return 0 }
    return Int(min(max(value.rounded(.toNearestOrAwayFromZero), -32768), 32767))
  }
}
