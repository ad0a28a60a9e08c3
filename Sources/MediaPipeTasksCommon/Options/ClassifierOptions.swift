// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How a classifier inside another task works.
public final class ClassifierOptions: NSObject, NSCopying {
  /// The language of display names; nil for English.
  public var displayNamesLocale: String?
  /// The most results; all where it is negative; 0 is refused.
  public var maxResults = -1
  /// The score that results must reach, instead of the model's own threshold.
  public var scoreThreshold: Float = 0
  /// If not empty, only these categories are reported.
  public var categoryAllowlist: [String]?
  /// These categories are not reported.
  public var categoryDenylist: [String]?

  /// All results.
  public override init() {}

  /// The same options, which may be changed without changing these.
  public func copy(with zone: NSZone? = nil) -> Any { duplicate }

  /// The same options, which may be changed without changing these.
  package var duplicate: ClassifierOptions {
    let options = ClassifierOptions()
    options.displayNamesLocale = displayNamesLocale
    options.maxResults = maxResults
    options.scoreThreshold = scoreThreshold
    options.categoryAllowlist = categoryAllowlist
    options.categoryDenylist = categoryDenylist
    return options
  }
}
