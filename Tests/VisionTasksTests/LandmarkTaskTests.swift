// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Martlet
import TestSupport
import Testing
import VisionTasks

/// Published models of faces and people on photographs, in the folder that `MARTLET_TEST_MODELS`
/// names.
@Suite(
  "Published models of faces and people",
  .enabled(if: PublishedModels.folder != nil, "MARTLET_TEST_MODELS is not set"))
struct LandmarkTaskTests {
  private static func bytes(_ location: String) throws -> [UInt8] {
    let folder = try #require(PublishedModels.folder)
    return [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(location)")))
  }

  private static func model(_ name: String) throws -> Model {
    try Model(bytes: bytes("nets/\(name)/model.tflite"))
  }

  private static func image(_ name: String) throws -> PixelBuffer {
    PixelBuffer(try PNG.decode(bytes("images/\(name).png")))
  }

  /// What MediaPipe 1.2.3 finds with this model in the photograph of 512 × 355 pixels, best first:
  /// the whole pixels of the box, the score, and the six points.
  private static let faces: [(box: [Double], score: Float, points: [(Float, Float)])] = [
    (
      [256, 70, 103, 103], 0.974_111_7,
      [
        (281.486, 100.946), (325.301, 100.066), (301.955, 125.951), (304.196, 144.676),
        (261.91, 107.9), (355.633, 105.318),
      ]
    ),
    (
      [131, 104, 97, 97], 0.929_549_2,
      [
        (160.86, 134.18), (201.342, 129.575), (186.31, 155.562), (188.656, 174.848),
        (136.258, 145.198), (223.706, 133.634),
      ]
    ),
  ]

  @Test func `faces are where MediaPipe finds them`() throws {
    let detector = try FaceDetector(Self.model("face_blazeface_short_fp16"))
    let found = try detector.detect(Self.image("face"))
    try #require(found.count == Self.faces.count)
    for (face, wanted) in zip(found, Self.faces) {
      let frame = [face.frame.x, face.frame.y, face.frame.width, face.frame.height]
      #expect(frame.map { $0.rounded(.down) } == wanted.box)
      #expect(abs(face.score - wanted.score) < 1e-4)
      for (point, expected) in zip(face.points, wanted.points) {
        #expect(abs(point.x - expected.0) < 0.05 && abs(point.y - expected.1) < 0.05)
      }
      #expect(face[.noseTip] == face.points[2])
    }
  }

  /// Stored on its side or mirrored, the same image has the same faces.
  @Test(arguments: [ImageOrientation.right, .down, .leftMirrored])
  func `orientations are undone`(orientation: ImageOrientation) throws {
    let image = try Self.image("face")
    let stored = image.upright(from: orientation.inverseForTest)
    #expect(stored.upright(from: orientation) == image.converted(to: stored.format))
    let detector = try FaceDetector(Self.model("face_blazeface_short_fp16"))
    let found = try detector.detect(stored, orientation: orientation)
    try #require(found.count == 2)
    let frame = orientation.uprightRect(
      found[0].frame, storedWidth: Double(stored.width), storedHeight: Double(stored.height))
    #expect(abs(frame.x - 256.06) < 0.1 && abs(frame.y - 70.53) < 0.1)
  }

  @Test func `the full-range detector finds the same faces`() throws {
    var options = FaceDetector.Options()
    options.maxFaces = 1
    let detector = try FaceDetector(Self.model("face_full_range_sparse_fp16"), options: options)
    let found = try detector.detect(Self.image("face"))
    try #require(found.count == 1)
    #expect(abs(found[0].points[2].x - 302) < 8 && abs(found[0].points[2].y - 126) < 8)
  }

  /// The mesh's tip of the nose (1) and outer eye corners (33, 263) lie near the detector's points.
  @Test func `a mesh lies on its face, in images and videos`() throws {
    let landmarker = try FaceLandmarker(
      detector: Self.model("face_blazeface_short_fp16"),
      landmarks: Self.model("face_landmark_int8"))
    let image = try Self.image("face")
    let face = try #require(try landmarker.detect(image).first)
    #expect(face.landmarks.count == 468 && face.presence > 0.9 && face.blendshapes.isEmpty)
    // MediaPipe with its own mesh: (301.8, 127.2).
    #expect(abs(face.landmarks[1].x - 301.8) < 5 && abs(face.landmarks[1].y - 127.2) < 5)
    #expect(face.landmarks[33].x < face.landmarks[263].x)
    var last = face
    for step in 0..<3 {
      let tracked = try landmarker.track(image, at: Int64(step) * 33_000_000)
      try #require(tracked.count == 1)
      #expect(abs(tracked[0].landmarks[1].x - last.landmarks[1].x) < 2)
      last = tracked[0]
    }
    landmarker.reset()
    #expect(try landmarker.track(image, at: 0).first?.landmarks == face.landmarks)
    #expect(throws: VisionError.self) {
      try FaceLandmarker(
        detector: Self.model("face_blazeface_short_fp16"),
        landmarks: Self.model("face_landmark_int8"),
        blendshapes: Self.model("face_blendshapes_fp16"))
    }
  }

  /// A part of the photograph with one face, as a detector's region would be.
  @Test func `a mesh alone takes an image as one face`() throws {
    let whole = try Self.image("face")
    let part = PixelRect(x: 230, y: 44, width: 154, height: 154)
    let mesh = try Self.model("face_landmark_int8")
    var options = FaceLandmarker.Options()
    options.maxFaces = 3
    let landmarker = try FaceLandmarker(detector: nil, landmarks: mesh, options: options)
    let cropped = try whole.cropped(to: part)
    let found = try landmarker.detect(cropped)
    try #require(found.count == 1 && found[0].landmarks.count == 468)
    let detected = try FaceLandmarker(
      detector: Self.model("face_blazeface_short_fp16"), landmarks: mesh
    ).detect(whole)
    for (point, other) in zip(found[0].landmarks, try #require(detected.first).landmarks) {
      #expect(abs(point.x + 230 - other.x) < 6 && abs(point.y + 44 - other.y) < 6)
    }
    // Of a video, it is the same face.
    for time in 0..<3 {
      let faces = try landmarker.track(cropped, at: Int64(time) * 33_000_000)
      try #require(faces.count == 1)
      for (point, other) in zip(faces[0].landmarks, found[0].landmarks) {
        #expect(abs(point.x - other.x) < 6 && abs(point.y - other.y) < 6)
      }
    }
  }

  @Test func `detectors alone find regions with named points`() throws {
    let image = try Self.image("face")
    let model = try Self.model("face_blazeface_short_fp16")
    let faces = try FaceDetector(model).detect(image)
    let regions = try RegionDetector(model, finding: .face).detect(image)
    #expect(regions.map(\.points) == faces.map(\.points) && !regions.isEmpty)
    for (face, region) in zip(faces, regions) {
      #expect(face.frame == region.frame && face.score == region.score)
      #expect(region.points.count == RegionDetector.Kind.face.pointNames.count)
    }
    #expect(throws: VisionError.self) { try RegionDetector(model, finding: .palm) }
    #expect(throws: Never.self) {
      try RegionDetector(Self.model("pose_detection_int8"), finding: .body)
    }
  }

  /// Coral's published key points of this model; its scores of single runs differ by half, its
  /// locations by 0.035 even in the reference runtime, with how the image is resized.
  @Test func `a person is where Coral finds one`() throws {
    let text = try String(
      decoding: Self.bytes(
        "extras/coral_references/movenet_single_pose_lightning_ptq_reference.csv"), as: UTF8.self)
    let rows = text.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").compactMap { Float($0) }
    }
    let image = try Self.image("squat")
    var options = PoseEstimator.Options()
    options.keepsAspect = false
    options.minScore = 0
    let estimator = try PoseEstimator(Self.model("pose_movenet_lightning_int8"), options: options)
    let pose = try #require(try estimator.detect(image).first)
    try #require(rows.count == 17)
    for (point, row) in zip(pose.keyPoints, rows) {
      #expect(abs(point.x / Float(image.width) - row[4]) < 0.04)
      #expect(abs(point.y / Float(image.height) - row[5]) < 0.04)
    }
    // In a video, the crop follows the person, who stays.
    let first = try #require(try estimator.track(image).first)
    #expect(first == pose)
    let second = try #require(try estimator.track(image).first)
    let (nose, before) = (try #require(second[.nose]), try #require(first[.nose]))
    #expect(abs(nose.x - before.x) < 20 && abs(nose.y - before.y) < 20)
  }

  @Test func `models of other tasks are refused`() throws {
    #expect(throws: VisionError.self) {
      try FaceDetector(Self.model("face_blazeface_mlkit_v1"))
    }
    #expect(throws: VisionError.self) { try FaceDetector(Self.model("pose_detection_int8")) }
    #expect(throws: VisionError.self) {
      try PoseEstimator(Self.model("face_blazeface_short_fp16"))
    }
    #expect(throws: VisionError.self) {
      try HandLandmarker(
        detector: Self.model("face_blazeface_short_fp16"),
        landmarks: Self.model("face_landmark_int8"))
    }
    #expect(throws: VisionError.self) {
      try PoseLandmarker(
        detector: Self.model("pose_detection_int8"), landmarks: Self.model("face_landmark_int8"))
    }
    var options = FaceDetector.Options()
    options.minScore = 2
    #expect(throws: VisionError.self) {
      try FaceDetector(Self.model("face_blazeface_short_fp16"), options: options)
    }
  }
}

extension ImageOrientation {
  /// The orientation that undoes this one.
  fileprivate var inverseForTest: ImageOrientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }
}
