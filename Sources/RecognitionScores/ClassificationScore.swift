// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How often a classifier is right about images whose classes are known.
///
/// ```swift
/// var score = ClassificationScore(classCount: 10)
/// for (image, digit) in images {
///   score.add(truth: digit, try classifier.classify(image)[0].classifications)
/// }
/// print(score.accuracy(top: 1) ?? 0, score.meanRecall ?? 0)
/// ```
///
/// Definitions are those of scikit-learn (`top_k_accuracy_score`, `confusion_matrix`,
/// `precision_recall_fscore_support`, `balanced_accuracy_score`) and, for the loss, of Keras'
/// `CategoricalCrossentropy`. Memory grows with the number of different pairs of true and predicted
/// class, not with its square.
public struct ClassificationScore: Sendable, Hashable {
  /// How often images of one class were taken for another, or for the same.
  public struct Confusion: Sendable, Hashable {
    /// The class that the images are of.
    public let truth: Int
    /// The class of the highest score; nil where no class had one.
    public let predicted: Int?
    /// How many images.
    public let count: Int
  }

  private struct Cell: Sendable, Hashable {
    let truth: Int
    let predicted: Int?
  }

  /// The number of classes.
  public let classCount: Int
  /// The k for which top-k accuracy is counted, rising.
  public let ranks: [Int]
  /// How many images were added.
  public private(set) var imageCount = 0
  private var hits: [Int]
  private var cells: [Cell: Int] = [:]
  private var lossSum = 0.0
  private var lossCount = 0

  /// A score without images.
  ///
  /// - Precondition: there is a class, and each rank is 1 or more.
  /// - Parameters:
  ///   - classCount: the number of classes; they are numbered from 0.
  ///   - ranks: the k for which top-k accuracy is wanted, in any order.
  public init(classCount: Int, ranks: [Int] = [1, 5]) {
    precondition(classCount > 0, "a classifier has classes")
    precondition(ranks.allSatisfy { $0 > 0 }, "ranks count from 1")
    self.classCount = classCount
    self.ranks = Set(ranks).sorted()
    hits = Array(repeating: 0, count: self.ranks.count)
  }

  /// Counts one image.
  ///
  /// - Precondition: `truth` and the classes of `ranking` are from 0 to `classCount` − 1.
  /// - Parameters:
  ///   - truth: the image's class.
  ///   - ranking: classes by falling scores; those that have none are missing.
  ///   - probability: what the classifier gave the true class, from 0 to 1; nil where its scores
  ///     are no probabilities.
  public mutating func add(truth: Int, ranking: [Int], probability: Double? = nil) {
    precondition((0..<classCount).contains(truth), "classes are numbered from 0")
    let predicted = ranking.first
    precondition(predicted.map((0..<classCount).contains) ?? true, "classes are numbered from 0")
    imageCount += 1
    cells[Cell(truth: truth, predicted: predicted), default: 0] += 1
    if let rank = ranking.firstIndex(of: truth) {
      for (position, limit) in ranks.enumerated() where rank < limit { hits[position] += 1 }
    }
    if let probability, (0...1).contains(probability) {
      lossSum -= log(min(max(probability, Self.leastProbability), 1 - Self.leastProbability))
      lossCount += 1
    }
  }

  /// What probabilities are raised to before the logarithm, as in Keras.
  private static let leastProbability = 1e-7

  /// How many images have their class among the k of the highest scores; nil where `top` is none
  /// of `ranks`.
  public func hitCount(top: Int) -> Int? { ranks.firstIndex(of: top).map { hits[$0] } }

  /// Top-k accuracy: the part of the images whose class is among the k of the highest scores.
  ///
  /// - Returns: a number from 0 to 1; nil without images, and where `top` is none of `ranks`.
  public func accuracy(top: Int) -> Double? {
    guard imageCount > 0 else { return nil }
    return hitCount(top: top).map { Double($0) / Double(imageCount) }
  }

  /// The 95 % Wilson interval of top-k accuracy; nil as for `accuracy(top:)`.
  public func interval(top: Int) -> ClosedRange<Double>? {
    hitCount(top: top).flatMap { ProportionInterval.wilson(hits: $0, of: imageCount) }
  }

  /// The mean cross-entropy −ln p of the true classes' probabilities, each at least 1e-7.
  ///
  /// Nil without images, and unless every image came with a probability.
  public var meanLoss: Double? {
    lossCount > 0 && lossCount == imageCount ? lossSum / Double(lossCount) : nil
  }

  /// How many images of class `truth` were taken for `predicted`; nil stands for no class.
  public func count(truth: Int, predicted: Int?) -> Int {
    cells[Cell(truth: truth, predicted: predicted)] ?? 0
  }

  /// The cells of the confusion matrix that are not 0: the most frequent first, then by true and
  /// by predicted class, no class being the first.
  public var confusions: [Confusion] {
    cells.map { Confusion(truth: $0.truth, predicted: $0.predicted, count: $1) }
      .sorted { a, b in
        (b.count, a.truth, a.predicted ?? -1) < (a.count, b.truth, b.predicted ?? -1)
      }
  }
}
