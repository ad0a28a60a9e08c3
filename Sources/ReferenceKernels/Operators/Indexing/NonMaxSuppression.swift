// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let nonMaxSuppressionV4 = CatalogEntry(
    .nonMaxSuppressionV4, chapter: .indexing,
    formula: "overlap = common area / (sum of areas − common area)", versions: .upTo(1),
    variants: "f32 f32_ties", optimized: "",
    work: .comparedBoxes, reads: .everything
  ) { _ throws(KernelError) in NonMaxSuppression() }

  static let nonMaxSuppressionV5 = CatalogEntry(
    .nonMaxSuppressionV5, chapter: .indexing,
    formula: "overlap = common area / (sum of areas − common area)", versions: .upTo(1),
    variants: "f32 f32_ties", optimized: "",
    work: .comparedBoxes, reads: .everything
  ) { _ throws(KernelError) in NonMaxSuppression() }
}

extension OperatorWork {
  /// Each box may be compared with each that was selected.
  fileprivate static var comparedBoxes: OperatorWork {
    .elements { types in
      Checked.product(types.input(1)?.shape.elementCount, types.output(0)?.shape.elementCount)
    }
  }
}

/// `NON_MAX_SUPPRESSION_V4` and `V5`: of boxes that overlap, those with the highest scores.
///
/// - Input 0: boxes, `[count, 4]`: two opposite corners, y before x.
/// - Input 1: scores, `[count]`.
/// - Input 2: the most boxes to select, an int32 scalar.
/// - Inputs 3 and 4: the overlap from which on a box is dropped, and the score above which boxes
///   take part, float32 scalars.
/// - Input 5, of V5: sigma; above 0, overlapping boxes lose score instead:
///   `score · exp(−overlap² / (2 sigma))`.
/// - Outputs: the selected boxes' indices, their scores (V5) and how many there are. What is left
///   of the most boxes is 0.
///
/// Candidates come from a queue that is ordered by score alone, so equal scores come in the order
/// of `StandardHeap`. As in TFLite, a selected box goes back into the queue, where it meets
/// itself: a box without area, which overlaps nothing, is selected again.
/// TFLite: `non_max_suppression.cc`, `reference/non_max_suppression.h`.
struct NonMaxSuppression: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let isSoft = node.inputs.count == 6
    try node.expect(inputs: 5...6, outputs: isSoft ? 3 : 2)
    for position in [0, 1, 3, 4] + (isSoft ? [5] : []) {
      try node.input(position).expect(.float32, .input(position))
    }
    try node.input(2).expect(.int32, .input(2))
    let (boxes, scores) = (try node.input(0).shape, try node.input(1).shape)
    guard boxes.rank == 2, boxes[1] == 4, scores.dimensions == [boxes[0]] else {
      throw .invalid("boxes of shape \(boxes) and scores of shape \(scores)", .input(0))
    }
    for position in 2..<node.inputs.count where try node.input(position).shape.rank != 0 {
      throw .rank(try node.input(position).shape.rank, wanted: "0", .input(position))
    }
    let limit = try Shape.checked([try node.integer(2)])
    let indices = TensorType(.int32, limit)
    let count = TensorType(.int32, .scalar)
    return Prepared(
      outputs: isSoft ? [indices, TensorType(.float32, limit), count] : [indices, count],
      kernel: NonMaxSuppressionKernel(isSoft: isSoft))
  }
}

/// The loop of `NON_MAX_SUPPRESSION_V4` and `V5`.
package final class NonMaxSuppressionKernel: SteppedKernel {
  private let isSoft: Bool

  private struct Candidate {
    let box: Int
    var score: Float
    /// How many of the selected boxes it was compared with already.
    var comparedCount = 0
  }

  /// The loop, with a sigma and scores as output where `isSoft`.
  package init(isSoft: Bool) { self.isSoft = isSoft }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    var indices = frame.output(0, as: Int32.self)
    let limit = indices.count
    let overlapLimit = frame.input(3, as: Float.self)[0]
    let scoreLimit = frame.input(4, as: Float.self)[0]
    let sigma = isSoft ? frame.input(5, as: Float.self)[0] : 0
    guard sigma >= 0 else { throw .invalid("sigma \(sigma)", .input(5)) }
    let selected = select(
      frame, atMost: limit, overlapLimit: overlapLimit, scoreLimit: scoreLimit, sigma: sigma,
      &steps)
    for rank in 0..<limit {
      steps.about(rank)
      indices[rank] =
        rank < selected.count
        ? steps.note("box", "the highest of the scores that are left", Int32(selected[rank].box))
        : unfilled(selected.count, &steps)
    }
    if isSoft {
      var scores = frame.output(1, as: Float.self)
      for rank in 0..<limit {
        steps.about(rank, ofOutput: 1)
        scores[rank] =
          rank < selected.count
          ? steps.note("score", "of box \(selected[rank].box)", selected[rank].score)
          : unfilled(selected.count, &steps)
      }
    }
    var count = frame.output(isSoft ? 2 : 1, as: Int32.self)
    steps.about(0, ofOutput: isSoft ? 2 : 1)
    count[0] = steps.note("count", "boxes that were selected", Int32(selected.count))
  }

  /// What stands behind the selected boxes.
  @inline(__always)
  private func unfilled<Number: Numeric>(_ count: Int, _ steps: inout some Steps) -> Number {
    steps.note("count", "boxes that were selected", count)
    steps.filled("beyond the selected boxes")
    return 0
  }

  private func select(
    _ frame: borrowing TensorFrame, atMost limit: Int, overlapLimit: Float, scoreLimit: Float,
    sigma: Float, _ steps: inout some Steps
  ) -> [Candidate] {
    let corners = frame.input(0, as: Float.self)
    let scores = frame.input(1, as: Float.self)
    var queue = StandardHeap<Candidate>([], count: 0) { $0.score < $1.score }
    for box in scores.indices where scores[box] > scoreLimit {
      queue.push(Candidate(box: box, score: scores[box]))
    }
    let limit = min(limit, queue.count)
    let factor: Float = sigma > 0 ? Float(-0.5 / Double(sigma)) : 0
    var selected: [Candidate] = []
    while selected.count < limit, var candidate = queue.pop() {
      // Candidates belong to the next row of the outputs, whether they come to stand there or not.
      steps.about(selected.count, ofOutputs: 0...(isSoft ? 1 : 0))
      let score = steps.note("candidate", "the score of box \(candidate.box)", candidate.score)
      var isDropped = false
      for other in (candidate.comparedCount..<selected.count).reversed() {
        let overlap = self.overlap(corners, candidate.box, selected[other].box, &steps)
        isDropped = overlap >= overlapLimit
        if isDropped { break }
        if sigma > 0 {
          candidate.score = steps.product(
            candidate.score, expf(factor * overlap * overlap), "lowered score")
        }
        if candidate.score <= scoreLimit { break }
      }
      candidate.comparedCount = selected.count
      if isDropped {
        steps.note("dropped", "boxes that overlap by \(overlapLimit) or more", candidate.box)
        continue
      }
      if candidate.score == score {
        for edge in 0..<4 { steps.read(corners, 4 * candidate.box + edge) }
        steps.read(scores, candidate.box)
        selected.append(candidate)
      }
      if candidate.score > scoreLimit { queue.push(candidate) }
    }
    return selected
  }

  @inline(__always)
  private func overlap(
    _ corners: Span<Float>, _ first: Int, _ second: Int, _ steps: inout some Steps
  ) -> Float {
    box(corners, first).overlap(
      with: box(corners, second), "of box \(first) with box \(second)", &steps)
  }

  private func box(_ corners: Span<Float>, _ index: Int) -> DetectionBox {
    let (y1, x1) = (corners[4 * index], corners[4 * index + 1])
    let (y2, x2) = (corners[4 * index + 2], corners[4 * index + 3])
    return DetectionBox(
      top: min(y1, y2), left: min(x1, x2), bottom: max(y1, y2), right: max(x1, x2))
  }
}
