// SPDX-License-Identifier: Apache-2.0

extension ObjectTracker {
  /// Which objects a tracker reports.
  public enum Focus: Sendable, Hashable {
    /// All of them.
    case all
    /// One: the most prominent when the choice is made, then the same as long as it is there.
    case prominent
  }

  /// How objects are followed.
  public struct Options: Sendable, Hashable {
    /// Which objects are reported.
    public var focus = Focus.all

    /// The most objects reported, those known for longest; nil for all.
    ///
    /// The others are followed all the same, so that none of them is taken for another.
    public var maxObjects: Int?

    /// The least score of observations that start a track, and that are matched first.
    public var confidentScore: Float = 0.4

    /// The least score of observations that may continue a track; others are ignored.
    ///
    /// An object that is half hidden often keeps being found with a low score: such
    /// observations are matched after the confident ones, by position alone.
    public var lowestScore: Float = 0.1

    /// How many updates an object must be seen in before it gets a tracking ID.
    ///
    /// With 1 it gets one at once. With more, findings that turn up once get none; objects of
    /// the first update get theirs at once all the same.
    public var hitsToConfirm = 1

    /// For how many updates in a row an object may be missing before its ID is given up.
    ///
    /// An object that was seen only a few times is given up sooner: after twice as many updates
    /// as it was seen in.
    public var missesToForget = 30

    /// For how many updates in a row a missing object is still reported, where it is predicted
    /// to be.
    public var missesToHide = 0

    /// How much looks count beside position when observations are matched with objects: 0 not at
    /// all, 1 alone.
    ///
    /// Looks are only known to a tracker that is given images.
    public var appearanceWeight = 0.4

    /// The largest `Appearance.distance(to:)` at which an object that was missing for some
    /// updates is taken for the same; less of it far from where the object should be.
    public var reidentificationDistance = 0.42

    /// All objects, an ID at once, a second's memory at 30 frames per second.
    public init() {}
  }
}
