// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// What is in an image.
public final class ImageClassifierResult: ClassifierTaskResult, @unchecked Sendable {}
