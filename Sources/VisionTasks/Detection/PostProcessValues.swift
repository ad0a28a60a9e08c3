// SPDX-License-Identifier: Apache-2.0

/// The values of the four outputs of a model that finishes its detections itself.
package struct PostProcessValues {
  /// One output's shape and numbers.
  package typealias Output = OutputValues

  private let outputs: [Output]

  /// The values of these outputs, in the model's order.
  package init(outputs: [Output]) { self.outputs = outputs }

  /// The detections, in the model's order, as they are.
  ///
  /// As many count as the count says, and as all outputs have; those whose class is no whole number
  /// from 0 on are dropped.
  package func detections(_ order: PostProcessOrder, _ format: BoxFormat) -> [BoxDetection] {
    let boxes = outputs[order.boxes].values
    let classes = outputs[order.classes].values
    let scores = outputs[order.scores].values
    let room = min(boxes.count / 4, classes.count, scores.count)
    // A count that is no number counts nothing.
    let said = outputs[order.count].values.first.map { $0.isNaN ? 0 : $0 } ?? 0
    let count = Int(min(max(said, 0), Float(room)))
    var detections: [BoxDetection] = []
    for index in 0..<min(count, room) {
      guard let classIndex = Int(exactly: classes[index].rounded()), classIndex >= 0 else {
        continue
      }
      detections.append(
        format.box(boxes, at: 4 * index, score: scores[index], classIndex: classIndex))
    }
    return detections
  }

  /// The roles that shapes and numbers suggest; see `DetectionDecoding.automatic`.
  ///
  /// - Returns: nil where no output has boxes, or not one has a single number.
  package func order() -> PostProcessOrder? {
    guard outputs.count == 4,
      let boxes = outputs.firstIndex(where: { $0.shape.count == 3 && $0.shape[2] == 4 })
    else { return nil }
    let rest = (0..<4).filter { $0 != boxes }
    let convention = boxes == 0 ? PostProcessOrder.tensorFlow1 : .tensorFlow2
    // With one box, classes and scores are single numbers too, but of rank 2.
    let singles = rest.filter { outputs[$0].values.count == 1 }
    let count =
      singles.first { outputs[$0].shape.count < 2 }
      ?? (singles.contains(convention.count) ? convention.count : singles.first)
    guard let count else { return nil }
    let pair = rest.filter { $0 != count }
    let looks = pair.map { looksLikeScores(outputs[$0].values) }
    if looks[0] != looks[1] {
      let scores = looks[0] ? pair[0] : pair[1]
      let classes = looks[0] ? pair[1] : pair[0]
      return PostProcessOrder(boxes: boxes, classes: classes, scores: scores, count: count)
    }
    guard convention.boxes == boxes, convention.count == count else { return nil }
    return convention
  }

  /// Whether all numbers are from 0 to 1, none is greater than the one before, and one is no
  /// whole number.
  private func looksLikeScores(_ values: [Float]) -> Bool {
    values.allSatisfy { (0...1).contains($0) }
      && zip(values, values.dropFirst()).allSatisfy { $0 >= $1 }
      && values.contains { $0 != $0.rounded() }
  }
}
