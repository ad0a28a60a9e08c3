// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// How far a box and another one overlap.
struct ExplainedOverlap {
  /// The number of the other box.
  var box: Int
  /// The common area divided by that of the union.
  let overlap: Float
  /// The areas of both boxes, and the one that they share; nil where one of them has none.
  private let areas: (first: Float, second: Float, common: Float)?

  /// The overlap of `own` with the box of that number, by its definition; 0 for boxes without area.
  init(_ own: DetectionBox, with other: DetectionBox, number: Int) {
    box = number
    func area(_ box: DetectionBox) -> Float { (box.bottom - box.top) * (box.right - box.left) }
    let (first, second) = (area(own), area(other))
    guard !(first <= 0), !(second <= 0) else {
      (overlap, areas) = (0, nil)
      return
    }
    let height = max(min(own.bottom, other.bottom) - max(own.top, other.top), 0)
    let width = max(min(own.right, other.right) - max(own.left, other.left), 0)
    let common = height * width
    overlap = common / (first + second - common)
    areas = (first, second, common)
  }

  /// How it is computed.
  fileprivate var text: String {
    guard let areas else { return "a box without area" }
    return "\(areas.common) / (\(areas.first) + \(areas.second) - \(areas.common))"
  }

  /// The same overlap as the other box sees it, with this one's number.
  func turned(to number: Int) -> ExplainedOverlap {
    var turned = self
    turned.box = number
    return turned
  }
}

extension StepList {
  /// How many of a list of overlaps are written down; the number of all of them always is.
  private static let shownCount = 8

  /// The overlaps of a box with those selected before it, none of which drops it.
  mutating func tellKept(
    _ overlaps: [ExplainedOverlap], of box: Int, limit: Float, _ relation: String
  ) {
    for overlap in overlaps {
      add(
        "overlap", "of box \(box) with box \(overlap.box): \(overlap.text), \(relation) \(limit)",
        .float(overlap.overlap))
    }
  }

  /// How many boxes were dropped because of overlaps, and the first ones.
  mutating func tellDropped(
    _ overlaps: [ExplainedOverlap], of boxes: [Int], limit: Float, _ relation: String,
    _ text: String
  ) {
    add("dropped", text, integer: overlaps.count)
    for (overlap, box) in zip(overlaps, boxes).prefix(Self.shownCount) {
      add(
        "overlap",
        "of box \(box) with box \(overlap.box): \(overlap.text), \(relation) \(limit)",
        .float(overlap.overlap))
    }
  }
}
