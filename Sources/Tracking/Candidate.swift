// SPDX-License-Identifier: Apache-2.0

import Imaging

/// An observation that can be matched with an object.
struct Candidate: Sendable {
  /// Its position in the list given to the tracker.
  let index: Int
  /// The box: finite, not empty, not farther away than any image reaches.
  let box: ImageRect
  /// How sure the detector is.
  let score: Float
  /// The class, if known.
  let categoryIndex: Int?
  /// The look, if known.
  let appearance: Appearance?
  /// Whether another observation covers part of it, so that its look may be another's.
  let isCrowded: Bool

  /// Those observations that make sense, the highest scores if there are too many.
  static func usable(
    _ observations: [ObjectTracker.Observation], in image: PixelBuffer?,
    options: ObjectTracker.Options
  ) -> [Candidate] {
    var found: [(index: Int, box: ImageRect)] = []
    for (index, observation) in observations.enumerated()
    where observation.score >= options.lowestScore {
      if let box = observation.frame.bounded { found.append((index, box)) }
    }
    if found.count > ObjectTracker.largestCount {
      found.sort {
        let (first, second) = (observations[$0.index].score, observations[$1.index].score)
        return first == second ? $0.index < $1.index : first > second
      }
      found.removeSubrange(ObjectTracker.largestCount...)
    }

    return found.map { index, box in
      let observation = observations[index]
      let isCrowded = found.contains { $0.index != index && box.part(coveredBy: $0.box) > 0.25 }
      let look =
        options.appearanceWeight > 0
        ? observation.appearance ?? image.flatMap { Appearance(of: box, in: $0) } : nil
      return Candidate(
        index: index, box: box, score: observation.score,
        categoryIndex: observation.categoryIndex, appearance: look, isCrowded: isCrowded)
    }
  }
}

extension ImageRect {
  /// The rectangle if it can be computed with: finite, and not empty after its edges are brought
  /// to within the largest image's reach.
  fileprivate var bounded: ImageRect? {
    guard isFinite else { return nil }
    let reach = 0x1p24
    let left = max(x, -reach)
    let top = max(y, -reach)
    let right = min(x + width, reach)
    let bottom = min(y + height, reach)
    guard left < right, top < bottom else { return nil }
    // Less than a thousandth of a pixel is no object, and would make ratios overflow.
    return ImageRect(
      x: left, y: top, width: max(right - left, 0x1p-10), height: max(bottom - top, 0x1p-10))
  }
}
