// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A point of an image, in shares of its width and height.
public final class NormalizedKeypoint: NSObject, @unchecked Sendable {
  /// Where the point is: 0 at the left and top, 1 at the right and bottom.
  public let location: CGPoint
  /// What the point is; nil where nothing is known.
  public let label: String?
  /// How sure the detector is of the point.
  public let score: Float

  /// A point from its parts.
  public init(location: CGPoint, label: String?, score: Float) {
    self.location = location
    self.label = label
    self.score = score
  }

  /// Whether another point has the same location, label and score.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NormalizedKeypoint else { return false }
    return location == other.location && label == other.label && score == other.score
  }

  /// The same for equal points.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(location.x)
    hasher.combine(location.y)
    hasher.combine(label)
    hasher.combine(score)
    return hasher.finalize()
  }
}

/// A thing in an image: where it is and what it may be.
public final class Detection: NSObject, @unchecked Sendable {
  /// What the thing may be.
  public let categories: [ResultCategory]
  /// Where it lies, in whole pixels of the image as stored; it may reach over the image's edges.
  public let boundingBox: CGRect
  /// Points of the thing; nil from detectors that know none.
  public let keypoints: [NormalizedKeypoint]?

  /// A thing from its parts.
  public init(
    categories: [ResultCategory], boundingBox: CGRect, keypoints: [NormalizedKeypoint]?
  ) {
    self.categories = categories
    self.boundingBox = boundingBox
    self.keypoints = keypoints
  }
}
