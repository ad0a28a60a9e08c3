// SPDX-License-Identifier: Apache-2.0

import MetadataFormat
import Testing
import VisionTasks

/// Outputs of models that finish their detections.
@Suite struct DetectionDecodingTests {
  private typealias Output = PostProcessValues.Output

  private static let boxes = Output(shape: [1, 2, 4], values: [0.1, 0.2, 0.3, 0.4, 0, 0, 1, 1])
  private static let classes = Output(shape: [1, 2], values: [16, 0])
  private static let scores = Output(shape: [1, 2], values: [0.75, 0.5])
  private static let count = Output(shape: [1], values: [2])

  @Test func `a box is top, left, bottom, right`() {
    let values = PostProcessValues(outputs: [Self.boxes, Self.classes, Self.scores, Self.count])
    let detections = values.detections(.tensorFlow1, .postProcess)
    #expect(
      detections == [
        BoxDetection(left: 0.2, top: 0.1, right: 0.4, bottom: 0.3, score: 0.75, classIndex: 16),
        BoxDetection(left: 0, top: 0, right: 1, bottom: 1, score: 0.5, classIndex: 0),
      ])
  }

  @Test(arguments: [
    (Float(0), 0), (1, 1), (1.9, 1), (2, 2), (9, 2), (-1, 0), (.nan, 0), (.infinity, 2),
  ])
  func `as many boxes count as the count says and as there are`(count: Float, expected: Int) {
    let values = PostProcessValues(outputs: [
      Self.boxes, Self.classes, Self.scores, Output(shape: [1], values: [count]),
    ])
    #expect(values.detections(.tensorFlow1, .postProcess).count == expected)
  }

  @Test func `short outputs and classes that are no numbers are passed over`() {
    let odd = PostProcessValues(outputs: [
      Self.boxes, Output(shape: [1, 2], values: [.nan, -3]), Self.scores, Self.count,
    ])
    #expect(odd.detections(.tensorFlow1, .postProcess).isEmpty)
    let short = PostProcessValues(outputs: [
      Self.boxes, Output(shape: [1, 1], values: [1]), Self.scores, Self.count,
    ])
    #expect(short.detections(.tensorFlow1, .postProcess).count == 1)
    let empty = PostProcessValues(outputs: [
      Self.boxes, Self.classes, Self.scores, Output(shape: [0], values: []),
    ])
    #expect(empty.detections(.tensorFlow1, .postProcess).isEmpty)
  }

  @Test func `shapes and values tell the order`() {
    let (boxes, classes, scores, count) = (Self.boxes, Self.classes, Self.scores, Self.count)
    #expect(
      PostProcessValues(outputs: [boxes, classes, scores, count]).order() == .tensorFlow1)
    #expect(
      PostProcessValues(outputs: [scores, boxes, count, classes]).order() == .tensorFlow2)
    #expect(
      PostProcessValues(outputs: [count, scores, classes, boxes]).order()
        == PostProcessOrder(boxes: 3, classes: 2, scores: 1, count: 0))
    #expect(PostProcessValues(outputs: [classes, scores, count, count]).order() == nil)
    #expect(PostProcessValues(outputs: [boxes, classes, scores, scores]).order() == nil)
  }

  @Test func `without anything to tell classes from scores, the boxes' location decides`() {
    let boxes = Output(shape: [1, 2, 4], values: Array(repeating: 0, count: 8))
    let nothing = Output(shape: [1, 2], values: [0, 0])
    let count = Output(shape: [1], values: [0])
    #expect(
      PostProcessValues(outputs: [boxes, nothing, nothing, count]).order() == .tensorFlow1)
    #expect(
      PostProcessValues(outputs: [nothing, boxes, count, nothing]).order() == .tensorFlow2)
    #expect(PostProcessValues(outputs: [nothing, nothing, boxes, count]).order() == nil)
  }

  /// With one box, classes and scores have one number too, and only ranks differ.
  @Test func `the count is told from single classes and scores`() {
    let boxes = Output(shape: [1, 1, 4], values: [0, 0, 1, 1])
    let classes = Output(shape: [1, 1], values: [0])
    let scores = Output(shape: [1, 1], values: [0.5])
    let count = Output(shape: [1], values: [1])
    #expect(
      PostProcessValues(outputs: [scores, boxes, count, classes]).order() == .tensorFlow2)
    #expect(
      PostProcessValues(outputs: [boxes, classes, scores, count]).order() == .tensorFlow1)
  }

  static let names: [([String], PostProcessOrder?)] = [
    (["location", "category", "score", "number of detections"], .tensorFlow1),
    (["detection_scores", "detection_boxes", "num_detections", "detection_classes"], .tensorFlow2),
    (
      [
        "StatefulPartitionedCall:1", "StatefulPartitionedCall:3", "StatefulPartitionedCall:0",
        "StatefulPartitionedCall:2",
      ], .tensorFlow2
    ),
    (
      [
        "StatefulPartitionedCall:3", "StatefulPartitionedCall:2", "StatefulPartitionedCall:1",
        "StatefulPartitionedCall:0",
      ], .tensorFlow1
    ),
    (["output_1", "output_3", "output_0", "output_2"], .tensorFlow2),
    (["Identity", "Identity_1", "Identity_2", "Identity_3"], nil),
    (["score", "score", "score", "score"], nil), ([], nil),
  ]

  @Test(arguments: names)
  func `names tell the order`(names: [String], expected: PostProcessOrder?) {
    #expect(PostProcessOrder.named(names) == expected)
  }

  @Test(arguments: [
    (BoundingBoxProperties.BoxType.boundaries, [0, 1, 2, 3], [Float(0.1), 0.2, 0.5, 0.8]),
    (.boundaries, [1, 0, 3, 2], [0.2, 0.1, 0.8, 0.5]),
    (.upperLeft, [0, 1, 2, 3], [0.1, 0.2, 0.4, 0.6]),
    (.center, [0, 1, 2, 3], [0.3, 0.5, 0.4, 0.6]),
    (.center, [2, 3, 0, 1], [0.4, 0.6, 0.3, 0.5]),
  ])
  func `boxes come in several forms`(
    type: BoundingBoxProperties.BoxType, locations: [Int], values: [Float]
  ) {
    for size in [Float(1), 100] {
      let format = BoxFormat(locations: locations, type: type, size: (size, size))
      let box = format.box([9] + values.map { $0 * size }, at: 1, score: 1, classIndex: 0)
      for (edge, wanted) in zip([box.left, box.top, box.right, box.bottom], [0.1, 0.2, 0.5, 0.8]) {
        #expect(abs(edge - Float(wanted)) < 1e-6)
      }
    }
  }
}
