// SPDX-License-Identifier: Apache-2.0

/// What the outputs of a detector are, and how they become boxes.
public enum DetectionDecoding: Sendable, Hashable {
  /// Four outputs of finished detections, whose roles the model tells.
  ///
  /// The first of these that says something about all four decides:
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
