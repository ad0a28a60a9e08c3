// SPDX-License-Identifier: Apache-2.0

extension ClassificationScore {
  /// How a classifier fares with one class.
  public struct ClassResult: Sendable, Hashable {
    /// The class.
    public let index: Int
    /// How many images are of the class.
    public let support: Int
    /// How many images were taken for the class.
    public let predictedCount: Int
    /// How many of both at once.
    public let truePositiveCount: Int

    /// The part of the images taken for the class that are of it; nil where there are none.
    public var precision: Double? { Self.quotient(truePositiveCount, predictedCount) }

    /// The part of the class's images that were taken for it; nil where there are none.
    public var recall: Double? { Self.quotient(truePositiveCount, support) }

    /// The harmonic mean of precision and recall, 2 TP / (support + predicted); nil where the class
    /// is neither there nor predicted.
    public var f1: Double? { Self.quotient(2 * truePositiveCount, support + predictedCount) }

    private static func quotient(_ part: Int, _ whole: Int) -> Double? {
      whole > 0 ? Double(part) / Double(whole) : nil
    }
  }

  /// The result of each class, by index.
  public var classes: [ClassResult] {
    var counts = Array(repeating: (support: 0, predicted: 0, hits: 0), count: classCount)
    for cell in confusions {
      counts[cell.truth].support += cell.count
      guard let predicted = cell.predicted else { continue }
      counts[predicted].predicted += cell.count
      if predicted == cell.truth { counts[predicted].hits += cell.count }
    }
    return counts.enumerated().map { index, count in
      ClassResult(
        index: index, support: count.support, predictedCount: count.predicted,
        truePositiveCount: count.hits)
    }
  }

  /// Mean recall, or balanced accuracy: the mean over the classes that have images.
  public var meanRecall: Double? { Self.mean(classes.compactMap(\.recall)) }

  /// Mean precision over the classes that are there or predicted; one never predicted counts as 0.
  public var meanPrecision: Double? {
    Self.mean(classes.compactMap { $0.f1 == nil ? nil : $0.precision ?? 0 })
  }

  /// Mean F1 over the classes that are there or predicted.
  public var meanF1: Double? { Self.mean(classes.compactMap(\.f1)) }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}
