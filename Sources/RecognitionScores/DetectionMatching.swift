// SPDX-License-Identifier: Apache-2.0

import Imaging

/// What became of the detections of one class and size, over all images.
struct DetectionTally: Sendable {
  /// One detection; a bit for each of `DetectionScore.overlaps`.
  struct Entry: Sendable {
    let score: Double
    /// The detection's location among those of its image and class, best first.
    let rank: Int
    /// Where it matched a true box.
    var matched: UInt16 = 0
    /// Where it counts neither as right nor as wrong.
    var ignored: UInt16 = 0
  }

  /// The detections, image by image, in each by falling scores.
  var entries: [Entry] = []
  /// How many true boxes there are to be found.
  var truthCount = 0
}

/// Which detections of one class find which true boxes of one image: `COCOeval.evaluateImg`.
struct DetectionMatching {
  private let detections: [DetectionScore.Detection]
  private let truths: [DetectionScore.Truth]
  /// The overlap of each detection with each true box, row by row.
  private let overlaps: [Double]

  init(_ found: [DetectionScore.Detection], truths: [DetectionScore.Truth]) {
    let detections = found.enumerated().sorted { first, second in
      (second.element.score, first.offset) < (first.element.score, second.offset)
    }.prefix(DetectionScore.detectionLimit).map(\.element)
    self.detections = detections
    self.truths = truths
    overlaps = detections.flatMap { detection in
      truths.map { truth in
        // A part of a crowd overlaps it as a whole.
        truth.isCrowd
          ? detection.frame.part(coveredBy: truth.frame)
          : detection.frame.overlap(with: truth.frame)
      }
    }
  }

  /// Adds what the image says about objects of one size.
  func count(in size: DetectionScore.Size, into tally: inout DetectionTally) {
    let areIgnored = truths.map { $0.isCrowd || !size.areas.contains($0.area) }
    // Those that count come before those that are ignored.
    let order = truths.indices.filter { !areIgnored[$0] } + truths.indices.filter { areIgnored[$0] }
    var entries = detections.enumerated().map { rank, detection in
      DetectionTally.Entry(score: detection.score, rank: rank)
    }
    for (bit, threshold) in DetectionScore.overlaps.enumerated() {
      var areTaken = Array(repeating: false, count: truths.count)
      for rank in detections.indices {
        if let match = match(rank, from: threshold, order, areIgnored, areTaken) {
          areTaken[match] = true
          entries[rank].matched |= 1 << bit
          if areIgnored[match] { entries[rank].ignored |= 1 << bit }
        } else if !size.areas.contains(detections[rank].frame.area) {
          entries[rank].ignored |= 1 << bit
        }
      }
    }
    tally.entries += entries
    tally.truthCount += areIgnored.count { !$0 }
  }

  /// The true box that a detection finds: of those still free, the one that it overlaps most, and
  /// of equal ones the last; one that is ignored only where no other will do.
  private func match(
    _ rank: Int, from threshold: Double, _ order: [Int], _ areIgnored: [Bool], _ areTaken: [Bool]
  ) -> Int? {
    // Boxes that are equal but for rounding overlap enough for any threshold.
    var least = min(threshold, 1 - 1e-10)
    var best: Int?
    for index in order {
      if areTaken[index], !truths[index].isCrowd { continue }
      if let best, !areIgnored[best], areIgnored[index] { break }
      let overlap = overlaps[rank * truths.count + index]
      guard overlap >= least else { continue }
      least = overlap
      best = index
    }
    return best
  }
}

extension ImageRect {
  fileprivate var area: Double { width * height }
}
