// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a user points at in an image: one point, or the points of a scribble.
public final class RegionOfInterest: NSObject, @unchecked Sendable {
  /// The point; nil for a scribble.
  public let keypoint: NormalizedKeypoint?
  /// The points of a scribble; nil for one point.
  public let scribbles: [NormalizedKeypoint]?

  /// One point.
  public init(normalizedKeyPoint: NormalizedKeypoint) {
    keypoint = normalizedKeyPoint
    scribbles = nil
  }

  /// The points of a scribble.
  public init(scribbles: [NormalizedKeypoint]) {
    keypoint = nil
    self.scribbles = scribbles
  }
}
