// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import ModelTasks

/// Options that choose among the categories of a classifier.
package protocol CategoryOptions {
  var displayNamesLocale: String { get }
  var maxResults: Int { get }
  var scoreThreshold: Float { get }
  var categoryAllowlist: [String] { get }
  var categoryDenylist: [String] { get }
}

extension CategoryOptions {
  /// What the options say about categories.
  package func classes() throws(NSError) -> ClassificationOptions {
    try ClassificationOptions(
      locale: displayNamesLocale, maxResults: maxResults, scoreThreshold: scoreThreshold,
      allowlist: categoryAllowlist, denylist: categoryDenylist)
  }
}
