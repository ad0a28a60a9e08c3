// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Landmarks
import Martlet
import ModelTasks
import TestSupport
import Testing
import VisionTasks

private func has(_ names: String...) -> ConditionTrait {
  .enabled(
    if: PublishedModels.haveTasks(names), "not all of tasks/\(names) in MARTLET_TEST_MODELS")
}

/// Bodies with their faces, hands and masks; numbers are those of MediaPipe 1.2.3 with the same
/// models, in a bundle of its own for the holistic landmarker.
@Suite struct HolisticLandmarkerTests {
  private static let poses = "pose_landmarker_full.task"
  private static let faces = "face_landmarker_v2_with_blendshapes.task"
  private static let hands = "hand_landmarker.task"
  private static let refinement = "hand_recrop.tflite"
  private static let photograph = "samples_business_person.png"

  private static func image(_ name: String) throws -> PixelBuffer {
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: PublishedModels.task(name))))
    return PixelBuffer(name.hasSuffix(".png") ? try PNG.decode(bytes) : try JPEG.decode(bytes))
  }

  private static func models() throws -> HolisticLandmarker.Models {
    let (body, face) = (
      try TaskBundle(path: PublishedModels.task(poses)),
      try TaskBundle(path: PublishedModels.task(faces))
    )
    return HolisticLandmarker.Models(
      poseDetector: try body.model("pose_detector.tflite"),
      poseLandmarks: try body.model("pose_landmarks_detector.tflite"),
      faceDetector: try face.model("face_detector.tflite"),
      faceLandmarks: try face.model("face_landmarks_detector.tflite"),
      blendshapes: try face.model("face_blendshapes.tflite"),
      handLandmarks: try TaskBundle(path: PublishedModels.task(hands)).model(
        "hand_landmarks_detector.tflite"),
      handRefinement: try Model(path: PublishedModels.task(refinement)))
  }

  private static let body: [(Int, Float, Float)] = [
    (0, 0.52232, 0.23599), (11, 0.77766, 0.47167), (15, 0.31562, 0.85577), (16, 0.54581, 0.58399),
    (28, 0.21081, 1.7621),
  ]
  private static let face: [(Int, Float, Float)] = [
    (1, 0.54125, 0.25404), (33, 0.44195, 0.19787), (263, 0.61009, 0.19143),
  ]
  private static let leftHand: [(Int, Float, Float)] = [
    (0, 0.28103, 0.84444), (8, 0.06228, 0.8094),
  ]
  private static let rightHand: [(Int, Float, Float)] = [
    (0, 0.53037, 0.57939), (8, 0.71632, 0.43261),
  ]

  private static func distance(
    _ points: [Landmark], _ expected: [(Int, Float, Float)], _ image: PixelBuffer
  ) -> Float {
    expected.map { index, x, y in
      max(
        abs(points[index].x / Float(image.width) - x),
        abs(points[index].y / Float(image.height) - y))
    }.max() ?? .infinity
  }

  @Test(has(poses, faces, hands, refinement, photograph))
  func `a person has the points that MediaPipe finds`() throws {
    var options = HolisticLandmarker.Options()
    options.wantsMask = true
    let landmarker = try HolisticLandmarker(Self.models(), options: options)
    let image = try Self.image(Self.photograph)
    let person = try #require(try landmarker.detect(image))
    #expect(Self.distance(person.body.landmarks, Self.body, image) < 0.002)
    let face = try #require(person.face)
    #expect(face.landmarks.count == 478)
    #expect(Self.distance(face.landmarks, Self.face, image) < 0.002)
    #expect(abs(face.blendshapes[1] - 0.3597) < 0.02)
    let left = try #require(person.leftHand)
    let right = try #require(person.rightHand)
    #expect(Self.distance(left.landmarks, Self.leftHand, image) < 0.003)
    #expect(Self.distance(right.landmarks, Self.rightHand, image) < 0.003)
    // The wrists in meters are those of the body.
    let (wrist, index) = (left.worldLandmarks[0], left.worldLandmarks[8])
    #expect(abs(wrist.x - person.body.worldLandmarks[15].x) < 1e-6)
    #expect(abs(wrist.x + 0.10002) < 0.005 && abs(wrist.y + 0.09054) < 0.005)
    #expect(abs(index.x + 0.21806) < 0.01 && abs(index.y + 0.12462) < 0.01)
    let mask = try #require(person.body.mask)
    #expect(mask.width == image.width && mask.height == image.height)
    let mean = mask.values.reduce(0) { $0 + Double($1) } / Double(mask.values.count)
    #expect(abs(mean - 0.554618) < 0.001)
    // The same again: nothing of an image is left for the next one.
    #expect(try landmarker.detect(image) == person)
  }

  @Test(has(poses, faces, hands, refinement, photograph, "burger.jpg"))
  func `a person is followed through a video`() throws {
    let landmarker = try HolisticLandmarker(Self.models())
    let image = try Self.image(Self.photograph)
    for step in 0..<3 {
      let person = try #require(
        try landmarker.track(image, at: Int64(step) * 33_000_000))
      #expect(Self.distance(person.body.landmarks, Self.body, image) < 0.02)
      #expect(person.face != nil && person.leftHand != nil && person.body.mask == nil)
    }
    #expect(try landmarker.track(Self.image("burger.jpg"), at: 100_000_000) == nil)
    // Stored on its side, the same person is in the same places.
    let stored = image.upright(from: .left)
    let turned = try #require(try landmarker.detect(stored, orientation: .right)).body.landmarks[0]
    let upright = ImageOrientation.right.uprightRect(
      ImageRect(x: Double(turned.x), y: Double(turned.y), width: 0, height: 0),
      storedWidth: Double(stored.width), storedHeight: Double(stored.height))
    #expect(abs(upright.x / Double(image.width) - 0.52232) < 0.002)
    #expect(abs(upright.y / Double(image.height) - 0.23599) < 0.002)
  }

  @Test(has(poses, faces, hands, refinement))
  func `other models and impossible options are refused`() throws {
    var models = try Self.models()
    models.handRefinement = models.handLandmarks
    #expect(throws: VisionError.self) { try HolisticLandmarker(models) }
    var options = HolisticLandmarker.Options()
    options.minHandPresenceScore = 2
    #expect(throws: VisionError.self) {
      try HolisticLandmarker(Self.models(), options: options)
    }
  }

  @Test(has("pose_landmarker_lite.task", photograph))
  func `bodies have MediaPipe's masks`() throws {
    let bundle = try TaskBundle(path: PublishedModels.task("pose_landmarker_lite.task"))
    var options = PoseLandmarker.Options()
    options.wantsMasks = true
    let landmarker = try PoseLandmarker(
      detector: bundle.model("pose_detector.tflite"),
      landmarks: bundle.model("pose_landmarks_detector.tflite"), options: options)
    let image = try Self.image(Self.photograph)
    let mask = try #require(try landmarker.detect(image).first?.mask)
    #expect(mask.width == image.width && mask.height == image.height)
    let mean = mask.values.reduce(0) { $0 + Double($1) } / Double(mask.values.count)
    #expect(abs(mean - 0.554681) < 0.001)
    #expect(abs(mask.values.count { $0 > 0.5 } - 721_040) < 1000)
    let inside = [(500, 300), (480, 900), (250, 600)]
    #expect(inside.allSatisfy { mask.values[$0.1 * mask.width + $0.0] > 0.99 })
    #expect(mask.values[30 * mask.width + 30] < 1e-6)
    // Stored on its side, the mask lies on its side.
    let turned = try #require(
      try landmarker.detect(image.upright(from: .left), orientation: .right).first?.mask)
    #expect(turned.width == image.height && turned.height == image.width)
    let upright = turned.upright(from: .right)
    let differing = zip(upright.values, mask.values).count { abs($0 - $1) > 0.2 }
    #expect(differing < mask.values.count / 200)
  }

  /// Rows of the matrices.
  private static let matrices: [(String, [Float])] = [
    (
      "samples_business_person.png",
      [
        0.990342, -0.0597172, 0.12513, 1.17762, 0.0938719, 0.952973, -0.288152, 22.2561,
        -0.102037, 0.297116, 0.949374, -67.9049,
      ]
    ),
    (
      "rs_face.jpg",
      [
        0.98608, -0.10922, 0.12538, -1.00544, 0.12687, 0.98161, -0.14266, -1.33137, -0.10749,
        0.15658, 0.9818, -30.19491,
      ]
    ),
  ]

  @Test(
    has(faces, "samples_business_person.png", "rs_face.jpg"), arguments: [0, 1])
  func `faces are placed as by MediaPipe`(row: Int) throws {
    let (name, expected) = Self.matrices[row]
    let bundle = try TaskBundle(path: PublishedModels.task(Self.faces))
    let landmarker = try FaceLandmarker(
      detector: bundle.model("face_detector.tflite"),
      landmarks: bundle.model("face_landmarks_detector.tflite"),
      geometry: FaceGeometry(metadata: bundle.contents(of: FaceGeometry.fileName)))
    let face = try #require(try landmarker.detect(Self.image(name)).first)
    let matrix = try #require(face.placement).transformation.elements
    for (index, (number, wanted)) in zip(matrix, expected).enumerated() {
      #expect(abs(number - wanted) < (index % 4 == 3 ? 0.05 : 0.002), "\(index)")
    }
    #expect(matrix.suffix(4) == [0, 0, 0, 1])
  }
}
