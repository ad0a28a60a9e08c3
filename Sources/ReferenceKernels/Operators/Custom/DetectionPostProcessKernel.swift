// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The computation of `TFLite_Detection_PostProcess`.
///
///     centre = encoding / scale · anchor size + anchor centre
///     size = exp(encoding / scale) · anchor size
///     overlap = common area / (sum of areas − common area)
///
/// Boxes are decoded (see `DetectionBox`), then chosen by non-max suppression, in one of two ways:
///
/// - fast: boxes are suppressed by their best score over all classes, and each that remains gives
///   a detection for each of its best classes;
/// - regular: each class is suppressed on its own, and the best detections of all are kept.
package final class DetectionPostProcessKernel: Kernel {
  /// How the elements of an input become floats.
  package struct Format: Sendable {
    /// What codes stand for; nil for floats.
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
      let codes = frame.input(position, as: UInt8.self)
      return codes.indices.map {
        (Float(codes[$0]) - Float(affine.zeroPoint)) * affine.scale
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

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
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
      write(frame, found.enumerated().map { ($0.offset, $0.element) }, boxes, count: found.count)
    } else {
      let (found, count) = fastDetections(suppression, scores)
      write(frame, found, boxes, count: count)
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
    for (position, box) in selected.enumerated() {
      for (place, category) in categories[box].enumerated() {
        let score = score(of: box, category: category, scores)
        found.append(
          (
            position * options.maxClassesPerDetection + place,
            Detection(box: box, category: category, score: score)
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
      let added = selected.map { Detection(box: $0, category: category, score: own[$0]) }
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

  private func write(
    _ frame: borrowing TensorFrame, _ found: [(row: Int, Detection)], _ boxes: [DetectionBox],
    count: Int
  ) {
    var corners = frame.output(0, as: Float.self)
    var categories = frame.output(1, as: Float.self)
    var scores = frame.output(2, as: Float.self)
    var counts = frame.output(3, as: Float.self)
    for (row, detection) in found {
      let box = boxes[detection.box]
      corners[row * 4] = box.top
      corners[row * 4 + 1] = box.left
      corners[row * 4 + 2] = box.bottom
      corners[row * 4 + 3] = box.right
      categories[row] = Float(detection.category)
      scores[row] = detection.score
    }
    counts[0] = Float(count)
  }
}
