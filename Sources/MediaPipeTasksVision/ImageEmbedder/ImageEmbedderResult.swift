// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon

/// The vectors of an image.
public final class ImageEmbedderResult: EmbedderTaskResult, @unchecked Sendable {}
