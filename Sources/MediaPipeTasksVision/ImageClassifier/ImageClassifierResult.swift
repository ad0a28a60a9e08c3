// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// What is in an image.
public final class ImageClassifierResult: TaskResult, @unchecked Sendable {
  /// One element for each of the model's outputs.
  public let classificationResult: ClassificationResult

  /// A result from its parts.
  public init(classificationResult: ClassificationResult, timestampInMilliseconds: Int) {
    self.classificationResult = classificationResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
