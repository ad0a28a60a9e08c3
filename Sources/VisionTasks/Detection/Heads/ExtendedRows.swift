// SPDX-License-Identifier: Apache-2.0

import ModelTasks

/// Rows of boxes and scores with further fields behind them: Ultralytics' models of poses and masks.
///
/// Candidates of YOLOv8 and YOLO11, `[1, 4 + classes + fields, n]`, overlap; YOLO26, `[1, n, 6 +
/// fields]`, gives finished rows: left, top, right, bottom, score, class, then the fields.
/// Ultralytics' `utils/nms.py` and `nn/autobackend.py`.
struct ExtendedRows: Equatable {
  /// The rows of finished detections that exports have unless told otherwise.
  private static let finishedCount = 300
  /// The greatest overlap of two boxes of one class that are both kept, unless told otherwise.
  static let overlapThreshold: Float = 0.7

  /// The number of classes of candidates; nil for finished rows.
  let classCount: Int?
  /// The number of fields behind box and scores.
  let extraCount: Int

  /// What an output of a shape has; nil where that is something else.
  ///
  /// The notes of Ultralytics tell the task. Without them, candidates are told by as many as grids
  /// of 8, 16, 32 and perhaps 64 pixels have cells, and finished rows by 300.
  ///
  /// - Parameters:
  ///   - shape: the output's shape.
  ///   - extraCount: the number of fields behind box and scores.
  ///   - usualClassCount: the number of classes where labels do not tell it; nil for any.
  ///   - input: the input's size.
  ///   - notes: what the model says about itself.
  ///   - task: Ultralytics' name of the task.
  /// - Throws: `VisionError` where the model's labels cannot be read.
  init?(
    _ shape: [Int], extraCount: Int, usualClassCount: Int?, input: InputSize, notes: ModelNotes,
    task: String
  ) throws(VisionError) {
    let told = notes.ultralytics?.task
    guard shape.count == 3, shape[0] == 1, told ?? task == task else { return nil }
    self.extraCount = extraCount
    let (first, second) = (shape[1], shape[2])
    if second == 6 + extraCount, told != nil || first == Self.finishedCount {
      classCount = nil
      return
    }
    let count = first - 4 - extraCount
    let wanted = try CategoryNames.labelCount(notes) ?? usualClassCount ?? count
    guard count >= 1, count == wanted, second > 0 else { return nil }
    let cells = [[8, 16, 32], [8, 16, 32, 64]].map { AutomaticHead.cellCount(input, $0) }
    guard told != nil || cells.contains(second) else { return nil }
    classCount = count
  }

  /// A box and the fields behind it.
  struct Row {
    let box: BoxDetection
    let fields: [Float]
  }

  /// The rows that remain, best first, their boxes as fractions of the input.
  ///
  /// Rows whose box is NaN or lies outside of the input are dropped.
  ///
  /// - Parameters:
  ///   - output: the output.
  ///   - input: the input's size.
  ///   - least: the least score.
  ///   - overlap: the greatest overlap of two candidates' boxes of one class that both remain.
  ///   - limit: the most rows.
  ///   - isUsable: whether fields make sense.
  /// - Returns: the rows by falling scores.
  /// - Throws: `VisionError.incompatibleModel` for another shape.
  func rows(
    _ output: OutputValues, input: InputSize, least: Float, overlap: Float = overlapThreshold,
    limit: Int, where isUsable: ([Float]) -> Bool
  ) throws(VisionError) -> [Row] {
    let firstField = classCount.map { 4 + $0 } ?? 6
    guard let table = ValueTable(output, isTransposed: classCount != nil),
      table.fieldCount == firstField + extraCount
    else {
      throw .incompatibleModel(
        "Each row has \(firstField + extraCount) numbers; the output is \(output.shape).")
    }
    func fields(_ box: BoxDetection) -> [Float] {
      table.fields(box.row ?? 0, from: firstField, count: extraCount)
    }
    let boxes = try head().detections([output], input: input, threshold: least.nextDown)
      .filter { $0.score.isFinite && isUsable(fields($0)) }.compactMap(\.limited)
    let kept =
      classCount == nil
      ? Array(boxes.sortedByScore().prefix(limit))
      : boxes.suppressed(threshold: overlap, .sameClass, limit: limit)
    return kept.map { Row(box: $0, fields: fields($0)) }
  }

  private func head() throws(VisionError) -> any DetectionHead {
    guard let classCount else { return try FinishedRowDecoder(FinishedRows()) }
    var rows = CandidateRows.yoloV8
    rows.layout = .columns
    rows.classCount = classCount
    return try CandidateRowDecoder(rows)
  }
}
