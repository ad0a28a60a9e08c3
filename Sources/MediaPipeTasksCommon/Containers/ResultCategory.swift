// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// One category and its score (`MPPCategory`).
public final class ResultCategory: NSObject, @unchecked Sendable {
  /// The category's position among the model's; -1 where it is not known.
  public let index: Int
  /// The score, most often a probability from 0 to 1.
  public let score: Float
  /// The name in the model's labels; nil where it has none.
  public let categoryName: String?
  /// The name for people in the chosen language; nil where the model has none.
  public let displayName: String?

  /// A category from its parts.
  public init(index: Int, score: Float, categoryName: String?, displayName: String?) {
    self.index = index
    self.score = score
    self.categoryName = categoryName
    self.displayName = displayName
  }
}
