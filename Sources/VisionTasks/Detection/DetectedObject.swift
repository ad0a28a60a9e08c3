// SPDX-License-Identifier: Apache-2.0

public import Imaging
public import Landmarks

/// A thing in an image: where it is, how sure the detector is, and what it may be.
public struct DetectedObject: Sendable, Equatable {
  /// Where the object lies, in pixels of the image as stored, not turned; all inside the image.
  public var frame: ImageRect
  /// Where the detector sees the object, in the same pixels; it may reach over the image's edges.
  public var extent: ImageRect
  /// The rectangle around the object that is turned as the object is, in the same pixels, with a rotation
  /// below a right angle; nil of detectors whose boxes are not turned.
  public var rotatedFrame: RotatedRect?
  /// How sure the detector is, most often from 0 to 1.
  public var score: Float
  /// What the detector takes the object for; nil for one that knows no classes.
  public var category: Category?
  /// What the classifier sees in the frame, best first; empty without one, and where nothing
  /// reaches its threshold.
  public var classifications: [ImageClassifier.Classification]
  /// The number that a tracker gave the object, the same in all images of a stream; nil without
  /// one.
  public var trackingID: Int?

  /// One of a detector's own classes.
  public struct Category: Sendable, Hashable {
    /// The number of the class, as the model counts.
    public var index: Int
    /// The class name; empty where there are no labels.
    public var className: String
    /// The name for people in the chosen language; nil where the model has none.
    public var displayName: String?

    /// The display name, or else the class name.
    public var label: String { displayName ?? className }

    /// The label, or the number of a class without one.
    package var text: String { label.isEmpty ? "class \(index)" : label }

    /// A class with its number and names.
    public init(index: Int, className: String = "", displayName: String? = nil) {
      self.index = index
      self.className = className
      self.displayName = displayName
    }
  }

  /// An object from its parts; without an extent, that is the frame.
  public init(
    frame: ImageRect, extent: ImageRect? = nil, rotatedFrame: RotatedRect? = nil, score: Float,
    category: Category? = nil, classifications: [ImageClassifier.Classification] = [],
    trackingID: Int? = nil
  ) {
    self.frame = frame
    self.extent = extent ?? frame
    self.rotatedFrame = rotatedFrame
    self.score = score
    self.category = category
    self.classifications = classifications
    self.trackingID = trackingID
  }
}
