// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon

/// The masks of what a user points at in an image.
public final class InteractiveSegmenterLegacyResult: TaskResult, @unchecked Sendable {
  /// For each category, how sure the model is of it at each pixel; nil where not asked for.
  public let confidenceMasks: [Mask]?
  /// The category of each pixel, 255 for none; nil where not asked for.
  public let categoryMask: Mask?
  /// How good the model takes each mask to be, from 0 to 1; 1 of models that do not say.
  public let qualityScores: [NSNumber]?

  /// A result from its parts.
  public init(
    confidenceMasks: [Mask]?, categoryMask: Mask?, qualityScores: [NSNumber]?,
    timestampInMilliseconds: Int
  ) {
    self.confidenceMasks = confidenceMasks
    self.categoryMask = categoryMask
    self.qualityScores = qualityScores
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
