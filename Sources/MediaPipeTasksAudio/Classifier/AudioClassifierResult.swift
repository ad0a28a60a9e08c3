// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// What is heard in a clip, or in a window of a stream.
public final class AudioClassifierResult: TaskResult, @unchecked Sendable {
  /// One element for each window, with its time; of a stream, one.
  public let classificationResults: [ClassificationResult]

  /// A result from its parts.
  public init(classificationResults: [ClassificationResult], timestampInMilliseconds: Int) {
    self.classificationResults = classificationResults
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
