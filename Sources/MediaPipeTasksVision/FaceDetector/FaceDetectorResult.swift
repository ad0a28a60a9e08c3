// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// The faces in an image.
public final class FaceDetectorResult: DetectorTaskResult, @unchecked Sendable {}
