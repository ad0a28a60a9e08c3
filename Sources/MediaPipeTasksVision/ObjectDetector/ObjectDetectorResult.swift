// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// The things in an image.
public final class ObjectDetectorResult: TaskResult, @unchecked Sendable {
  /// The things, best first.
  public let detections: [Detection]

  /// A result from its parts.
  public init(detections: [Detection], timestampInMilliseconds: Int) {
    self.detections = detections
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
