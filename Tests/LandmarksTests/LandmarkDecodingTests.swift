// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Testing

/// Landmarks from a model's numbers and heat maps.
@Suite struct LandmarkDecodingTests {
  @Test func `numbers become fractions and probabilities`() throws {
    var decoder = LandmarkDecoder(count: 2, inputWidth: 100, inputHeight: 200)
    decoder.depthDivisor = 0.4
    let plain = try decoder.landmarks([50, 100, 10, 25, 0, -20])
    #expect(plain == [Landmark(x: 0.5, y: 0.5, z: 0.25), Landmark(x: 0.25, y: 0, z: -0.5)])
    decoder.hasSigmoidProbabilities = true
    decoder.isFlippedHorizontally = true
    decoder.isFlippedVertically = true
    let all = try decoder.landmarks([0, 0, 0, 0, 100, 25, 50, 0, 1, 2])
    #expect(all[0] == Landmark(x: 1, y: 1, visibility: 0.5, presence: 1))
    #expect(all[1].x == 0.75 && all[1].y == 0.75)
    #expect(abs((all[1].visibility ?? 0) - 0.731_058_6) < 1e-6)
    #expect(try LandmarkDecoder(count: 1).landmarks([1, 2]) == [Landmark(x: 1, y: 2)])
    #expect(throws: LandmarkError.self) { try decoder.landmarks([1, 2]) }
    #expect(throws: LandmarkError.self) { try decoder.landmarks([1, 2, 3, 4, 5]) }
  }

  struct Refinement: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let points: [Landmark]
    let heatmap: [Float]
    let minConfidence: Float
    let expected: [Landmark]
  }

  private static let none: Float = -1e16

  /// The cases of `refine_landmarks_from_heatmap_calculator_test.cc`, with 3 × 3 cells.
  static let refinements = [
    Refinement(
      testDescription: "to the best cell", points: [Landmark(x: 0.5, y: 0.5)],
      heatmap: [none, none, none, 1, none, none, none, none, none], minConfidence: 0.1,
      expected: [Landmark(x: 0, y: 1 / 3)]),
    Refinement(
      testDescription: "unsure cells change nothing", points: [Landmark(x: 0.5, y: 0.5)],
      heatmap: [none, none, none, 0, none, none, none, none, none], minConfidence: 0.6,
      expected: [Landmark(x: 0.5, y: 0.5)]),
    Refinement(
      testDescription: "two landmarks at the border",
      points: [Landmark(x: 0, y: 0), Landmark(x: 0.9, y: 0.9)],
      heatmap: [
        none, none, none, none, none, none, 0, 0, none, none, 0, 0, none, none, none, none, none, 0,
      ], minConfidence: 0.1,
      expected: [Landmark(x: 0, y: 1 / 3), Landmark(x: 2 / 3, y: 1 / 6 + 2 / 6)]),
    Refinement(
      testDescription: "outside", points: [Landmark(x: 1.1, y: 0.5), Landmark(x: .nan, y: 0)],
      heatmap: Array(repeating: 5, count: 18), minConfidence: 0.1,
      expected: [Landmark(x: 1.1, y: 0.5), Landmark(x: .nan, y: 0)]),
  ]

  @Test(arguments: refinements) func `heat maps move landmarks`(row: Refinement) throws {
    var refinement = HeatmapRefinement(kernelSize: 3)
    refinement.minConfidence = row.minConfidence
    let points = try refinement.refined(row.points, heatmap: row.heatmap, rows: 3, columns: 3)
    for (point, expected) in zip(points, row.expected) {
      #expect(expected.x.isNaN ? point.x.isNaN : abs(point.x - expected.x) < 1e-6)
      #expect(abs(point.y - expected.y) < 1e-6)
    }
  }

  @Test func `the best cell limits probabilities where asked`() throws {
    var refinement = HeatmapRefinement(kernelSize: 1)
    let point = Landmark(x: 0.5, y: 0.5, visibility: 0.9, presence: 0.3)
    #expect(try refinement.refined([point], heatmap: [0], rows: 1, columns: 1)[0].visibility == 0.9)
    (refinement.refinesVisibility, refinement.refinesPresence) = (true, true)
    let refined = try refinement.refined([point], heatmap: [0], rows: 1, columns: 1)[0]
    #expect(refined.visibility == 0.5 && refined.presence == 0.3)
    refinement.kernelSize = 2
    #expect(throws: LandmarkError.self) {
      try refinement.refined([point], heatmap: [0], rows: 1, columns: 1)
    }
    #expect(throws: LandmarkError.self) {
      try HeatmapRefinement().refined([point], heatmap: [0, 0], rows: 1, columns: 1)
    }
  }

  /// Points of lines exist, and each joined pair is there once.
  @Test func `lines join points that exist`() {
    let sets: [([Skeleton.Connection], Int, Int)] = [
      (Skeleton.pose, 33, 35), (Skeleton.hand, 21, 21), (Skeleton.body, 17, 18),
      (Skeleton.faceContours, 468, 124), (Skeleton.faceIrises, 478, 8),
    ]
    for (lines, points, count) in sets {
      #expect(lines.count == count && Set(lines).count == count)
      #expect(lines.allSatisfy { (0..<points).contains($0.start) && (0..<points).contains($0.end) })
      #expect(lines.allSatisfy { $0.start != $0.end })
    }
  }

  @Test func `blend shapes read 146 landmarks in pixels`() throws {
    #expect(FaceBlendshape.names.count == 52 && Set(FaceBlendshape.names).count == 52)
    #expect(FaceBlendshape.landmarkIndices == FaceBlendshape.landmarkIndices.sorted())
    let points = (0..<478).map { Landmark(x: Float($0), y: Float(-$0)) }
    let input = try FaceBlendshape.input(points, columns: 2, rows: 3)
    #expect(input.count == 292)
    #expect(Array(input[2...5]) == [2, -3, 8, -12])
    #expect(throws: LandmarkError.self) {
      try FaceBlendshape.input(Array(points.prefix(468)), columns: 2, rows: 3)
    }
  }
}
