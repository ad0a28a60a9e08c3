// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Martlet
import ModelTasks
import TestSupport
import Testing
import VisionTasks

private let files = ["hand_landmarker.task", "pose_landmarker_lite.task", "rs_pointing_up.jpg"]

/// The detectors and the landmark models of published bundles, each asked alone: they agree with
/// both together.
@Suite(.enabled(if: PublishedModels.haveTasks(files), "no \(files) in MARTLET_TEST_MODELS/tasks"))
struct RegionDetectorTests {
  private static func image(_ name: String) throws -> PixelBuffer {
    PixelBuffer(
      try JPEG.decode([UInt8](Data(contentsOf: URL(filePath: PublishedModels.task(name))))))
  }

  @Test func `a palm's points are those of the hand`() throws {
    let bundle = try TaskBundle(path: PublishedModels.task("hand_landmarker.task"))
    let (detector, landmarks) = (
      try bundle.model("hand_detector.tflite"), try bundle.model("hand_landmarks_detector.tflite")
    )
    let image = try Self.image("rs_pointing_up.jpg")
    let palms = try RegionDetector(detector, finding: .palm).detect(image)
    let palm = try #require(palms.first)
    let hands = try HandLandmarker(detector: detector, landmarks: landmarks).detect(image)
    let hand = try #require(hands.first)
    #expect(palms.count == 1 && palm.points.count == RegionDetector.Kind.palm.pointNames.count)
    // The wrist, and the bases of the index, middle, ring and little finger.
    for (point, landmark) in zip(palm.points, [0, 5, 9, 13, 17].map { hand.landmarks[$0] }) {
      #expect(abs(point.x - landmark.x) < 12 && abs(point.y - landmark.y) < 12)
    }
  }

  @Test func `a body's hips are those of the pose, and a lone landmark model finds it`() throws {
    let bundle = try TaskBundle(path: PublishedModels.task("pose_landmarker_lite.task"))
    let (detector, landmarks) = (
      try bundle.model("pose_detector.tflite"), try bundle.model("pose_landmarks_detector.tflite")
    )
    let image = try Self.image("samples_pose.jpg")
    let body = try #require(
      try RegionDetector(detector, finding: .body).detect(image).first)
    let pose = try #require(
      try PoseLandmarker(detector: detector, landmarks: landmarks).detect(image).first)
    let (left, right) = (pose.landmarks[23], pose.landmarks[24])
    #expect(abs(body.points[0].x - (left.x + right.x) / 2) < 10)
    #expect(abs(body.points[0].y - (left.y + right.y) / 2) < 10)
    let alone = try #require(
      try PoseLandmarker(detector: nil, landmarks: landmarks).detect(image).first)
    // Shoulders and hips; what is hidden is guessed.
    for index in [11, 12, 23, 24] {
      #expect(abs(alone.landmarks[index].x - pose.landmarks[index].x) < 20)
      #expect(abs(alone.landmarks[index].y - pose.landmarks[index].y) < 20)
    }
  }
}
