// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A box on its way through a selection, with what it went through.
private struct TracedCandidate {
  let box: Int
  var score: Float
  var comparedCount = 0
  /// The overlaps that it was looked at with.
  var overlaps: [ExplainedOverlap] = []
  /// What overlaps made of its score.
  var decays: [(factor: Float, score: Float)] = []
}

/// A selection of boxes by score and overlap, with what happened to each of them.
private struct TracedSelection {
  /// What was selected, in order.
  private(set) var selected: [TracedCandidate] = []
  /// The boxes that were dropped, each with how many were selected before.
  private(set) var dropped: [(box: Int, rank: Int, overlap: ExplainedOverlap)] = []

  let boxes: [DetectionBox]
  let overlapLimit: Float
  let scoreLimit: Float
  let sigma: Float

  init(
    _ boxes: [DetectionBox], scores: [Float], atMost limit: Int, overlapLimit: Float,
    scoreLimit: Float, sigma: Float
  ) {
    self.boxes = boxes
    self.overlapLimit = overlapLimit
    self.scoreLimit = scoreLimit
    self.sigma = sigma
    // Which of equal scores comes first is up to the heap.
    var queue = StandardHeap<TracedCandidate>([], count: 0) { $0.score < $1.score }
    for box in scores.indices where scores[box] > scoreLimit {
      queue.push(TracedCandidate(box: box, score: scores[box]))
    }
    let limit = min(limit, queue.count)
    while selected.count < limit, let candidate = queue.pop() {
      guard let passed = compared(candidate) else { continue }
      if passed.score == candidate.score { selected.append(passed) }
      if passed.score > scoreLimit { queue.push(passed) }
    }
  }

  /// The candidate after a look at the boxes selected since it was last looked at, latest first;
  /// nil where one of them drops it.
  private mutating func compared(_ candidate: TracedCandidate) -> TracedCandidate? {
    var candidate = candidate
    for other in (candidate.comparedCount..<selected.count).reversed() {
      let rival = selected[other].box
      let overlap = ExplainedOverlap(boxes[candidate.box], with: boxes[rival], number: rival)
      guard overlap.overlap < overlapLimit || overlap.overlap.isNaN || overlapLimit.isNaN else {
        dropped.append((candidate.box, selected.count, overlap))
        return nil
      }
      candidate.overlaps.append(overlap)
      if sigma > 0 {
        let exponent = Float(-0.5 / Double(sigma)) * overlap.overlap * overlap.overlap
        let factor = FloatMath.exp(exponent)
        candidate.score *= factor
        candidate.decays.append((factor, candidate.score))
      }
      if candidate.score <= scoreLimit { break }
    }
    candidate.comparedCount = selected.count
    return candidate
  }
}

extension NonMaxSuppressionKernel: ExplainableKernel {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let isSoft = node.inputs.count == 6
    guard let corners = node.values(0, as: Float.self), let scores = node.values(1, as: Float.self),
      let overlapLimit = node.value(3, 0, as: Float.self),
      let scoreLimit = node.value(4, 0, as: Float.self)
    else { return nil }
    let boxes = scores.indices.map { box -> DetectionBox in
      let own = Array(corners[4 * box..<4 * box + 4])
      return DetectionBox(
        top: min(own[0], own[2]), left: min(own[1], own[3]), bottom: max(own[0], own[2]),
        right: max(own[1], own[3]))
    }
    let selection = TracedSelection(
      boxes, scores: scores, atMost: node.outputs[0].tensor.type.shape.elementCount,
      overlapLimit: overlapLimit, scoreLimit: scoreLimit,
      sigma: isSoft ? node.value(5, 0, as: Float.self) ?? 0 : 0)
    var steps = StepList()
    let isCount = output.position == node.outputs.count - 1
    guard !isCount, selection.selected.indices.contains(output.flat) else {
      steps.add("count", "boxes that were selected", integer: selection.selected.count)
      guard !isCount else { return NodeAccount([], steps) }
      steps.add(
        "filled", "beyond the selected boxes",
        isSoft && output.position == 1 ? .float(0) : .integer(0))
      return NodeAccount([], steps)
    }
    let chosen = selection.selected[output.flat]
    steps.tell(selection, rank: output.flat)
    if output.position == 0 {
      steps.add("box", "the highest of the scores that are left", integer: chosen.box)
    } else {
      _ = steps.add("score", "of box \(chosen.box)", float: chosen.score)
    }
    let terms = node.terms(0, 4 * chosen.box..<4 * chosen.box + 4) + node.terms(1, [chosen.box])
    return NodeAccount(terms, steps)
  }
}

extension StepList {
  /// How the box of a rank came to be selected.
  fileprivate mutating func tell(_ selection: TracedSelection, rank: Int) {
    let chosen = selection.selected[rank]
    let limit = selection.overlapLimit
    add("rank", "boxes selected before it", integer: rank)
    let passed = selection.dropped.filter { $0.rank == rank }
    tellDropped(
      passed.map(\.overlap), of: passed.map(\.box), limit: limit, "not below",
      "boxes of higher scores since the one before it")
    tellKept(chosen.overlaps, of: chosen.box, limit: limit, "below")
    for (decay, overlap) in zip(chosen.decays, chosen.overlaps) {
      add(
        "lowered score",
        "for box \(overlap.box), × exp(-\(overlap.overlap)² / (2 × \(selection.sigma))) = "
          + "\(decay.factor)", .float(decay.score))
    }
  }
}
