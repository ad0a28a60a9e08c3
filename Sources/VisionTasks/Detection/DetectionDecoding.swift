// SPDX-License-Identifier: Apache-2.0

/// What the outputs of a detector are, and how they become boxes.
public enum DetectionDecoding: Sendable, Hashable {
  /// What the model tells.
  ///
  /// Metadata for MediaPipe's object detector (`DETECTOR_METADATA`) means raw heads. Outputs of
  /// certain shapes are candidates of YOLOv4, v5, v8 or v10, NanoDet or DETR; that boxes are rotated,
  /// the notes of Ultralytics tell. Else there are four
  /// outputs of finished detections, and the first of these that says something about all four
  /// decides about their roles:
  ///
  /// 1. the operator `TFLite_Detection_PostProcess`, where it computes the outputs;
  /// 2. the metadata: boxes have a bounding box as content or are called `location`, classes have
  ///    labels for values or are called `category`, then `score` and `number of detections`;
  /// 3. the names: `StatefulPartitionedCall:3`, `:2`, `:1` and `:0` are boxes, classes, scores and
  ///    count, as are the signature's `output_3` to `output_0`; or names with those words in them;
  /// 4. the values after each run: boxes have four numbers each, the count is one number, and of
  ///    the other two, classes are whole numbers while scores are from 0 to 1 and fall. Where both
  ///    look alike, boxes that come first mean `tensorFlow1`, and others `tensorFlow2`.
  case automatic
  /// Four outputs of finished detections, with these roles.
  case postProcess(PostProcessOrder)
  /// Two outputs, box encodings and scores for each anchor.
  case rawHeads(RawHeads)
  /// Rows of a box and scores for each candidate: YOLO from version 5 on, YOLOX, DETR.
  case candidateRows(CandidateRows)
  /// Rows of finished detections: YOLOv10.
  case finishedRows(FinishedRows)
  /// Rows of boxes that are turned as things are: Ultralytics' models of oriented boxes (OBB).
  case rotatedRows(RotatedRows)
  /// An output of anchors for each of several grids: YOLOv2 to v7.
  case anchorGrids(AnchorGrids)
  /// Distributions of distances to a box's edges: NanoDet.
  case distanceBins(DistanceBins)
  /// Heat maps of centers: CenterNet.
  case centerPoints(CenterPoints)

  /// The decoder of a head that is none of the first three, for outputs of these shapes; nil for those.
  ///
  /// - Throws: `VisionError.invalidOption` where the options make no sense.
  func head(_ shapes: [[Int]]) throws(VisionError) -> (any DetectionHead)? {
    switch self {
    case .automatic, .postProcess, .rawHeads: nil
    case .candidateRows(let rows): try CandidateRowDecoder(rows)
    case .finishedRows(let rows): try FinishedRowDecoder(rows)
    case .rotatedRows(let rows): RotatedRowDecoder(rows, shapes: shapes)
    case .anchorGrids(let grids): try AnchorGridDecoder(grids)
    case .distanceBins(let bins): try DistanceBinDecoder(bins)
    case .centerPoints(let points): try CenterPointDecoder(points)
    }
  }
}

/// The positions of the outputs of a model that finishes its detections itself.
public struct PostProcessOrder: Sendable, Hashable {
  /// Boxes `[1, n, 4]`.
  public var boxes: Int
  /// The class of each box `[1, n]`, without a background class.
  public var classes: Int
  /// The score of each box `[1, n]`.
  public var scores: Int
  /// How many of the boxes count `[1]`.
  public var count: Int

  /// Roles by position.
  public init(boxes: Int, classes: Int, scores: Int, count: Int) {
    self.boxes = boxes
    self.classes = classes
    self.scores = scores
    self.count = count
  }

  /// Boxes, classes, scores, count: models exported with TensorFlow 1.
  public static let tensorFlow1 = PostProcessOrder(boxes: 0, classes: 1, scores: 2, count: 3)
  /// Scores, boxes, count, classes: models exported with TensorFlow 2.
  public static let tensorFlow2 = PostProcessOrder(boxes: 1, classes: 3, scores: 0, count: 2)

  /// The positions in the order boxes, classes, scores, count.
  var positions: [Int] { [boxes, classes, scores, count] }

  /// An order of four positions; nil unless each of 0 to 3 is there once.
  init?(positions: [Int]) {
    guard positions.sorted() == [0, 1, 2, 3] else { return nil }
    self.init(
      boxes: positions[0], classes: positions[1], scores: positions[2], count: positions[3])
  }
}
