// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a text or an image is like, as a vector; similar ones have similar vectors.
///
/// Either `floatEmbedding` or `quantizedEmbedding` is there.
public final class Embedding: NSObject, @unchecked Sendable {
  /// The vector's elements as 32-bit floats; nil for a quantized vector.
  public let floatEmbedding: [NSNumber]?
  /// The vector's elements as 8-bit integers; nil for a vector of floats.
  public let quantizedEmbedding: [NSNumber]?
  /// The position of the output.
  public let headIndex: Int
  /// The output's name in the metadata, or of the tensor.
  public let headName: String?

  /// A vector from its parts.
  public init(
    floatEmbedding: [NSNumber]?, quantizedEmbedding: [NSNumber]?, headIndex: Int,
    headName: String?
  ) {
    self.floatEmbedding = floatEmbedding
    self.quantizedEmbedding = quantizedEmbedding
    self.headIndex = headIndex
    self.headName = headName
  }
}

/// The vectors of one text or image.
public final class EmbeddingResult: NSObject, @unchecked Sendable {
  /// One element for each head.
  public let embeddings: [Embedding]
  /// 0 for what has no time.
  public let timestampInMilliseconds: Int

  /// A result from its parts.
  public init(embeddings: [Embedding], timestampInMilliseconds: Int) {
    self.embeddings = embeddings
    self.timestampInMilliseconds = timestampInMilliseconds
  }
}
