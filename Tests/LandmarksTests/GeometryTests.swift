// SPDX-License-Identifier: Apache-2.0

import Imaging
import Landmarks
import Testing

private func isNear(_ first: NormalizedRect, _ second: NormalizedRect) -> Bool {
  abs(first.centerX - second.centerX) < 1e-5 && abs(first.centerY - second.centerY) < 1e-5
    && abs(first.width - second.width) < 1e-5 && abs(first.height - second.height) < 1e-5
    && abs(first.rotation - second.rotation) < 1e-5
}

/// Rectangles of detections and landmarks.
@Suite struct GeometryTests {
  /// By hand: 200 × 100 pixels at (100, 50), shifted by half its height up, then a square.
  @Test func `a rectangle is shifted, squared and enlarged in this order`() {
    let rect = RotatedRect(centerX: 100, centerY: 50, width: 40, height: 20)
    let long = RectTransformation(scale: 2.6, shiftX: 0.25, shiftY: -0.5, square: .long)
    let result = long.applied(to: rect)
    #expect(result == RotatedRect(centerX: 110, centerY: 40, width: 104, height: 104))
    let short = RectTransformation(scale: 0.5, square: .short).applied(to: rect)
    #expect(short == RotatedRect(centerX: 100, centerY: 50, width: 10, height: 10))
    var uneven = RectTransformation()
    uneven.scaleX = 3
    #expect(uneven.applied(to: rect).width == 120 && uneven.applied(to: rect).height == 20)
  }

  /// Turned a quarter clockwise, a rectangle's own bottom is to the left.
  @Test func `shifts are along the rectangle's own axes`() {
    let rect = RotatedRect(
      centerX: 100, centerY: 50, width: 40, height: 20, rotation: .pi / 2)
    let down = RectTransformation(shiftY: 0.5).applied(to: rect)
    #expect(abs(down.centerX - 90) < 1e-4 && abs(down.centerY - 50) < 1e-4)
    let right = RectTransformation(shiftX: 0.5).applied(to: rect)
    #expect(abs(right.centerX - 100) < 1e-4 && abs(right.centerY - 70) < 1e-4)
    let turned = RectTransformation(rotation: .pi).applied(to: rect)
    #expect(abs(turned.rotation + .pi / 2) < 1e-6)
  }

  /// A square in pixels is none in fractions of an image that is not square.
  @Test func `squares are squares in pixels`() {
    let rect = NormalizedRect(centerX: 0.5, centerY: 0.5, width: 0.2, height: 0.2)
    let result = RectTransformation.pose.applied(to: rect, columns: 400, rows: 100)
    #expect(isNear(result, NormalizedRect(centerX: 0.5, centerY: 0.5, width: 0.25, height: 1)))
  }

  /// The eyes of a head that leans to its left by 45° in the image.
  @Test func `the rotation levels a vector`() {
    let eyes = [Landmark(x: 0.25, y: 0.25), Landmark(x: 0.5, y: 0.75)]
    let rotation = RotationVector.face.rotation(of: eyes, columns: 200, rows: 100)
    #expect(abs((rotation ?? 9) - .pi / 4) < 1e-6)
    let up = RotationVector.pose.rotation(of: eyes, columns: 200, rows: 100)
    #expect(abs((up ?? 9) - .pi * 3 / 4) < 1e-6)
    #expect(
      RotationVector(start: 0, end: 2, targetAngle: 0)
        .rotation(of: eyes, columns: 1, rows: 1) == nil)
  }

  /// `pose_expected_detection.pbtxt` and `pose_expected_expanded_rect.pbtxt` of MediaPipe's tests,
  /// for its image of 1000 × 667 pixels.
  @Test func `a detected body gives the region that MediaPipe expects`() throws {
    let points = [
      Landmark(x: 0.491_922_97, y: 0.701_334_5), Landmark(x: 0.484_532_12, y: 0.322_655_95),
    ]
    let rect = try #require(
      NormalizedRect(alignedTo: points, by: .pose, columns: 1000, rows: 667))
    let region = RectTransformation.pose.applied(to: rect, columns: 1000, rows: 667)
    let expected = NormalizedRect(
      centerX: 0.491_922_97, centerY: 0.701_334_5, width: 0.631_716_7, height: 0.947_101_6,
      rotation: -0.029_253_244)
    #expect(abs(region.width - expected.width) < 1e-3)
    #expect(abs(region.height - expected.height) < 1e-3)
    #expect(abs(region.rotation - expected.rotation) < 1e-4)
    #expect(region.centerX == expected.centerX && region.centerY == expected.centerY)
  }

  /// From `expected_left_up_hand_landmarks.prototxt` the wrist and the middle finger's base, which the
  /// palm detector finds about there, and from `hand_detector_result_two_hands.pbtxt` the angle.
  @Test func `a palm is turned as MediaPipe's tests expect`() throws {
    let points = [
      Landmark(x: 0.191_666_66, y: 0.897_905_77), Landmark(x: 0, y: 0),
      Landmark(x: 0.245_833_34, y: 0.534_031_4),
    ]
    let angle = try #require(RotationVector.palm.rotation(of: points, columns: 1885, rows: 1000))
    #expect(abs(angle - 0.805_509_15) < 0.1)
  }

  /// A turned hand gives the turned rectangle of the hand as it was.
  @Test(arguments: [0, 0.7, -2.5] as [Float])
  func `the rectangle of a hand turns with the hand`(angle: Float) throws {
    let columns = [0, -2, -3, -3.5, -4, -1.5, -1.5, -1.5, -1.5, 0, 0, 0, 0, 1.5, 1.5, 1.5, 1.5]
    let rows = [0, -1, -2, -3, -4, -5, -7, -8, -9, -5, -8, -9, -10, -5, -7, -8, -9]
    var points = zip(columns, rows).map { (x: Float($0), y: Float($1)) }
    points += [(3, -4), (3, -5), (3, -6), (3, -7)]
    let (cosine, sine) = (cosine(angle), cosine(angle - .pi / 2))
    let turned = points.map { point in
      Landmark(
        x: (50 + point.x * cosine - point.y * sine) / 200,
        y: (60 + point.x * sine + point.y * cosine) / 100)
    }
    let rect = try #require(NormalizedRect(hand: turned, columns: 200, rows: 100))
      .inPixels(columns: 200, rows: 100)
    // Of the points that count, the thumb's third joint is left, the little finger right, the
    // middle finger's second joint on top.
    #expect(abs(rect.rotation - angle) < 1e-4)
    #expect(abs(rect.width - 6.5) < 1e-3 && abs(rect.height - 8) < 1e-3)
    let (x, y): (Float, Float) = (-0.25, -4)
    #expect(abs(rect.centerX - (50 + x * cosine - y * sine)) < 1e-3)
    #expect(abs(rect.centerY - (60 + x * sine + y * cosine)) < 1e-3)
    #expect(NormalizedRect(hand: Array(turned.dropLast()), columns: 200, rows: 100) == nil)
  }

  private func cosine(_ angle: Float) -> Float {
    // Taylor's series: independent of the library that the code calls.
    var (term, sum) = (1.0, 1.0)
    let square = Double(angle) * Double(angle)
    for index in 1...20 {
      term *= -square / Double((2 * index - 1) * (2 * index))
      sum += term
    }
    return Float(sum)
  }

  /// A region of 100 × 50 pixels for a square input: a quarter of the result on each side.
  @Test func `padding is what a region lacks, and is removed again`() throws {
    let rect = RotatedRect(centerX: 10, centerY: 20, width: 100, height: 50, rotation: 1)
    let (padded, padding) = try Letterbox.fitting(rect, columns: 64, rows: 64)
    #expect(padded == RotatedRect(centerX: 10, centerY: 20, width: 100, height: 100, rotation: 1))
    #expect(padding == Letterbox(horizontal: 0, vertical: 0.25))
    let point = padding.removed(from: [Landmark(x: 0.3, y: 0.25, z: 0.5)])[0]
    #expect(point == Landmark(x: 0.3, y: 0, z: 0.5))
    let tall = try Letterbox.fitting(rect, columns: 64, rows: 16)
    #expect(tall.padding == Letterbox(horizontal: 0.25, vertical: 0))
    let detection = KeyPointDetection(
      left: 0.25, top: 0.5, width: 0.5, height: 0.25, score: 1,
      keyPoints: [Landmark(x: 0.75, y: 0.5)])
    let removed = tall.padding.removed(from: [detection])[0]
    #expect(removed.left == 0 && removed.width == 1 && removed.height == 0.25)
    #expect(removed.keyPoints == [Landmark(x: 1, y: 0.5)])
    #expect(throws: LandmarkError.self) { try Letterbox.fitting(rect, columns: 0, rows: 1) }
  }

  struct Projection: Sendable {
    let rect: NormalizedRect
    let size: (columns: Int, rows: Int)
    let point: Landmark
    let expected: Landmark
  }

  /// The cases of `landmark_projection_calculator_test.cc`.
  static let projections = [
    Projection(
      rect: .whole, size: (1, 1), point: Landmark(x: 10, y: 20, z: -0.5),
      expected: Landmark(x: 10, y: 20, z: -0.5)),
    Projection(
      rect: NormalizedRect(centerX: 0.5, centerY: 0.5, width: 0.5, height: 2), size: (1, 1),
      point: Landmark(x: 1, y: 1, z: -0.5), expected: Landmark(x: 0.75, y: 1.5, z: -0.25)),
    Projection(
      rect: NormalizedRect(
        centerX: 0.5, centerY: 0.5, width: 0.5, height: 1, rotation: .pi / 2), size: (1, 1),
      point: Landmark(x: 0.5, y: 1), expected: Landmark(x: 0, y: 0.5)),
    Projection(
      rect: NormalizedRect(
        centerX: 0.5, centerY: 0.5, width: 0.5, height: 1, rotation: .pi / 2), size: (2, 1),
      point: Landmark(x: 0.5, y: 1), expected: Landmark(x: 0.25, y: 0.5)),
  ]

  @Test(arguments: projections) func `points go back to the image`(row: Projection) {
    let (columns, rows) = row.size
    let projection = RectProjection(
      from: row.rect.inPixels(columns: columns, rows: rows), columns: columns, rows: rows)
    let result = projection.projected(row.point)
    #expect(abs(result.x - row.expected.x) < 1e-5)
    #expect(abs(result.y - row.expected.y) < 1e-5)
    #expect(abs(result.z - row.expected.z) < 1e-5)
  }

  /// A region of half the columns, turned a quarter: in fractions, its width is all of the rows.
  @Test func `depth grows by the width, or by what a step to the right becomes`() {
    let rect = RotatedRect(centerX: 0, centerY: 0, width: 50, height: 10, rotation: .pi / 2)
    let turning = RectProjection(from: rect, columns: 100, rows: 50)
    let point = Landmark(x: 0, y: 0, z: 1)
    #expect(abs(turning.projected(point).z - 1) < 1e-6)
    let plain = RectProjection(from: rect, columns: 100, rows: 50, depthTurns: false)
    #expect(plain.projected(point).z == 0.5)
  }

  /// The corners of what a crop shows are the corners of its rectangle.
  @Test func `corners and projection agree`() {
    let rect = RotatedRect(centerX: 30, centerY: 40, width: 20, height: 10, rotation: 0.6)
    let projection = RectProjection(from: rect, columns: 100, rows: 80)
    let places: [(Float, Float)] = [(0, 0), (1, 0), (1, 1), (0, 1)]
    for (place, corner) in zip(places, rect.corners) {
      let point = projection.projected(Landmark(x: place.0, y: place.1))
      #expect(abs(point.x * 100 - corner.x) < 1e-3 && abs(point.y * 80 - corner.y) < 1e-3)
    }
    let detection = projection.projected(
      KeyPointDetection(left: 0, top: 0, width: 1, height: 1, score: 0.5))
    let xs = rect.corners.map(\.x)
    #expect(abs(detection.left * 100 - (xs.min() ?? 0)) < 1e-3)
    #expect(abs((detection.left + detection.width) * 100 - (xs.max() ?? 0)) < 1e-3)
    let world = RectProjection(
      from: RotatedRect(centerX: 0, centerY: 0, width: 1, height: 1, rotation: .pi / 2),
      columns: 1, rows: 1
    ).turned([Landmark(x: 1, y: 0, z: 3)])[0]
    #expect(abs(world.x) < 1e-6 && abs(world.y - 1) < 1e-6 && world.z == 3)
  }
}
