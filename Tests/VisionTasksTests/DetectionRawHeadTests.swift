// SPDX-License-Identifier: Apache-2.0

import Testing
import VisionTasks

/// Raw heads.
@Suite struct DetectionRawHeadTests {
  static let anchors = [
    Anchor(centerX: 0.5, centerY: 0.25, width: 0.2, height: 0.4),
    Anchor(centerX: 0.25, centerY: 0.75, width: 1, height: 1),
  ]

  private func detections(
    _ heads: RawHeads, _ encodings: [Float], _ values: [Float], boxLength: Int = 4,
    threshold: Float = 0.5
  ) throws -> [BoxDetection] {
    let decoder = try RawHeadDecoder(
      heads, shapes: [[1, 2, boxLength], [1, 2, values.count / 2]])
    return decoder.detections(
      encodings: encodings, values: values, calibration: nil, threshold: threshold)
  }

  /// y = 1/10 · 0.4 + 0.25 = 0.29, x = 2/10 · 0.2 + 0.5 = 0.54, height = e^0 · 0.4, width =
  /// e^(ln 2) · 0.2 = 0.4.
  @Test func `SSD's encodings are offsets and logarithms relative to anchors`() throws {
    let found = try detections(
      RawHeads(anchors: Self.anchors), [1, 2, 0, 3.465_736, 0, 0, 0, 0],
      [0.2, 0.9, 0.7, 0.6], threshold: 0.75)
    try #require(found.count == 1)
    let wanted: [Float] = [0.34, 0.09, 0.74, 0.49]
    for (edge, wanted) in zip(
      [found[0].left, found[0].top, found[0].right, found[0].bottom], wanted)
    {
      #expect(abs(edge - wanted) < 1e-6)
    }
    #expect(found[0].classIndex == 1)
    #expect(found[0].score == 0.9)
  }

  /// x = 64/128 + 0.25 = 0.75, y = −32/128 + 0.75 = 0.5, width = 32/128, height = 64/128; the
  /// sigmoid of 0 is ½ and of ln 3 is ¾.
  @Test func `MediaPipe's encodings are pixels, and key points are passed over`() throws {
    let heads = RawHeads.mediaPipe(anchors: Self.anchors, inputWidth: 128, inputHeight: 128)
    let found = try detections(
      heads, [0, 0, 1, 1, 9, 9, 64, -32, 32, 64, 9, 9], [0, 1.098_612_3], boxLength: 6)
    try #require(found.count == 1)
    #expect(abs(found[0].score - 0.75) < 1e-6)
    #expect(found[0].left == 0.625)
    #expect(found[0].right == 0.875)
    #expect(found[0].top == 0.25)
    #expect(found[0].bottom == 0.75)
  }

  /// e^ln 2 / (e^ln 2 + e^0 + e^0) = ½ for the background, ¼ for both classes.
  @Test func `softmax and a background class`() throws {
    var heads = RawHeads(anchors: Self.anchors)
    heads.scoreFunction = .softmax
    heads.hasBackgroundClass = true
    let found = try detections(
      heads, Array(repeating: 0, count: 8), [0.693_147_2, 0, 0, 200, 100, 200], threshold: 0.2)
    #expect(found.map(\.classIndex) == [0, 1])
    #expect(abs(found[0].score - 0.25) < 1e-6)
    #expect(found[1].score == 0.5)
  }

  @Test func `NaN and infinity give no boxes`() throws {
    let heads = RawHeads(anchors: Self.anchors)
    let found = try detections(
      heads, [.nan, 0, 0, 0, 0, 0, .infinity, .infinity], [.nan, 0.9])
    #expect(found.count == 1)
    #expect(
      found[0].clipped
        == BoxDetection(left: 0, top: 0, right: 1, bottom: 1, score: 0.9))
    let extreme = RawHeads.mediaPipe(anchors: Self.anchors, inputWidth: 1, inputHeight: 1)
    let scores = try detections(
      extreme, Array(repeating: 1, count: 8), [.infinity, -.infinity]
    ).map(\.score)
    #expect(scores == [1])
  }

  @Test func `outputs are told apart by their lengths or by the options`() throws {
    var heads = RawHeads(anchors: Self.anchors)
    func outputs(_ shapes: [[Int]]) throws -> [Int] {
      let decoder = try RawHeadDecoder(heads, shapes: shapes)
      return [decoder.boxOutput, decoder.scoreOutput]
    }
    #expect(try outputs([[1, 2, 4], [1, 2, 90]]) == [0, 1])
    #expect(try outputs([[1, 2, 1], [1, 2, 16]]) == [1, 0])
    #expect(try outputs([[2, 1], [1, 2, 1, 16]]) == [1, 0])
    #expect(try outputs([[1, 2, 4], [1, 2, 4]]) == [0, 1])
    heads.scoreOutput = 0
    #expect(try outputs([[1, 2, 4], [1, 2, 4]]) == [1, 0])
  }

  @Test func `outputs that do not fit the anchors are refused`() {
    let shapes: [[[Int]]] = [
      [], [[1, 2, 4]], [[1, 3, 4], [1, 2, 1]], [[1, 2, 3], [1, 2, 1]], [[1, 2, 4], []],
      [[1, 2, 4], [1, 2, 0]],
    ]
    for shapes in shapes {
      #expect(throws: VisionError.self) {
        try RawHeadDecoder(RawHeads(anchors: Self.anchors), shapes: shapes)
      }
    }
    let good = [[1, 2, 4], [1, 2, 1]]
    let wrong: [(inout RawHeads) -> Void] = [
      { $0.anchors = [] }, { $0.xScale = 0 }, { $0.heightScale = .infinity },
      { $0.yScale = -1 }, { $0.boxOutput = 2 }, { $0.scoreOutput = -1 },
      { $0.anchors[0].width = .nan },
      {
        $0.boxOutput = 0
        $0.scoreOutput = 0
      }, { $0.hasBackgroundClass = true },
    ]
    for change in wrong {
      var heads = RawHeads(anchors: Self.anchors)
      change(&heads)
      #expect(throws: VisionError.self) { try RawHeadDecoder(heads, shapes: good) }
    }
  }
}
