// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// The things in an image.
public final class ObjectDetectorResult: DetectorTaskResult, @unchecked Sendable {}
