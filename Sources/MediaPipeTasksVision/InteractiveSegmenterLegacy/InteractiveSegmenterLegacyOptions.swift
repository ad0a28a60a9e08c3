// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon

/// How images are segmented by what a user points at.
public final class InteractiveSegmenterLegacyOptions: TaskOptions {
  /// The language of display names.
  public var displayNamesLocale = "en"
  /// Whether there is a mask for each category that says how sure the model is.
  public var shouldOutputConfidenceMasks = true
  /// Whether there is a mask of each pixel's category.
  public var shouldOutputCategoryMask = false

  /// Confidence masks.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(\.displayNamesLocale, \.shouldOutputConfidenceMasks, \.shouldOutputCategoryMask)
  }
}
