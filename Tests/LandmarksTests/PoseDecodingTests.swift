// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Testing

/// People from the outputs of MoveNet and PoseNet.
@Suite struct PoseDecodingTests {
  @Test func `a single pose has y before x`() throws {
    let values = (0..<51).map { Float($0) }
    let pose = try MoveNetDecoder.singlePose(values)
    #expect(pose[.nose] == Pose.KeyPoint(x: 1, y: 0, score: 2))
    #expect(pose[.rightAnkle] == Pose.KeyPoint(x: 49, y: 48, score: 50))
    #expect(pose.score == 26)
    #expect(throws: LandmarkError.self) { try MoveNetDecoder.singlePose([1]) }
  }

  @Test func `people are sorted and have boxes`() throws {
    var values = [Float](repeating: 0, count: 3 * 56)
    for (index, score) in ([0.3, 0.9, 0.1] as [Float]).enumerated() {
      values.replaceSubrange(
        index * 56 + 51..<index * 56 + 56, with: [0.1, 0.2, 0.5, 0.8, score])
    }
    let poses = try MoveNetDecoder.poses(values, scoreThreshold: 0.2)
    #expect(poses.map(\.score) == [0.9, 0.3])
    let box = try #require(poses[0].box)
    #expect(box.left == 0.2 && box.top == 0.1)
    #expect(abs(box.width - 0.6) < 1e-6 && abs(box.height - 0.4) < 1e-6)
    #expect(throws: LandmarkError.self) {
      try MoveNetDecoder.poses([0], scoreThreshold: 0)
    }
  }

  private static func person(_ score: Float = 1) -> Pose {
    var points = BodyPart.allCases.map { _ in Pose.KeyPoint(x: 100, y: 100, score: score) }
    points[BodyPart.leftShoulder.rawValue] = Pose.KeyPoint(x: 110, y: 80, score: score)
    points[BodyPart.nose.rawValue] = Pose.KeyPoint(x: 100, y: 60, score: score)
    return Pose(keyPoints: points, score: score)
  }

  /// From the hips at (100, 100): the torso reaches 20 (times 1.9), the body 40 (times 1.2).
  @Test func `the next crop is a square around the hips`() {
    let crop = MoveNetCrop()
    let next = crop.next(after: Self.person(), columns: 400, rows: 300)
    #expect(next == RotatedRect(centerX: 100, centerY: 100, width: 96, height: 96))
    let lost = crop.next(after: Self.person(0.1), columns: 400, rows: 300)
    #expect(lost == RotatedRect(centerX: 200, centerY: 150, width: 400, height: 400))
    var near = Self.person()
    near.keyPoints[BodyPart.leftShoulder.rawValue].y = -100
    let close = crop.next(after: near, columns: 400, rows: 300)
    #expect(close == MoveNetCrop.whole(columns: 400, rows: 300))
    near.keyPoints[BodyPart.leftHip.rawValue].x = .nan
    #expect(crop.next(after: near, columns: 4, rows: 3) == MoveNetCrop.whole(columns: 4, rows: 3))
  }

  /// Maps that show people at given columns of a 5 × 9 grid, stride 10; in each person, the part
  /// `p` is `p mod 5` rows down and a pixel to the right.
  private static func maps(_ columns: [Int: Float], split: Bool) throws -> PoseNetMaps {
    let (rows, width) = (5, 9)
    var heat = [Float](repeating: -9, count: rows * width * 17)
    var offsets = [Float](repeating: 0, count: rows * width * 34)
    var forward = [Float](repeating: 0, count: rows * width * 32)
    var backward = forward
    for (column, score) in columns {
      for part in 0..<17 {
        heat[((part % 5) * width + column) * 17 + part] = score
        for row in 0..<rows { offsets[(row * width + column) * 34 + 17 + part] = 1 }
      }
      for (index, edge) in Skeleton.poseNetEdges.enumerated() {
        let (parent, child) = (edge.0.rawValue % 5, edge.1.rawValue % 5)
        for shift in 0...1 where column + shift < width {
          forward[(parent * width + column + shift) * 32 + index] = Float(child - parent) * 10
          backward[(child * width + column + shift) * 32 + index] = Float(parent - child) * 10
        }
      }
    }
    if split {
      return try PoseNetMaps(
        rows: rows, columns: width, heatmap: heat, offsets: offsets, forward: forward,
        backward: backward)
    }
    var both: [Float] = []
    for start in stride(from: 0, to: forward.count, by: 32) {
      both += Array(forward[start..<start + 32])
      both += Array(backward[start..<start + 32])
    }
    return try PoseNetMaps(
      rows: rows, columns: width, heatmap: heat, offsets: offsets, displacements: both)
  }

  @Test(arguments: [true, false]) func `two people are told apart`(split: Bool) throws {
    var decoder = PoseNetDecoder(stride: 10)
    decoder.refinementSteps = 0
    let poses = try decoder.poses(Self.maps([1: 3, 5: 4], split: split))
    try #require(poses.count == 2)
    for (pose, column) in zip(poses, [5, 1] as [Float]) {
      for (part, point) in pose.keyPoints.enumerated() {
        #expect(abs(point.y - Float(part % 5) * 10) < 1e-3, "part \(part)")
        #expect(abs(point.x - (column * 10 + 1)) < 1e-3, "part \(part)")
      }
    }
    #expect(poses[0].score > poses[1].score)
    decoder.maxPoses = 1
    #expect(try decoder.poses(Self.maps([1: 3, 5: 4], split: split)).count == 1)
    decoder.scoreThreshold = 1
    #expect(try decoder.poses(Self.maps([1: 3], split: split)).isEmpty)
  }

  @Test func `the one person is the best cell of each part`() throws {
    let pose = try PoseNetDecoder(stride: 10).pose(Self.maps([1: 3, 5: 4], split: true))
    #expect(pose[.leftEye] == Pose.KeyPoint(x: 51, y: 10, score: 1 / (1 + 0.018_315_639)))
    #expect(abs(pose.score - 0.982_013_8) < 1e-6)
  }

  @Test func `hostile maps give no crash`() throws {
    for value in [Float.nan, .infinity, -.infinity, 1e38] {
      let maps = try PoseNetMaps(
        rows: 2, columns: 3, heatmap: Array(repeating: 1, count: 102),
        offsets: Array(repeating: value, count: 204),
        displacements: Array(repeating: value, count: 384))
      let poses = try PoseNetDecoder(stride: 16).poses(maps)
      #expect(poses.allSatisfy { $0.keyPoints.allSatisfy { (0...32).contains($0.x) } })
    }
    #expect(throws: LandmarkError.self) {
      try PoseNetDecoder(stride: 0).pose(Self.maps([:], split: true))
    }
    #expect(throws: LandmarkError.self) {
      try PoseNetMaps(rows: 1, columns: 1, heatmap: [], offsets: [], displacements: [])
    }
  }
}
