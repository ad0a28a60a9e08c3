// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Martlet
import TestSupport
import Testing
import VisionTasks

private let folder =
  PublishedModels.folder("mediapipe/models") == nil ? nil : PublishedModels.folder

/// MediaPipe's models on photographs, with what MediaPipe 1.2.3 finds, by
/// `Evaluation/mediapipe_landmarks.py`.
@Suite(
  "MediaPipe's landmarkers",
  .enabled(if: folder != nil, "MARTLET_TEST_MODELS has no mediapipe/models"))
struct MediaPipeTaskTests {
  private static func path(_ name: String) throws -> String {
    "\(try #require(folder))/\(name)"
  }

  private static func model(_ name: String) throws -> Model {
    try Model(path: path("mediapipe/models/\(name)"))
  }

  private static func image(_ name: String) throws -> PixelBuffer {
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: path("images/\(name).png"))))
    return PixelBuffer(try PNG.decode(bytes))
  }

  /// Index, x, y and z as fractions, of the first face.
  private static let mesh: [(Int, Float, Float, Float)] = [
    (1, 0.589_482, 0.358_326, -0.042_299), (33, 0.529_227, 0.282_902, 0.008_001),
    (263, 0.644_123, 0.272_304, 0.004_428), (61, 0.561_444, 0.398_462, 0.014_088),
    (468, 0.545_929, 0.279_511, 0.000_91), (473, 0.628_653, 0.271_669, -0.001_863),
  ]
  private static let movements: [(String, Float)] = [
    ("browDownLeft", 0.406_768), ("browDownRight", 0.423_418), ("mouthSmileLeft", 0.629_937),
    ("mouthSmileRight", 0.326_206), ("mouthShrugLower", 0.262_474), ("eyeSquintLeft", 0.252_697),
  ]

  @Test func `face meshes and movements are MediaPipe's`() throws {
    let bundle = try TaskBundle(path: Self.path("mediapipe/models/face_landmarker.task"))
    let landmarker = try FaceLandmarker(
      detector: bundle.model("face_detector.tflite"),
      landmarks: bundle.model("face_landmarks_detector.tflite"),
      blendshapes: bundle.model("face_blendshapes.tflite"))
    let image = try Self.image("face")
    let face = try #require(try landmarker.detect(image).first)
    #expect(face.landmarks.count == 478)
    for (index, x, y, z) in Self.mesh {
      let point = face.landmarks[index]
      #expect(abs(point.x / Float(image.width) - x) < 1e-4)
      #expect(abs(point.y / Float(image.height) - y) < 1e-4)
      #expect(abs(point.z / Float(image.width) - z) < 1e-4)
    }
    for (name, strength) in Self.movements {
      let index = try #require(FaceBlendshape.names.firstIndex(of: name))
      #expect(abs(face.blendshapes[index] - strength) < 0.01, "\(name)")
    }
  }

  /// Index, x, y, z as fractions and visibility.
  private static let body: [(Int, Float, Float, Float, Float)] = [
    (0, 0.581_596, 0.339_18, -0.349_455, 0.999_997),
    (11, 0.546_839, 0.422_438, 0.242_08, 0.999_907),
    (16, 0.638_255, 0.416_237, -0.516_308, 0.970_708),
    (23, 0.370_095, 0.625_505, 0.262_147, 0.999_981),
    (28, 0.334_573, 0.896_459, -0.816_203, 0.992_955),
  ]

  @Test func `bodies are MediaPipe's`() throws {
    let landmarker = try PoseLandmarker(
      detector: Self.model("pose_detection.tflite"),
      landmarks: Self.model("pose_landmark_lite.tflite"))
    let image = try Self.image("squat")
    let body = try #require(try landmarker.detect(image).first)
    #expect(body.landmarks.count == 33 && body.worldLandmarks.count == 33)
    for (index, x, y, z, visibility) in Self.body {
      let point = body.landmarks[index]
      #expect(abs(point.x / Float(image.width) - x) < 1e-3)
      #expect(abs(point.y / Float(image.height) - y) < 1e-3)
      #expect(abs(point.z / Float(image.width) - z) < 5e-3)
      #expect(abs((point.visibility ?? 0) - visibility) < 1e-2)
    }
    let nose = body.worldLandmarks[0]
    #expect(abs(nose.x - 0.416_108) < 1e-3 && abs(nose.y + 0.457_379) < 1e-3)
  }
}
