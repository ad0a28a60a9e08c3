// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// The vectors of an image.
public final class ImageEmbedderResult: TaskResult, @unchecked Sendable {
  /// One element for each of the model's outputs.
  public let embeddingResult: EmbeddingResult

  /// A result from its parts.
  public init(embeddingResult: EmbeddingResult, timestampInMilliseconds: Int) {
    self.embeddingResult = embeddingResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
