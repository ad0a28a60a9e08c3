// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// An object that a tracker follows.
public struct TrackedObject: Sendable, Hashable {
  /// The object's number: not negative, never given to another object by the same tracker.
  public let trackingID: Int

  /// Where the object is: the observed box smoothed, or the predicted one.
  public let frame: ImageRect

  /// The position of the observation in the list given to the tracker; nil where the object was
  /// not observed.
  public let observationIndex: Int?

  /// The score of the last observation.
  public let score: Float

  /// The category of the last observation that had one.
  public let categoryIndex: Int?

  /// For how many updates in a row the object has not been observed.
  public let missCount: Int
}

extension ObjectTracker {
  /// What a detector found in an image.
  public struct Observation: Sendable, Hashable {
    /// The box, in pixels of the image.
    public var frame: ImageRect
    /// How sure the detector is, usually from 0 to 1.
    public var score: Float
    /// The class, if known: an object seldom changes it.
    public var categoryIndex: Int?
    /// The look, if known; else it is taken from the image.
    public var appearance: Appearance?

    /// A finding.
    public init(
      frame: ImageRect, score: Float = 1, categoryIndex: Int? = nil, appearance: Appearance? = nil
    ) {
      self.frame = frame
      self.score = score
      self.categoryIndex = categoryIndex
      self.appearance = appearance
    }
  }
}
