// SPDX-License-Identifier: Apache-2.0

/// Average precision and recall of detections, over all classes or of one.
///
/// Each is a mean of values at several overlaps of each class; classes without a true box of the
/// size do not count. A number is nil where there is no true box at all, for which pycocotools has
/// −1.
public struct DetectionResult: Sendable {
  let curves: [Int: [DetectionScore.Size: DetectionCurves]]

  /// The classes that have true boxes to be found, rising.
  public var classIndices: [Int] { curves.keys.filter { curves[$0]?[.all] != nil }.sorted() }

  /// How many true boxes of a class are to be found; crowds do not count.
  public func truthCount(ofClass index: Int) -> Int { curves[index]?[.all]?.truthCount ?? 0 }

  /// Average precision: the mean of interpolated precisions at recalls of 0, 0.01, … 1.
  ///
  /// - Parameters:
  ///   - overlap: one of `DetectionScore.overlaps`, such as 0.5; nil for the mean over all.
  ///   - size: of which objects.
  ///   - classIndex: one class; nil for the mean over all.
  /// - Returns: a number from 0 to 1; nil where nothing is to be found, and for other overlaps.
  public func averagePrecision(
    overlap: Double? = nil, size: DetectionScore.Size = .all, classIndex: Int? = nil
  ) -> Double? {
    var bits = Array(DetectionScore.overlaps.indices)
    if let overlap { bits = bits.filter { abs(DetectionScore.overlaps[$0] - overlap) < 1e-9 } }
    return mean(size, classIndex) { curve in bits.map { curve.precisions[$0] } }
  }

  /// Average recall: the mean over the overlaps of the part of the true boxes that are found.
  ///
  /// - Parameters:
  ///   - detectionLimit: one of `DetectionScore.detectionLimits`: how many detections of each
  ///     image and class count, those of the highest scores.
  ///   - size: of which objects.
  ///   - classIndex: one class; nil for the mean over all.
  /// - Returns: a number from 0 to 1; nil where nothing is to be found, and for other limits.
  public func averageRecall(
    detectionLimit: Int = 100, size: DetectionScore.Size = .all, classIndex: Int? = nil
  ) -> Double? {
    guard let location = DetectionScore.detectionLimits.firstIndex(of: detectionLimit) else {
      return nil
    }
    return mean(size, classIndex) { $0.recalls[location] }
  }

  private func mean(
    _ size: DetectionScore.Size, _ classIndex: Int?, _ values: (DetectionCurves) -> [Double]
  ) -> Double? {
    let classes = classIndex.map { [$0] } ?? curves.keys.sorted()
    let all = classes.compactMap { curves[$0]?[size] }.flatMap(values)
    return all.isEmpty ? nil : all.reduce(0, +) / Double(all.count)
  }
}
