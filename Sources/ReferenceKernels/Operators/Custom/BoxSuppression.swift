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
  ///     center = encoding / scale · anchor size + anchor center
  ///     size = exp(encoding / scale) · anchor size
  ///
  /// Encodings, anchors and scales are y, x, height, width. Computed in double precision and
  /// narrowed before the halves are added and subtracted.
  package init(
    encodings: [Float], at encoding: Int, anchors: [Float], at anchor: Int, scales: [Float],
    _ steps: inout some Steps
  ) {
    func encoded(_ part: Int) -> Double {
      Double(encodings[encoding + part]) / Double(scales[part])
    }
    let anchorHeight = Double(anchors[anchor + 2])
    let anchorWidth = Double(anchors[anchor + 3])
    let y = steps.note(
      "center y", "\(encoded(0)) × \(anchorHeight) + \(anchors[anchor].operand)",
      Float(encoded(0) * anchorHeight + Double(anchors[anchor])))
    let x = steps.note(
      "center x", "\(encoded(1)) × \(anchorWidth) + \(anchors[anchor + 1].operand)",
      Float(encoded(1) * anchorWidth + Double(anchors[anchor + 1])))
    let halfHeight = steps.note(
      "half height", "exp(\(encoded(2))) × \(anchorHeight) / 2",
      Float(0.5 * exp(encoded(2)) * anchorHeight))
    let halfWidth = steps.note(
      "half width", "exp(\(encoded(3))) × \(anchorWidth) / 2",
      Float(0.5 * exp(encoded(3)) * anchorWidth))
    top = steps.difference(y, halfHeight, "top")
    left = steps.difference(x, halfWidth, "left")
    bottom = steps.sum(y, halfHeight, "bottom")
    right = steps.sum(x, halfWidth, "right")
  }

  /// The box that a detector encodes relative to an anchor.
  @inline(__always)
  package init(
    encodings: [Float], at encoding: Int, anchors: [Float], at anchor: Int, scales: [Float]
  ) {
    var steps = NoSteps()
    self.init(
      encodings: encodings, at: encoding, anchors: anchors, at: anchor, scales: scales, &steps)
  }

  /// Whether no edge lies beyond the opposite one.
  var isOrdered: Bool { !(top > bottom || left > right) }

  private var area: Float { (bottom - top) * (right - left) }

  /// The common area divided by the area of the union; 0 for boxes without area.
  @inline(__always)
  package func overlap(with other: DetectionBox) -> Float {
    var steps = NoSteps()
    return overlap(with: other, "", &steps)
  }

  /// The common area divided by the area of the union; 0 for boxes without area.
  ///
  /// `relation` says in a step whose overlap it is.
  package func overlap(
    with other: DetectionBox, _ relation: @autoclosure () -> String, _ steps: inout some Steps
  ) -> Float {
    let (own, others) = (area, other.area)
    if own <= 0 || others <= 0 {
      return steps.note("overlap", "\(relation()): a box without area", Float(0))
    }
    let height = max(min(bottom, other.bottom) - max(top, other.top), 0)
    let width = max(min(right, other.right) - max(left, other.left), 0)
    let common = height * width
    return steps.note(
      "overlap", "\(relation()): \(common) / (\(own) + \(others) - \(common))",
      common / (own + others - common))
  }
}

/// Non-max suppression: of boxes that overlap, only the one with the highest score is kept.
struct BoxSuppression {
  let boxes: [DetectionBox]
  let scoreThreshold: Float
  let overlapThreshold: Float

  /// A box that was kept.
  struct Kept {
    /// Its index.
    let box: Int
    /// The boxes of lower scores that it dropped.
    var dropped: [Int] = []
  }

  /// The boxes that are kept, by descending score; equal scores in the order of boxes.
  func selected(_ scores: [Float], atMost limit: Int) -> [Kept] {
    // Swift's sort is stable in practice, but only the index makes it certain.
    let candidates = scores.indices.filter { scores[$0] >= scoreThreshold }.sorted {
      scores[$0] > scores[$1] || (scores[$0] == scores[$1] && $0 < $1)
    }
    var isActive = [Bool](repeating: true, count: candidates.count)
    var selected: [Kept] = []
    for (position, candidate) in candidates.enumerated() where isActive[position] {
      guard selected.count < limit else { break }
      var kept = Kept(box: candidate)
      for other in position + 1..<candidates.count where isActive[other] {
        let overlap = boxes[candidate].overlap(with: boxes[candidates[other]])
        guard overlap > overlapThreshold else { continue }
        isActive[other] = false
        kept.dropped.append(candidates[other])
      }
      selected.append(kept)
    }
    return selected
  }
}
