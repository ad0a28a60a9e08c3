// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// The faces in an image.
public final class FaceDetectorResult: TaskResult, @unchecked Sendable {
  /// The faces, best first, with six points each.
  public let detections: [Detection]

  /// A result from its parts.
  public init(detections: [Detection], timestampInMilliseconds: Int) {
    self.detections = detections
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
