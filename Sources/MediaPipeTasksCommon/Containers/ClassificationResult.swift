// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a classifier says on one of its outputs, a head.
public final class Classifications: NSObject, @unchecked Sendable {
  /// The position of the output.
  public let headIndex: Int
  /// The output's name in the metadata, or of the tensor.
  public let headName: String?
  /// The categories, best first.
  public let categories: [ResultCategory]

  /// What a head without a name says.
  public convenience init(headIndex: Int, categories: [ResultCategory]) {
    self.init(headIndex: headIndex, headName: nil, categories: categories)
  }

  /// What a head says.
  public init(headIndex: Int, headName: String?, categories: [ResultCategory]) {
    self.headIndex = headIndex
    self.headName = headName
    self.categories = categories
  }
}

/// What a classifier says of one image, text or window of sound.
public final class ClassificationResult: NSObject, @unchecked Sendable {
  /// One element for each head.
  public let classifications: [Classifications]
  /// When the window of sound begins; 0 for what has no time.
  public let timestampInMilliseconds: Int

  /// A result from its parts.
  public init(classifications: [Classifications], timestampInMilliseconds: Int) {
    self.classifications = classifications
    self.timestampInMilliseconds = timestampInMilliseconds
  }
}
