// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A point of a body in space, in meters from the middle of the body or hand.
public final class Landmark: NSObject, @unchecked Sendable {
  /// Meters to the right in the image.
  public let x: Float
  /// Meters down.
  public let y: Float
  /// Meters away from the camera.
  public let z: Float
  /// How sure it is that nothing hides the point; nil where the model does not say.
  public let visibility: NSNumber?
  /// How sure it is that the point is in the image; nil where the model does not say.
  public let presence: NSNumber?

  /// A point from its parts.
  public init(x: Float, y: Float, z: Float, visibility: NSNumber?, presence: NSNumber?) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
  }
}

/// A point of a face, hand or body in an image.
public final class NormalizedLandmark: NSObject, @unchecked Sendable {
  /// The share of the image's width.
  public let x: Float
  /// The share of the image's height.
  public let y: Float
  /// The depth, about in shares of the image's width; smaller is nearer.
  public let z: Float
  /// How sure it is that nothing hides the point; nil where the model does not say.
  public let visibility: NSNumber?
  /// How sure it is that the point is in the image; nil where the model does not say.
  public let presence: NSNumber?

  /// A point from its parts.
  public init(x: Float, y: Float, z: Float, visibility: NSNumber?, presence: NSNumber?) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
  }
}

/// Two landmarks that belong together, for drawings.
public final class Connection: NSObject, @unchecked Sendable {
  /// The position of the first landmark.
  public let start: UInt
  /// The position of the second landmark.
  public let end: UInt

  /// A connection of two landmarks by their positions.
  public init(start: UInt, end: UInt) {
    self.start = start
    self.end = end
  }
}
