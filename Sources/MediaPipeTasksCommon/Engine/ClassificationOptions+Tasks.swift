// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import ModelTasks

extension ClassificationOptions {
  /// What the options of a task say about classes.
  ///
  /// The threshold replaces the model's own even where the caller has not set it.
  package init(
    locale: String, maxResults: Int, scoreThreshold: Float, allowlist: [String],
    denylist: [String]
  ) throws(NSError) {
    self.init()
    guard maxResults != 0 else {
      throw TasksErrorCode.invalidArgumentError.status(
        "Invalid `max_results` option: value must be != 0.")
    }
    guard allowlist.isEmpty || denylist.isEmpty else {
      throw TasksErrorCode.invalidArgumentError.status(
        "`category_allowlist` and `category_denylist` are mutually exclusive options.")
    }
    if !locale.isEmpty { self.locale = locale }
    self.maxResults = maxResults < 0 ? nil : maxResults
    self.scoreThreshold = scoreThreshold
    allowedLabels = Set(allowlist)
    deniedLabels = Set(denylist)
  }

  /// What the options of a classifier inside another task say about classes.
  package init(_ options: ClassifierOptions) throws(NSError) {
    try self.init(
      locale: options.displayNamesLocale ?? "", maxResults: options.maxResults,
      scoreThreshold: options.scoreThreshold, allowlist: options.categoryAllowlist ?? [],
      denylist: options.categoryDenylist ?? [])
  }
}
