// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A box that a suppression kept, with what it was compared with.
struct KeptBox {
  /// The number of the box.
  let box: Int
  /// The score that it was ordered by.
  let score: Float
  /// Its overlaps with the boxes that were kept before it.
  var overlaps: [ExplainedOverlap] = []
  /// The boxes that it dropped, best first, each with the overlap.
  var dropped: [(box: Int, overlap: ExplainedOverlap)] = []
}

/// One detection: a class of a box.
struct TracedDetection {
  let kept: KeptBox
  let category: Int
  let score: Float
}

/// The detections of a node, found once more with all that decides about them.
struct TracedDetections {
  /// What stands in each row of the outputs; nil where rows are zero.
  private(set) var rows: [Int: TracedDetection] = [:]
  /// What the fourth output holds.
  private(set) var count = 0

  private let kernel: DetectionPostProcessKernel
  private let boxes: [DetectionBox]
  private let scores: [Float]

  init(_ kernel: DetectionPostProcessKernel, _ boxes: [DetectionBox], scores: [Float]) {
    self.kernel = kernel
    self.boxes = boxes
    self.scores = scores
    if kernel.options.isRegular { findByClass() } else { findByBestClass() }
  }

  private func score(_ box: Int, _ category: Int) -> Float {
    scores[box * kernel.scoreStride + kernel.scoreStride - kernel.options.classCount + category]
  }

  /// Every class is suppressed on its own; of all that is kept, the best detections count.
  private mutating func findByClass() {
    var best: [TracedDetection] = []
    for category in 0..<kernel.options.classCount {
      let own = boxes.indices.map { score($0, category) }
      let added = kept(own, atMost: kernel.options.detectionsPerClass).map {
        TracedDetection(kept: $0, category: category, score: $0.score)
      }
      // Sorting must be stable: of equal scores, the earlier class goes first.
      let all = (best + added).enumerated().sorted {
        ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
      }
      best = all.map(\.element).prefix(kernel.options.maxDetections).map { $0 }
    }
    for (row, detection) in best.enumerated() { rows[row] = detection }
    count = best.count
  }

  /// Boxes are suppressed by their best score; each that is kept gives some of its classes.
  private mutating func findByBestClass() {
    let options = kernel.options
    let categoryCount = min(options.maxClassesPerDetection, options.classCount)
    let categories = boxes.indices.map { bestCategories(of: $0, count: categoryCount) }
    let best = boxes.indices.map { score($0, categories[$0][0]) }
    let found = kept(best, atMost: options.maxDetections)
    for (position, box) in found.enumerated() {
      for (place, category) in categories[box.box].enumerated() {
        rows[position * options.maxClassesPerDetection + place] = TracedDetection(
          kept: box, category: category, score: score(box.box, category))
      }
    }
    count = found.count
  }

  /// The classes of a box's highest scores, best first.
  private func bestCategories(of box: Int, count: Int) -> [Int] {
    let row = (0..<kernel.options.classCount).map { score(box, $0) }
    guard count > 1 else {
      return [ExtremeSearch(of: row.map { .float($0) }, isMaximum: true)?.place ?? 0]
    }
    // Which of equal scores comes first is up to the heap.
    return StandardHeap.sorted(Array(row.indices), least: count) { row[$0] > row[$1] }
  }

  /// The boxes that are kept, by descending score; equal scores in the order of boxes.
  private func kept(_ scores: [Float], atMost limit: Int) -> [KeptBox] {
    var candidates = scores.indices.filter { scores[$0] >= kernel.options.scoreThreshold }.sorted {
      scores[$0] > scores[$1] || (scores[$0] == scores[$1] && $0 < $1)
    }
    var kept: [KeptBox] = []
    while kept.count < limit, let box = candidates.first {
      var own = KeptBox(box: box, score: scores[box])
      own.overlaps = kept.map {
        ExplainedOverlap(boxes[box], with: boxes[$0.box], number: $0.box)
      }
      candidates.removeFirst()
      candidates = candidates.filter { other in
        let overlap = ExplainedOverlap(boxes[box], with: boxes[other], number: other)
        guard overlap.overlap > kernel.options.overlapThreshold else { return true }
        own.dropped.append((other, overlap))
        return false
      }
      kept.append(own)
    }
    return kept
  }
}
