// SPDX-License-Identifier: Apache-2.0

/// Tells from the shapes of outputs how they are decoded, where only one decoding is meant.
package enum AutomaticHead {
  /// The decoding of outputs of these shapes; nil where they do not tell.
  ///
  /// Grids of 8, 16 and 32 pixels have as many cells as candidates of anchor-free models, and a
  /// third of those of models with three anchors:
  ///
  /// - one output `[1, n, 6]` with at most 1000 rows: finished rows, YOLOv10;
  /// - one output `[1, fields, n]` with `n` cells: YOLOv8;
  /// - one output `[1, n, fields]` with three times as many rows as cells: YOLOv5;
  /// - one output `[1, n, 112]` with `n` cells of three or, with 64 pixels, four grids: NanoDet
  ///   with the 80 classes of COCO;
  /// - two outputs, `[1, n, 4]` and `[1, n, classes]`, with three times as many rows as cells of
  ///   grids of 8, 16 and 32, or 16 and 32 pixels: YOLOv4;
  /// - two outputs, `[1, 100, 92]` and `[1, 100, 4]`: DETR with the 91 classes of COCO.
  package static func decoding(
    _ shapes: [[Int]], input: InputSize, labelCount: Int? = nil
  ) -> DetectionDecoding? {
    guard shapes.allSatisfy({ $0.count == 3 && $0[0] == 1 }) else { return nil }
    let cells = cellCount(input, [8, 16, 32])
    switch shapes.count {
    case 1:
      let (first, second) = (shapes[0][1], shapes[0][2])
      if second == 6, first <= 1000 { return .finishedRows(FinishedRows()) }
      if second == 112 {
        if first == cells { return .distanceBins(.nanoDet) }
        if first == cellCount(input, [8, 16, 32, 64]) { return .distanceBins(.nanoDetPlus) }
      }
      if second == cells, first >= 5 {
        var rows = CandidateRows.yoloV8
        rows.layout = .columns
        rows.classCount = labelCount.flatMap { $0 + 4 <= first ? $0 : nil }
        return .candidateRows(rows)
      }
      if first == 3 * cells, second >= 6 {
        var rows = CandidateRows.yoloV5
        rows.layout = .rows
        rows.classCount = labelCount.flatMap { $0 + 5 <= second ? $0 : nil }
        return .candidateRows(rows)
      }
      return nil
    case 2:
      let boxes = shapes[0][2] == 4 ? 0 : 1
      let (count, classes) = (shapes[boxes][1], shapes[1 - boxes][2])
      guard shapes[boxes][2] == 4, shapes[1 - boxes][1] == count else { return nil }
      var rows: CandidateRows
      if count == 100, classes == 92 {
        rows = .detr
      } else if count == 3 * cells || count == 3 * cellCount(input, [16, 32]) {
        rows = .yoloV4
      } else {
        return nil
      }
      rows.boxOutput = boxes
      rows.scoreOutput = 1 - boxes
      return .candidateRows(rows)
    default: return nil
    }
  }

  /// How many cells grids of these strides have over an input; at most one more than 2²⁰.
  static func cellCount(_ input: InputSize, _ strides: [Int]) -> Int {
    GridCell.cells(input, strides: strides, limit: 1 << 20).count
  }
}
