// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon
public import Foundation

/// How texts are classified.
public final class TextClassifierOptions: TaskOptions, CategoryOptions {
  /// The language of display names; empty for English.
  public var displayNamesLocale = ""
  /// The most results; all where it is negative; 0 is refused.
  public var maxResults = -1
  /// The score that results must reach, instead of the model's own threshold.
  public var scoreThreshold: Float = 0
  /// If not empty, only these categories are reported; excludes `categoryDenylist`.
  public var categoryAllowlist: [String] = []
  /// These categories are not reported.
  public var categoryDenylist: [String] = []

  /// All results.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.displayNamesLocale, \.maxResults, \.scoreThreshold, \.categoryAllowlist, \.categoryDenylist)
  }
}
