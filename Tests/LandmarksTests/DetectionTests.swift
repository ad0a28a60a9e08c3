// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Testing

/// Detections with key points from a model's numbers.
@Suite struct DetectionTests {
  private static let anchors = [
    Anchor(centerX: 0.25, centerY: 0.5, width: 1, height: 1),
    Anchor(centerX: 0.5, centerY: 0.5, width: 0.5, height: 2),
  ]

  /// Input of 100 × 200 pixels; by hand.
  @Test func `encodings are pixels around the anchor`() throws {
    let decoder = AnchorDetectionDecoder(
      anchors: Self.anchors, keyPointCount: 1, inputWidth: 100, inputHeight: 200)
    let boxes: [Float] = [5, -20, 20, 40, 10, 20, 0, 0, 40, 20, -50, 100]
    let detections = try decoder.detections(boxes: boxes, scores: [0, 200])
    try #require(detections.count == 2)
    #expect(abs(detections[0].left - 0.2) < 1e-6 && abs(detections[0].top - 0.3) < 1e-6)
    #expect(abs(detections[0].width - 0.2) < 1e-6 && abs(detections[0].height - 0.2) < 1e-6)
    #expect(detections[0].score == 0.5)
    #expect(detections[0].keyPoints == [Landmark(x: 0.35, y: 0.6)])
    #expect(abs(detections[1].left - 0.4) < 1e-6 && abs(detections[1].width - 0.2) < 1e-6)
    #expect(abs(detections[1].top - 0.4) < 1e-6 && abs(detections[1].height - 0.2) < 1e-6)
    #expect(detections[1].keyPoints == [Landmark(x: 0.25, y: 1.5)])
    #expect(detections[1].score == 1)
  }

  @Test func `options change order, size and score`() throws {
    var decoder = AnchorDetectionDecoder(
      anchors: [Self.anchors[0]], keyPointCount: 0, inputWidth: 1, inputHeight: 1)
    (decoder.boxOrder, decoder.hasSigmoidScores) = (.yxhw, false)
    decoder.hasLogarithmicSizes = true
    var found = try decoder.detections(boxes: [0.125, 0.25, 0, 0], scores: [0.75])
    #expect(found[0].left == 0 && found[0].top == 0.125)
    #expect(found[0].width == 1 && found[0].height == 1 && found[0].score == 0.75)
    decoder.hasLogarithmicSizes = false
    decoder.boxOrder = .xyxy
    found = try decoder.detections(boxes: [0.25, 0.125, 0.5, 0.25], scores: [0.75])
    #expect(found[0].left == 0 && found[0].width == 0.75)
    #expect(found[0].top == 0.375 && found[0].height == 0.375)
    decoder.isFlippedVertically = true
    found = try decoder.detections(boxes: [0.25, 0.125, 0.5, 0.25], scores: [0.75])
    #expect(found[0].top == 0.25)
    decoder.scoreThreshold = 0.8
    #expect(try decoder.detections(boxes: [0.25, 0.125, 0.5, 0.25], scores: [0.75]).isEmpty)
  }

  @Test func `each anchor takes its best allowed class`() throws {
    var decoder = AnchorDetectionDecoder(
      anchors: Self.anchors, keyPointCount: 0, inputWidth: 1, inputHeight: 1)
    (decoder.classCount, decoder.hasSigmoidScores) = (3, false)
    let boxes: [Float] = [0, 0, 1, 1, 0, 0, 1, 1]
    let scores: [Float] = [0.1, 0.9, 0.2, 0.3, 0.2, .nan]
    var classes = try decoder.detections(boxes: boxes, scores: scores).map(\.classIndex)
    #expect(classes == [1, 0])
    decoder.deniedClasses = [1]
    classes = try decoder.detections(boxes: boxes, scores: scores).map(\.classIndex)
    #expect(classes == [2, 0])
    decoder.allowedClasses = [2]
    decoder.limit = 1
    classes = try decoder.detections(boxes: boxes, scores: scores).map(\.classIndex)
    #expect(classes == [2])
  }

  @Test func `boxes without size or with no numbers are dropped, wrong counts refused`() throws {
    var decoder = AnchorDetectionDecoder(
      anchors: Self.anchors, keyPointCount: 0, inputWidth: 1, inputHeight: 1)
    let odd: [Float] = [0, 0, -1, 1, 0, 0, .nan, 1]
    #expect(try decoder.detections(boxes: odd, scores: [1, 1]).isEmpty)
    #expect(throws: LandmarkError.valueCount(7, wanted: 8, of: "box encodings")) {
      try decoder.detections(boxes: Array(odd.dropLast()), scores: [1, 1])
    }
    #expect(throws: LandmarkError.self) { try decoder.detections(boxes: odd, scores: [1]) }
    decoder.keyPointCount = 1
    #expect(throws: LandmarkError.self) { try decoder.detections(boxes: odd, scores: [1, 1]) }
  }

  private static let pair = [
    KeyPointDetection(
      left: 0, top: 0, width: 10, height: 10, score: 0.5,
      keyPoints: [Landmark(x: 0, y: 0)]),
    KeyPointDetection(
      left: 2, top: 0, width: 10, height: 10, score: 0.75, classIndex: 1,
      keyPoints: [Landmark(x: 5, y: 10)]),
  ]

  /// Overlap 80 / 120; the mean has the weights 0.4 and 0.6.
  @Test func `overlapping detections become their weighted mean`() {
    let mean = NonMaxSuppression(.weighted, threshold: 0.3).applied(to: Self.pair)
    #expect(mean.count == 1)
    #expect(mean[0].score == 0.75 && mean[0].classIndex == 1)
    #expect(abs(mean[0].left - 1.2) < 1e-6 && abs(mean[0].width - 10) < 1e-5)
    #expect(abs(mean[0].keyPoints[0].x - 3) < 1e-6 && abs(mean[0].keyPoints[0].y - 6) < 1e-6)
    let plain = NonMaxSuppression(.plain, threshold: 0.3).applied(to: Self.pair)
    #expect(plain == [Self.pair[1]])
  }

  /// Overlaps: 80 / 120, of the better one 80 / 100, and the box around both is 120.
  @Test func `thresholds are of the chosen overlap`() {
    let far = NonMaxSuppression(.plain, threshold: 0.7)
    #expect(far.applied(to: Self.pair).map(\.score) == [0.75, 0.5])
    let modified = NonMaxSuppression(.plain, overlap: .modifiedJaccard, threshold: 0.7)
    #expect(modified.applied(to: Self.pair).count == 1)
    var tall = Self.pair
    tall[0].height = 20
    // 80 by a box of 12 × 20 around both.
    let jaccard = NonMaxSuppression(.plain, overlap: .jaccard, threshold: 0.34)
    #expect(jaccard.applied(to: tall).count == 2)
    var perClass = NonMaxSuppression(.plain, threshold: 0.3)
    perClass.isPerClass = true
    #expect(perClass.applied(to: Self.pair).count == 2)
    perClass.limit = 1
    #expect(perClass.applied(to: Self.pair).map(\.classIndex) == [1])
    var least = far
    least.scoreThreshold = 0.6
    #expect(least.applied(to: Self.pair).count == 1)
  }

  @Test func `what is not finite is dropped, and no area overlaps nothing`() {
    var odd = Self.pair
    odd[1].left = .nan
    #expect(NonMaxSuppression().applied(to: odd) == [odd[0]])
    let point = KeyPointDetection(left: 1, top: 1, width: 0, height: 0, score: 1)
    #expect(NonMaxSuppression().applied(to: [point, point]).count == 2)
    #expect(NonMaxSuppression().applied(to: []).isEmpty)
  }

  /// Detections win over the image before for faces and poses, and lose for hands.
  @Test func `regions of two images are joined`() {
    let before = NormalizedRect(centerX: 0.5, centerY: 0.5, width: 0.4, height: 0.4)
    let same = NormalizedRect(centerX: 0.52, centerY: 0.5, width: 0.4, height: 0.4)
    let other = NormalizedRect(centerX: 0.1, centerY: 0.1, width: 0.1, height: 0.1)
    #expect(RectAssociation.merged([[before], [same, other]], threshold: 0.5) == [same, other])
    #expect(
      RectAssociation.completed([before], by: [same, other], threshold: 0.5) == [before, other])
    #expect(RectAssociation.merged([[before], [same]], threshold: 0.95) == [before, same])
    #expect(abs(before.overlap(with: same) - 0.38 / 0.42) < 1e-5)
  }
}
