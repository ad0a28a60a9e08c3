// SPDX-License-Identifier: Apache-2.0

package import ModelTasks
package import Foundation

/// What the options of tasks that tell categories derive from.
open class CategoryTaskOptions: TaskOptions {
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

  override func takeShared(from other: TaskOptions) {
    super.takeShared(from: other)
    guard let other = other as? CategoryTaskOptions else { return }
    displayNamesLocale = other.displayNamesLocale
    maxResults = other.maxResults
    scoreThreshold = other.scoreThreshold
    categoryAllowlist = other.categoryAllowlist
    categoryDenylist = other.categoryDenylist
  }

  /// What the options say about categories.
  package func classes() throws(NSError) -> ClassificationOptions {
    try ClassificationOptions(
      locale: displayNamesLocale, maxResults: maxResults, scoreThreshold: scoreThreshold,
      allowlist: categoryAllowlist, denylist: categoryDenylist)
  }
}
