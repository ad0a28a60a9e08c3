// SPDX-License-Identifier: Apache-2.0

/// Turns encodings and scores for each anchor into boxes.
package struct RawHeadDecoder {
  private let heads: RawHeads
  /// The position of the encodings.
  package let boxOutput: Int
  /// The position of the scores.
  package let scoreOutput: Int
  /// Numbers for each anchor in the encodings' output.
  private let boxLength: Int
  private let classCount: Int

  /// A decoder for a model's outputs of these shapes.
  ///
  /// - Throws: `VisionError.incompatibleModel` where they do not fit the anchors.
  package init(_ heads: RawHeads, shapes: [[Int]]) throws(VisionError) {
    try heads.check()
    self.heads = heads
    guard shapes.count == 2 else {
      throw .incompatibleModel(
        "Raw heads are 2 outputs, box encodings and scores; this model has \(shapes.count).")
    }
    for position in [heads.boxOutput, heads.scoreOutput] {
      guard position.map({ (0...1).contains($0) }) ?? true else {
        throw .invalidOption("the outputs of raw heads are 0 and 1")
      }
    }
    let lengths = try shapes.map { shape throws(VisionError) in
      try Self.rowLength(shape, rows: heads.anchors.count)
    }
    boxOutput = heads.boxOutput ?? heads.scoreOutput.map { 1 - $0 } ?? Self.boxOutput(lengths)
    scoreOutput = heads.scoreOutput ?? 1 - boxOutput
    boxLength = lengths[boxOutput]
    classCount = lengths[scoreOutput] - (heads.hasBackgroundClass ? 1 : 0)
    guard boxOutput != scoreOutput, boxLength >= 4, classCount >= 1 else {
      throw .incompatibleModel(
        "Box encodings need 4 numbers and scores one class for each anchor; the outputs have \(lengths[0]) and \(lengths[1])."
      )
    }
  }

  /// Encodings have 4 numbers; where both could be, the longer ones are.
  private static func boxOutput(_ lengths: [Int]) -> Int {
    if lengths[0] == 4, lengths[1] != 4 { return 0 }
    if lengths[1] == 4, lengths[0] != 4 { return 1 }
    return lengths[0] >= lengths[1] ? 0 : 1
  }

  private static func rowLength(_ shape: [Int], rows: Int) throws(VisionError) -> Int {
    let sides = shape.drop { $0 == 1 }
    guard let length = shape.last, sides.dropLast().reduce(1, { $0 &* $1 }) == rows else {
      throw .incompatibleModel(
        "Output \(shape) does not have 1 row for each of \(rows) anchors.")
    }
    return length
  }

  /// The boxes of scores above the threshold, those of the best class for each anchor.
  package func detections(
    encodings: [Float], values: [Float], calibration: ScoreCalibration?, threshold: Float
  ) -> [BoxDetection] {
    let first = heads.hasBackgroundClass ? 1 : 0
    let stored = classCount + first
    guard encodings.count == boxLength * heads.anchors.count,
      values.count == stored * heads.anchors.count
    else { return [] }
    var detections: [BoxDetection] = []
    for (row, anchor) in heads.anchors.enumerated() {
      let scores = heads.scoreFunction.scores(
        Array(values[row * stored..<(row + 1) * stored]))
      var best = (score: -Float.infinity, index: -1)
      for (index, score) in scores.dropFirst(first).enumerated() {
        let score = calibration?.calibrated(score, index: index) ?? score
        if score > best.score { best = (score, index) }
      }
      guard best.index >= 0, best.score > threshold else { continue }
      detections.append(
        box(encodings, at: row * boxLength, anchor, score: best.score, classIndex: best.index))
    }
    return detections
  }

  private func box(
    _ encodings: [Float], at start: Int, _ anchor: Anchor, score: Float, classIndex: Int
  ) -> BoxDetection {
    let (x, y, width, height) =
      switch heads.boxOrder {
      case .yxhw: (start + 1, start, start + 3, start + 2)
      case .xywh: (start, start + 1, start + 2, start + 3)
      }
    let centerX = encodings[x] / heads.xScale * anchor.width + anchor.centerX
    let centerY = encodings[y] / heads.yScale * anchor.height + anchor.centerY
    let scaledWidth = encodings[width] / heads.widthScale
    let scaledHeight = encodings[height] / heads.heightScale
    let halfWidth =
      (heads.hasLogarithmicSizes ? exponential(scaledWidth) : scaledWidth) * anchor.width / 2
    let halfHeight =
      (heads.hasLogarithmicSizes ? exponential(scaledHeight) : scaledHeight) * anchor.height / 2
    return BoxDetection(
      left: centerX - halfWidth, top: centerY - halfHeight, right: centerX + halfWidth,
      bottom: centerY + halfHeight, score: score, classIndex: classIndex)
  }
}
