// SPDX-License-Identifier: Apache-2.0

import Testing
import VisionTasks

/// Overlap of boxes.
@Suite struct DetectionOverlapTests {
  private func box(
    _ left: Float, _ top: Float, _ right: Float, _ bottom: Float, _ score: Float = 1,
    index: Int = 0
  ) -> BoxDetection {
    BoxDetection(
      left: left, top: top, right: right, bottom: bottom, score: score, classIndex: index)
  }

  /// Common area by area in all: 2 by 4 + 4 − 2, 1 by 4, 0 apart and side by side.
  @Test func `overlap is the common area by the area in all`() {
    let first = box(0, 0, 2, 2)
    #expect(first.edges.overlap(with: first.edges) == 1)
    #expect(first.edges.overlap(with: box(1, 0, 3, 2).edges) == Float(2) / 6)
    #expect(first.edges.overlap(with: box(0.5, 0.5, 1.5, 1.5).edges) == 0.25)
    #expect(first.edges.overlap(with: box(2, 0, 4, 2).edges) == 0)
    #expect(first.edges.overlap(with: box(5, 5, 6, 6).edges) == 0)
  }

  /// The second box overlaps the first by 1/3, the third the second by 1/3; the fourth is apart.
  @Test func `a box falls to a better one that it overlaps, and what fell covers nothing`() {
    let boxes = [
      box(0, 0, 2, 2, 0.9), box(1, 0, 3, 2, 0.8), box(2, 0, 4, 2, 0.7), box(9, 9, 10, 10, 0.95),
    ]
    let kept = boxes.suppressed(threshold: 0.3, .allClasses, limit: 10)
    #expect(kept.map(\.score) == [0.95, 0.9, 0.7])
    #expect(boxes.suppressed(threshold: 0.34, .allClasses, limit: 10).count == 4)
    #expect(boxes.suppressed(threshold: 0.3, .allClasses, limit: 2).map(\.score) == [0.95, 0.9])
  }

  @Test func `boxes of other classes stand in the way only where all do`() {
    let boxes = [box(0, 0, 2, 2, 0.9, index: 1), box(0, 0, 2, 2, 0.8, index: 2)]
    #expect(boxes.suppressed(threshold: 0.5, .sameClass, limit: 10).count == 2)
    #expect(boxes.suppressed(threshold: 0.5, .allClasses, limit: 10) == [boxes[0]])
  }

  @Test func `of equal scores the first one comes first`() {
    let boxes = [
      box(0, 0, 2, 2, 0.5, index: 3), box(0, 0, 2, 2, 0.5, index: 1), box(3, 3, 4, 4, 0.6),
    ]
    #expect(boxes.sortedByScore().map(\.classIndex) == [0, 3, 1])
    #expect(boxes.suppressed(threshold: 0.5, .allClasses, limit: 9).map(\.classIndex) == [0, 3])
  }

  @Test func `boxes are cut to the input, and dropped where nothing is left`() {
    #expect(box(-1, 0.25, 2, 0.5).clipped == box(0, 0.25, 1, 0.5))
    #expect(box(-.infinity, 0, .infinity, 1).clipped == box(0, 0, 1, 1))
    #expect(box(.nan, 0, 1, 1).clipped == nil)
    #expect(box(0, 0, 1, 1, .nan).clipped == nil)
    #expect(box(0.5, 0, 0.5, 1).clipped == nil)
    #expect(box(1, 0, 2, 1).clipped == nil)
  }
}
