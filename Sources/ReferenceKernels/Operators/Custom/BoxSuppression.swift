// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A box by its edges, in whatever unit the anchors have.
package struct DetectionBox {
  package let top: Float
  package let left: Float
  package let bottom: Float
  package let right: Float

  /// The box with these edges.
  package init(top: Float, left: Float, bottom: Float, right: Float) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }

  /// The box that a detector encodes relative to an anchor.
  ///
  ///     centre = encoding / scale · anchor size + anchor centre
  ///     size = exp(encoding / scale) · anchor size
  ///
  /// Encodings, anchors and scales are y, x, height, width. Computed in double precision and
  /// narrowed before the halves are added and subtracted.
  package init(
    encodings: [Float], at encoding: Int, anchors: [Float], at anchor: Int, scales: [Float]
  ) {
    func encoded(_ part: Int) -> Double {
      Double(encodings[encoding + part]) / Double(scales[part])
    }
    let anchorHeight = Double(anchors[anchor + 2])
    let anchorWidth = Double(anchors[anchor + 3])
    let y = Float(encoded(0) * anchorHeight + Double(anchors[anchor]))
    let x = Float(encoded(1) * anchorWidth + Double(anchors[anchor + 1]))
    let halfHeight = Float(0.5 * exp(encoded(2)) * anchorHeight)
    let halfWidth = Float(0.5 * exp(encoded(3)) * anchorWidth)
    (top, left) = (y - halfHeight, x - halfWidth)
    (bottom, right) = (y + halfHeight, x + halfWidth)
  }

  /// Whether no edge lies beyond the opposite one.
  var isOrdered: Bool { !(top > bottom || left > right) }

  private var area: Float { (bottom - top) * (right - left) }

  /// The common area divided by the area of the union; 0 for boxes without area.
  package func overlap(with other: DetectionBox) -> Float {
    let (own, others) = (area, other.area)
    if own <= 0 || others <= 0 { return 0 }
    let height = max(min(bottom, other.bottom) - max(top, other.top), 0)
    let width = max(min(right, other.right) - max(left, other.left), 0)
    let common = height * width
    return common / (own + others - common)
  }
}

/// Non-max suppression: of boxes that overlap, only the one with the highest score is kept.
struct BoxSuppression {
  let boxes: [DetectionBox]
  let scoreThreshold: Float
  let overlapThreshold: Float

  /// The boxes that are kept, by descending score; equal scores in the order of boxes.
  func selected(_ scores: [Float], atMost limit: Int) -> [Int] {
    // Swift's sort is stable in practice, but only the index makes it certain.
    let candidates = scores.indices.filter { scores[$0] >= scoreThreshold }.sorted {
      scores[$0] > scores[$1] || (scores[$0] == scores[$1] && $0 < $1)
    }
    var isActive = [Bool](repeating: true, count: candidates.count)
    var selected: [Int] = []
    for (position, candidate) in candidates.enumerated() where isActive[position] {
      guard selected.count < limit else { break }
      selected.append(candidate)
      for other in position + 1..<candidates.count where isActive[other] {
        let overlap = boxes[candidate].overlap(with: boxes[candidates[other]])
        if overlap > overlapThreshold { isActive[other] = false }
      }
    }
    return selected
  }
}
