// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// How well detections fit the true boxes of images: average precision and recall as COCO has
/// them.
///
/// ```swift
/// var score = DetectionScore()
/// for image in images { score.add(image.detections, truths: image.truths) }
/// let result = score.result
/// print(result.averagePrecision() ?? 0, result.averagePrecision(overlap: 0.5) ?? 0)
/// ```
///
/// Every number is that of `pycocotools.cocoeval.COCOeval` 2.0.11 for `iouType` `bbox`, ties
/// included, where images are added in the order of their ids. For each class and image, the
/// 100 detections of the highest scores are matched greedily, best first, each with the true box
/// that it overlaps most of those still free. A true box that is a crowd, or whose area is not in
/// the range looked at, is ignored: what matches it counts neither as right nor as wrong, and it
/// need not be found. A crowd may be matched by many.
public struct DetectionScore: Sendable {
  /// A box that should be found.
  public struct Truth: Sendable, Hashable {
    /// Where it lies, in pixels.
    public var frame: ImageRect
    /// The number of its class.
    public var classIndex: Int
    /// The area, in pixels, by which it is small, medium or large: of the object's outline where
    /// that is known, or else of the box.
    public var area: Double
    /// Whether the box surrounds several things that were not marked one by one.
    public var isCrowd: Bool

    /// A box from its parts; without an area, that of the frame.
    public init(frame: ImageRect, classIndex: Int, area: Double? = nil, isCrowd: Bool = false) {
      self.frame = frame
      self.classIndex = classIndex
      self.area = area ?? frame.width * frame.height
      self.isCrowd = isCrowd
    }
  }

  /// A box that was found.
  public struct Detection: Sendable, Hashable {
    /// Where it lies, in the same pixels as true boxes.
    public var frame: ImageRect
    /// The number of its class.
    public var classIndex: Int
    /// How sure the detector is, on any scale.
    public var score: Double

    /// A box from its parts.
    public init(frame: ImageRect, classIndex: Int, score: Double) {
      self.frame = frame
      self.classIndex = classIndex
      self.score = score
    }
  }

  /// The sizes of objects, by area; each range includes both of its ends.
  public enum Size: String, Sendable, Hashable, CaseIterable {
    /// Up to 10¹⁰ pixels.
    case all
    /// Up to 32² pixels.
    case small
    /// From 32² to 96² pixels.
    case medium
    /// From 96² to 10¹⁰ pixels.
    case large

    /// The areas that are of the size, in pixels.
    public var areas: ClosedRange<Double> {
      switch self {
      case .all: 0...1e10
      case .small: 0...1024
      case .medium: 1024...9216
      case .large: 9216...1e10
      }
    }
  }

  /// The overlaps, intersection over union, from which a detection is right: 0.50, 0.55, … 0.95.
  ///
  /// As numpy computes them, which decides about boxes that overlap by just as much.
  public static let overlaps: [Double] = {
    let step: Double = (0.95 - 0.5) / 9
    return (0..<9).map { Double($0) * step + 0.5 } + [0.95]
  }()

  /// The numbers of detections for each image and class to which recall is limited.
  public static let detectionLimits = [1, 10, 100]
  static let detectionLimit = 100

  /// How many images were added.
  public private(set) var imageCount = 0
  /// How many true boxes they have, crowds included.
  public private(set) var truthCount = 0
  /// How many detections were added.
  public private(set) var detectionCount = 0
  private var tallies: [Int: [Size: DetectionTally]] = [:]

  /// A score without images.
  public init() {}

  /// Counts one image.
  ///
  /// - Parameters:
  ///   - detections: what was found, in any order; of equal scores, the first go first. Those whose
  ///     score is NaN are left out.
  ///   - truths: what there is.
  public mutating func add(_ detections: [Detection], truths: [Truth]) {
    imageCount += 1
    truthCount += truths.count
    detectionCount += detections.count
    let found = Dictionary(grouping: detections.filter { !$0.score.isNaN }, by: \.classIndex)
    let wanted = Dictionary(grouping: truths, by: \.classIndex)
    for classIndex in Set(found.keys).union(wanted.keys) {
      let matching = DetectionMatching(
        found[classIndex] ?? [], truths: wanted[classIndex] ?? [])
      for size in Size.allCases {
        matching.count(
          in: size, into: &tallies[classIndex, default: [:]][size, default: DetectionTally()])
      }
    }
  }

  /// Average precision and recall over all images so far.
  ///
  /// - Complexity: O(n log n) in the number of detections.
  public var result: DetectionResult {
    DetectionResult(
      curves: tallies.mapValues { sizes in
        sizes.compactMapValues { tally in DetectionCurves(tally) }
      })
  }
}
