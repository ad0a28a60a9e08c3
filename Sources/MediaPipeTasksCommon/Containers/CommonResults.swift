// SPDX-License-Identifier: Apache-2.0

/// What the results of classifiers derive from.
open class ClassifierTaskResult: TaskResult, @unchecked Sendable {
  /// One element for each of the model's outputs.
  public let classificationResult: ClassificationResult

  /// A result from its parts.
  public init(classificationResult: ClassificationResult, timestampInMilliseconds: Int) {
    self.classificationResult = classificationResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}

/// What the results of embedders derive from.
open class EmbedderTaskResult: TaskResult, @unchecked Sendable {
  /// One element for each of the model's outputs.
  public let embeddingResult: EmbeddingResult

  /// A result from its parts.
  public init(embeddingResult: EmbeddingResult, timestampInMilliseconds: Int) {
    self.embeddingResult = embeddingResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}

/// What the results of detectors derive from.
open class DetectorTaskResult: TaskResult, @unchecked Sendable {
  /// What was found, best first.
  public let detections: [Detection]

  /// A result from its parts.
  public init(detections: [Detection], timestampInMilliseconds: Int) {
    self.detections = detections
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
