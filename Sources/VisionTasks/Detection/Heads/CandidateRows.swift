// SPDX-License-Identifier: Apache-2.0

/// How rows of a box and scores for each candidate become boxes: YOLO from version 5 on, YOLOX,
/// DETR.
///
/// A row has four numbers for the box, then, where the model has it, the objectness, then a score
/// for each class; or boxes and scores are two outputs. A candidate's score is that of its best
/// class, times the objectness. Fields behind the classes, such as coefficients of masks, are not
/// read.
public struct CandidateRows: Sendable, Hashable {
  /// Which side of the output counts candidates.
  public enum Layout: String, Sendable, Hashable, CaseIterable {
    /// The longer one.
    case automatic
    /// `[1, candidates, fields]`.
    case rows
    /// `[1, fields, candidates]`.
    case columns
  }

  /// Which side counts candidates.
  public var layout = Layout.automatic
  /// What the four numbers of a box are.
  public var corners = BoxCorners.centered
  /// What the numbers count.
  public var unit = CoordinateUnit.automatic
  /// Whether the fifth field says how sure the model is that there is any object.
  public var hasObjectness = false
  /// The number of classes; nil for all fields that follow.
  public var classCount: Int?
  /// What makes scores of values, the objectness included.
  public var scoreFunction = RawHeads.ScoreFunction.identity
  /// Whether the last class means that there is no object, which is never reported.
  public var hasNoObjectClass = false
  /// Where boxes are relative to the cells of grids, the distances of their cells in pixels of the
  /// input, in the order of the candidates; else empty.
  ///
  ///     x = (value + column) × stride        width = exp(value) × stride
  public var gridStrides: [Int] = []
  /// The position of the boxes where they are an output of their own; else nil.
  public var boxOutput: Int?
  /// The position of the scores where they are an output of their own, or of the only output that
  /// is read; nil for the first, or the one that is not the boxes.
  public var scoreOutput: Int?
  /// Whether the boxes still overlap, so that the best of them have to be selected.
  public var needsSuppression = true

  /// Centers and sizes, and a score for each class.
  public init() {}

  /// YOLOv5, v6 and v7, exported with decoded boxes: `[1, n, 5 + classes]`.
  public static let yoloV5: CandidateRows = {
    var rows = CandidateRows()
    rows.hasObjectness = true
    return rows
  }()

  /// YOLOv8, v9, v11 and v12: `[1, 4 + classes, n]`.
  public static let yoloV8 = CandidateRows()

  /// YOLOX with boxes relative to the cells of three grids: `[1, n, 5 + classes]`.
  public static let yoloX: CandidateRows = {
    var rows = CandidateRows()
    rows.hasObjectness = true
    rows.layout = .rows
    rows.unit = .pixels
    rows.gridStrides = [8, 16, 32]
    return rows
  }()

  /// YOLOv4 with decoded boxes, pixels in `[1, n, 4]`, and scores, `[1, n, classes]`, as
  /// `tensorflow-yolov4-tflite` exports it.
  public static let yoloV4: CandidateRows = {
    var rows = CandidateRows()
    rows.layout = .rows
    rows.boxOutput = 0
    rows.scoreOutput = 1
    rows.unit = .pixels
    return rows
  }()

  /// DETR: logits `[1, 100, classes + 1]`, the last class for no object, and boxes `[1, 100, 4]` as
  /// fractions, which need no selection.
  public static let detr: CandidateRows = {
    var rows = CandidateRows()
    rows.layout = .rows
    rows.unit = .fractions
    rows.scoreFunction = .softmax
    rows.hasNoObjectClass = true
    rows.scoreOutput = 0
    rows.boxOutput = 1
    rows.needsSuppression = false
    return rows
  }()

  /// RT-DETR and D-FINE: logits `[1, 300, classes]` with a sigmoid for each class, and boxes
  /// `[1, 300, 4]` as fractions, which need no selection.
  public static let rtDETR: CandidateRows = {
    var rows = detr
    rows.scoreFunction = .sigmoid
    rows.hasNoObjectClass = false
    return rows
  }()
}
