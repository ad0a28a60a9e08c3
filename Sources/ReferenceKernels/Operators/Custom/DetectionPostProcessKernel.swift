// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The computation of `TFLite_Detection_PostProcess`.
///
///     center = encoding / scale · anchor size + anchor center
///     size = exp(encoding / scale) · anchor size
///     overlap = common area / (sum of areas − common area)
///
/// Boxes are decoded (see `DetectionBox`), then chosen by non-max suppression, in one of two ways:
///
/// - fast: boxes are suppressed by their best score over all classes, and each that remains gives
///   a detection for each of its best classes;
/// - regular: each class is suppressed on its own, and the best detections of all are kept.
package final class DetectionPostProcessKernel: SteppedKernel {
  /// How the elements of an input become floats.
  package struct Format: Sendable {
    /// What quantized values stand for; nil for floats.
    package let affine: Affine?

    init(_ type: TensorType, _ tensor: KernelError.Tensor) throws(KernelError) {
      switch type.elementType {
      case .float32: affine = nil
      case .uint8: affine = try type.affine(tensor)
      case let other: throw .elementType(other, tensor)
      }
    }

    /// The input at `position` as floats.
    package func values(_ frame: borrowing TensorFrame, _ position: Int) -> [Float] {
      guard let affine else {
        let values = frame.input(position, as: Float.self)
        return values.indices.map { values[$0] }
      }
      let quantizedValues = frame.input(position, as: UInt8.self)
      return quantizedValues.indices.map {
        (Float(quantizedValues[$0]) - Float(affine.zeroPoint)) * affine.scale
      }
    }
  }

  /// The options.
  package let options: DetectionOptions
  /// Anchors, and boxes.
  package let boxCount: Int
  /// Elements of a box's encoding.
  package let encodingLength: Int
  /// Scores of a box, with the background's.
  package let scoreStride: Int
  /// How the inputs become floats.
  package let formats: [Format]

  /// One class of one box that was found.
  private struct Detection {
    let box: Int
    let category: Int
    let score: Float
    /// The boxes kept before this one.
    let before: ArraySlice<BoxSuppression.Kept>
    /// The boxes that this one dropped.
    let dropped: [Int]

    /// The kept box at `position` of `kept`.
    init(_ kept: [BoxSuppression.Kept], at position: Int, category: Int, score: Float) {
      self.box = kept[position].box
      self.category = category
      self.score = score
      before = kept[..<position]
      dropped = kept[position].dropped
    }
  }

  /// The computation for `boxCount` anchors with `classCount` scores each.
  package init(
    _ options: DetectionOptions, boxCount: Int, encodingLength: Int, classCount: Int,
    formats: [Format]
  ) {
    self.options = options
    self.boxCount = boxCount
    self.encodingLength = encodingLength
    scoreStride = classCount
    self.formats = formats
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let encodings = formats[0].values(frame, 0)
    let scores = formats[1].values(frame, 1)
    let anchors = formats[2].values(frame, 2)
    let boxes = (0..<boxCount).map { index in
      DetectionBox(
        encodings: encodings, at: index * encodingLength, anchors: anchors, at: index * 4,
        scales: options.scales)
    }
    guard boxes.allSatisfy(\.isOrdered) else {
      throw .invalid("a decoded box ends before it begins", .input(0))
    }
    clear(frame)
    let suppression = BoxSuppression(
      boxes: boxes, scoreThreshold: options.scoreThreshold,
      overlapThreshold: options.overlapThreshold)
    if options.isRegular {
      let found = regularDetections(suppression, scores)
      write(
        frame, found.enumerated().map { ($0.offset, $0.element) }, suppression, encodings, anchors,
        count: found.count, &steps)
    } else {
      let (found, count) = fastDetections(suppression, scores)
      write(frame, found, suppression, encodings, anchors, count: count, &steps)
    }
  }

  /// Detections with their rows, and how many boxes they come from.
  private func fastDetections(
    _ suppression: BoxSuppression, _ scores: [Float]
  ) -> (found: [(row: Int, Detection)], boxCount: Int) {
    let categoryCount = min(options.maxClassesPerDetection, options.classCount)
    let categories = (0..<boxCount).map { box in
      bestCategories(of: box, scores, count: categoryCount)
    }
    let best = (0..<boxCount).map { score(of: $0, category: categories[$0][0], scores) }
    let selected = suppression.selected(best, atMost: options.maxDetections)
    var found: [(row: Int, Detection)] = []
    for position in selected.indices {
      let box = selected[position].box
      for (rank, category) in categories[box].enumerated() {
        let score = score(of: box, category: category, scores)
        found.append(
          (
            position * options.maxClassesPerDetection + rank,
            Detection(selected, at: position, category: category, score: score)
          ))
      }
    }
    return (found, selected.count)
  }

  private func regularDetections(
    _ suppression: BoxSuppression, _ scores: [Float]
  ) -> [Detection] {
    var best: [Detection] = []
    for category in 0..<options.classCount {
      let own = (0..<boxCount).map { score(of: $0, category: category, scores) }
      let selected = suppression.selected(own, atMost: options.detectionsPerClass)
      let added = selected.indices.map {
        Detection(selected, at: $0, category: category, score: own[selected[$0].box])
      }
      best = Array(merged(best, added).prefix(options.maxDetections))
    }
    return best
  }

  /// Two lists in descending order of score as one; of equal scores, the first list's go first.
  private func merged(_ first: [Detection], _ second: [Detection]) -> [Detection] {
    var (result, position) = ([Detection](), 0)
    for detection in second {
      while position < first.count, first[position].score >= detection.score {
        result.append(first[position])
        position += 1
      }
      result.append(detection)
    }
    return result + first[position...]
  }

  /// The classes of the highest scores, best first.
  ///
  /// One class is the first of the highest score; more come in the order of a partial sort, which
  /// puts equal scores in no particular one.
  private func bestCategories(of box: Int, _ scores: [Float], count: Int) -> [Int] {
    let row = scores[(box * scoreStride + scoreStride - options.classCount)...]
      .prefix(options.classCount)
    guard count > 1 else {
      var best = row.startIndex
      for index in row.indices
      where row[index] > row[best] || (row[best].isNaN && !row[index].isNaN) {
        best = index
      }
      return [best - row.startIndex]
    }
    let start = row.startIndex
    return StandardHeap.sorted(Array(0..<row.count), least: count) {
      row[start + $0] > row[start + $1]
    }
  }

  private func score(of box: Int, category: Int, _ scores: [Float]) -> Float {
    scores[box * scoreStride + scoreStride - options.classCount + category]
  }

  private func clear(_ frame: borrowing TensorFrame) {
    for position in 0..<4 {
      var output = frame.output(position, as: Float.self)
      for index in output.indices { output[index] = 0 }
    }
  }

  /// What rows without a detection have.
  private func tellEmptyRows(
    _ rows: Range<Int>, but found: [(row: Int, Detection)], count: Int,
    _ steps: inout some Steps
  ) {
    guard steps.areTold else { return }
    let taken = Set(found.map(\.row))
    for row in rows where !taken.contains(row) {
      for position in 0..<3 {
        steps.about(
          position == 0 ? row * 4..<row * 4 + 4 : row..<row + 1, ofOutput: position)
        steps.note("count", countText, count)
        steps.filled("zero in rows without a detection")
      }
    }
  }

  private var countText: String {
    options.isRegular ? "detections" : "boxes that give detections"
  }

  private func write(
    _ frame: borrowing TensorFrame, _ found: [(row: Int, Detection)],
    _ suppression: BoxSuppression, _ encodings: [Float], _ anchors: [Float], count: Int,
    _ steps: inout some Steps
  ) {
    var corners = frame.output(0, as: Float.self)
    var categories = frame.output(1, as: Float.self)
    var scores = frame.output(2, as: Float.self)
    var counts = frame.output(3, as: Float.self)
    for (row, detection) in found {
      steps.about(row * 4..<row * 4 + 4)
      tell(detection, suppression, &steps)
      let box = DetectionBox(
        encodings: encodings, at: detection.box * encodingLength, anchors: anchors,
        at: detection.box * 4, scales: options.scales, &steps)
      for (edge, value) in [box.top, box.left, box.bottom, box.right].enumerated() {
        steps.about(row * 4 + edge)
        corners[row * 4 + edge] = steps.note("stored", "the edge of number \(edge)", value)
      }
      steps.about(row, ofOutputs: 1...2)
      tell(detection, suppression, &steps)
      steps.about(row, ofOutput: 1)
      categories[row] = steps.note("class", "its number", Float(detection.category))
      steps.about(row, ofOutput: 2)
      scores[row] = steps.note("score", "of that class", detection.score)
    }
    tellEmptyRows(scores.indices, but: found, count: count, &steps)
    steps.about(0, ofOutput: 3)
    counts[0] = steps.note("count", countText, Float(count))
  }

  /// How a detection came to be chosen.
  private func tell(
    _ detection: Detection, _ suppression: BoxSuppression, _ steps: inout some Steps
  ) {
    guard steps.areTold else { return }
    let own = detection.box
    for part in 0..<4 { steps.read(element: own * encodingLength + part, ofInput: 0) }
    for part in 0..<4 { steps.read(element: own * 4 + part, ofInput: 2) }
    steps.read(
      element: own * scoreStride + scoreStride - options.classCount + detection.category,
      ofInput: 1)
    steps.note("box", "its number, and that of its anchor", own)
    steps.note("class", "of the detection, without the background", detection.category)
    steps.note("score", "of that class", detection.score)
    steps.note(
      "rank", "boxes kept before it\(options.isRegular ? " in this class" : "")",
      detection.before.count)
    let limit = options.overlapThreshold
    for other in detection.before {
      _ = suppression.boxes[own].overlap(
        with: suppression.boxes[other.box],
        "of box \(own) with box \(other.box), not above \(limit)", &steps)
    }
    steps.note("dropped", "boxes of lower scores that this one drops", detection.dropped.count)
    for other in detection.dropped {
      _ = suppression.boxes[own].overlap(
        with: suppression.boxes[other], "of box \(own) with box \(other), above \(limit)", &steps)
    }
  }
}
