// SPDX-License-Identifier: Apache-2.0

/// Precision and recall of one class and size: `COCOeval.accumulate`.
struct DetectionCurves: Sendable {
  /// How many true boxes there are to be found.
  let truthCount: Int
  /// Average precision at each of `DetectionScore.overlaps`.
  let precisions: [Double]
  /// For each of `DetectionScore.detectionLimits`, the recall at each of the overlaps.
  let recalls: [[Double]]

  /// The curves of a tally; nil where nothing was to be found.
  init?(_ tally: DetectionTally) {
    guard tally.truthCount > 0 else { return nil }
    truthCount = tally.truthCount
    let entries = Self.byScore(tally.entries)
    precisions = DetectionScore.overlaps.indices.map { bit in
      Self.averagePrecision(entries, bit: bit, truthCount: tally.truthCount)
    }
    recalls = DetectionScore.detectionLimits.map { limit in
      DetectionScore.overlaps.indices.map { bit in
        let hits = entries.count { $0.rank < limit && $0.isHit(bit) }
        return Double(hits) / Double(tally.truthCount)
      }
    }
  }

  /// The entries by score, the highest first; equal scores keep their order.
  private static func byScore(_ entries: [DetectionTally.Entry]) -> [DetectionTally.Entry] {
    let order: [Int] = entries.indices.sorted { first, second in
      let (before, after) = (entries[first].score, entries[second].score)
      return before == after ? first < second : before > after
    }
    return order.map { entries[$0] }
  }

  /// The mean of the precisions at recalls of 0, 0.01, … 1, each the greatest at that recall or
  /// beyond, and 0 where the recall is not reached.
  private static func averagePrecision(
    _ entries: [DetectionTally.Entry], bit: Int, truthCount: Int
  ) -> Double {
    var (hits, misses) = (0.0, 0.0)
    var recalls: [Double] = []
    var precisions: [Double] = []
    for entry in entries {
      if entry.isHit(bit) {
        hits += 1
      } else if entry.isMiss(bit) {
        misses += 1
      }
      recalls.append(hits / Double(truthCount))
      // The summand keeps nothing from being divided by nothing.
      precisions.append(hits / (misses + hits + Double.ulpOfOne))
    }
    for index in precisions.indices.dropFirst().reversed() {
      precisions[index - 1] = max(precisions[index - 1], precisions[index])
    }
    var (sum, location) = (0.0, 0)
    for step in 0...100 {
      while location < recalls.count, recalls[location] < Double(step) * 0.01 { location += 1 }
      guard location < recalls.count else { break }
      sum += precisions[location]
    }
    return sum / 101
  }
}

extension DetectionTally.Entry {
  /// Whether the detection is right at one of the overlaps.
  fileprivate func isHit(_ bit: Int) -> Bool { matched & ~ignored & 1 << bit != 0 }

  /// Whether the detection is wrong at one of the overlaps.
  fileprivate func isMiss(_ bit: Int) -> Bool { (matched | ignored) & 1 << bit == 0 }
}
