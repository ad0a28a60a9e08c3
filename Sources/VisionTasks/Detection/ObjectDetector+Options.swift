// SPDX-License-Identifier: Apache-2.0

public import Martlet

extension ObjectDetector {
  /// What is looked for, and how.
  public struct Options: Sendable {
    /// The most objects, those of the highest scores; nil for all.
    public var maxObjects: Int? = 5
    /// Whether all objects are reported, or only the most prominent one.
    ///
    /// Of the objects above the threshold, the most prominent is the one for which this is largest:
    ///
    ///     score³ × √(area / image's area × (1 − distance / image's diagonal))
    ///
    /// with the distance from the middle of the object to that of the image. The power makes up for
    /// areas, which differ a hundredfold where scores differ twofold: otherwise large boxes of the
    /// background win. Equal ones are in the order of their scores.
    public var detectsMultipleObjects = true
    /// Only objects with a greater score are reported; nil takes the metadata's threshold, or else
    /// `defaultScoreThreshold`.
    public var scoreThreshold: Float?
    /// What the model's outputs are.
    public var decoding: DetectionDecoding = .automatic
    /// How much two objects may overlap, by area in common by area in all; of two that overlap
    /// more, only the one of the higher score is reported.
    ///
    /// Nil for 0.5 with raw heads, 0.7 with rotated boxes, and for no further selection with models that
    /// have made one. How much rotated boxes overlap is told by `RotatedRect.likeness(to:)`.
    public var overlapThreshold: Float?
    /// Which objects stand in each other's way where they overlap.
    public var suppression: Suppression = .sameClass
    /// Labels that replace the model's own.
    public var labels: LabelMap?
    /// Which label class 0 has; nil for the second one where the first is a background label
    /// (`???`, `background`, `__background__`), or else the first.
    public var labelOffset: Int?
    /// The language of display names.
    public var locale = "en"
    /// If not empty, only objects of these class names are reported.
    public var allowedLabels: Set<String> = []
    /// Objects of these class names are not reported.
    public var deniedLabels: Set<String> = []
    /// How images become the model's input.
    public var preprocessing = Preprocessing()
    /// How the model is run.
    public var interpreter = Interpreter.Options()
    /// A classification model that looks at each object; nil for none.
    public var classifier: Model?
    /// How the classifier works: by default, with at most 10 results for each object.
    public var classification: ImageClassifier.Options

    /// Up to 5 objects, with the model's own threshold and labels, not classified.
    public init() {
      classification = ImageClassifier.Options()
      classification.maxResults = 10
    }
  }

  /// Which objects stand in each other's way where they overlap.
  public enum Suppression: String, Sendable, Hashable, CaseIterable {
    /// Those of the same class.
    case sameClass
    /// All.
    case allClasses
  }

  /// The threshold of scores where neither the options nor the metadata have one.
  public static let defaultScoreThreshold: Float = 0.4
  /// The greatest overlap of two boxes of raw heads that are both reported, unless options say another.
  package static let usualOverlapThreshold: Float = 0.5
}

extension ObjectDetector.Options {
  func check() throws(VisionError) {
    if let maxObjects, maxObjects < 1 { throw .invalidOption("maxObjects must be 1 or more") }
    if let scoreThreshold, scoreThreshold.isNaN {
      throw .invalidOption("scoreThreshold must be a number")
    }
    if let overlapThreshold, !(0...1).contains(overlapThreshold) {
      throw .invalidOption("overlapThreshold must be from 0 to 1")
    }
    if let labelOffset, !(0...1 << 20).contains(labelOffset) {
      throw .invalidOption("labelOffset must be from 0 to \(1 << 20)")
    }
    guard allowedLabels.isEmpty || deniedLabels.isEmpty else {
      throw .invalidOption("allowed and denied labels exclude each other")
    }
  }
}
