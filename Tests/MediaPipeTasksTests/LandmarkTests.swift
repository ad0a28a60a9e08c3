// SPDX-License-Identifier: Apache-2.0

import AppleCompatibility
import Foundation
import MediaPipeTasksVision
import Testing

/// Faces, hands and bodies; values are those of the tests in mediapipe-samples for iOS.
@Suite struct LandmarkTests {
  static let faces = "face_detection_short_range.tflite"
  static let mesh = "face_landmarker_v2_with_blendshapes.task"
  static let hands = "hand_landmarker.task"
  static let poses = "pose_landmarker_lite.task"

  static func has(_ name: String) -> ConditionTrait {
    .enabled(
      if: PublishedFiles.has(
        name, "samples_faces.jpeg", "samples_business_person.png", "samples_thumbs_up.png",
        "samples_pose.jpg"), "no tasks/\(name) in MARTLET_TEST_MODELS")
  }

  static func image(_ name: String) throws -> MPImage {
    try MPImage(uiImage: try PublishedFiles.image(name))
  }

  /// Whether points are where others are, up to 0.03 of the image, as MediaPipe's tests allow.
  static func isNear(_ point: NormalizedLandmark, _ x: Float, _ y: Float) -> Bool {
    abs(point.x - x) < 0.03 && abs(point.y - y) < 0.03
  }

  @Test(has(faces)) func `faces are where MediaPipe finds them`() throws {
    let options = FaceDetectorOptions()
    #expect(options.minDetectionConfidence == 0.5 && options.minSuppressionThreshold == 0.3)
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.faces)
    options.minSuppressionThreshold = 0.5
    let found = try FaceDetector(options: options).detect(
      image: try Self.image("samples_faces.jpeg")
    ).detections
    let expected: [(Float, CGRect)] = [
      (0.973259, CGRect(x: 126, y: 100, width: 463, height: 463)),
      (0.925194, CGRect(x: 616, y: 192, width: 430, height: 430)),
    ]
    #expect(found.count == 2)
    for (face, (score, box)) in zip(found, expected) {
      let category = face.categories[0]
      #expect(category.index == 0 && category.categoryName == nil)
      #expect(abs(category.score - score) < 0.01)
      let differences = [
        face.boundingBox.minX - box.minX, face.boundingBox.minY - box.minY,
        face.boundingBox.width - box.width, face.boundingBox.height - box.height,
      ]
      #expect(differences.allSatisfy { abs($0) <= 5 })
      #expect(face.keypoints?.count == 6)
    }
  }

  @Test(has(mesh)) func `the points of a face are where MediaPipe finds them`() throws {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.mesh)
    options.outputFaceBlendshapes = true
    let landmarker = try FaceLandmarker(options: options)
    let result = try landmarker.detect(image: try Self.image("samples_business_person.png"))
    #expect(result.faceLandmarks.count == 1 && result.faceLandmarks[0].count == 478)
    let expected: [(Int, Float, Float)] = [
      (0, 0.5364604, 0.27763322), (10, 0.52363175, 0.13106406), (32, 0.49472958, 0.3204751),
      (54, 0.40504637, 0.15513957), (93, 0.38789093, 0.24149883),
    ]
    for (index, x, y) in expected {
      #expect(Self.isNear(result.faceLandmarks[0][index], x, y))
    }
    let blendshapes = try #require(result.faceBlendshapes.first).categories
    #expect(blendshapes.count == 52 && blendshapes[0].categoryName == "_neutral")
    #expect(blendshapes.map(\.index) == Array(0..<52))
    options.outputFaceBlendshapes = false
    let plain = try FaceLandmarker(options: options)
    #expect(
      try plain.detect(image: try Self.image("samples_business_person.png")).faceBlendshapes
        .isEmpty)
  }

  @Test(has(hands), arguments: [RunningMode.image, .video])
  func `the points of a hand are where MediaPipe finds them`(mode: RunningMode) throws {
    let options = HandLandmarkerOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.hands)
    options.minHandDetectionConfidence = 0.3
    options.minHandPresenceConfidence = 0.3
    options.minTrackingConfidence = 0.3
    options.runningMode = mode
    let landmarker = try HandLandmarker(options: options)
    let image = try Self.image("samples_thumbs_up.png")
    let result =
      mode == .image
      ? try landmarker.detect(image: image)
      : try landmarker.detect(videoFrame: image, timestampInMilliseconds: 20)
    #expect(result.timestampInMilliseconds == (mode == .image ? 0 : 20))
    #expect(result.landmarks.count == 1 && result.worldLandmarks[0].count == 21)
    let expected: [(HandLandmark, Float, Float)] = [
      (.wrist, 0.6129676, 0.70157504), (.thumbTIP, 0.5299578, 0.27741316),
      (.indexFingerTIP, 0.5170652, 0.5180234), (.middleFingerTIP, 0.5144273, 0.57651),
      (.ringFingerTIP, 0.5128528, 0.63937056), (.pinkyTIP, 0.5102773, 0.7046261),
    ]
    for (point, x, y) in expected {
      #expect(Self.isNear(result.landmarks[0][Int(point.rawValue)], x, y))
    }
    let hand = try #require(result.handedness[0].first)
    #expect(hand.categoryName == hand.displayName && hand.score > 0.5)
    #expect(hand.categoryName == (hand.index == 0 ? "Right" : "Left"))
  }

  /// The legs are left out: MediaPipe 1.2.3 itself puts them elsewhere with this bundle.
  @Test(has(poses)) func `the points of a body are where MediaPipe finds them`() throws {
    let landmarker = try PoseLandmarker(modelPath: PublishedFiles.path(Self.poses))
    let result = try landmarker.detect(image: try Self.image("samples_pose.jpg"))
    #expect(result.landmarks.count == 1 && result.worldLandmarks.count == 1)
    let points = result.landmarks[0]
    #expect(points.count == 33 && result.worldLandmarks[0].count == 33)
    #expect(points.allSatisfy { ($0.visibility?.floatValue ?? -1) >= 0 })
    #expect(points.allSatisfy { ($0.presence?.floatValue ?? -1) >= 0 })
    let expected: [(Int, Float, Float)] = [
      (0, 0.34601745, 0.19586587), (11, 0.47295794, 0.2886992), (12, 0.30886742, 0.3090514),
      (23, 0.4534513, 0.6087232), (24, 0.36683425, 0.6126064),
    ]
    for (index, x, y) in expected {
      #expect(Self.isNear(points[index], x, y), "\(index): \(points[index].x), \(points[index].y)")
    }
  }

  @Test(has(hands)) func `bundles without the models are refused`() {
    let hands = thrown { _ = try FaceLandmarker(modelPath: PublishedFiles.path(Self.hands)) }
    #expect(hands?.code == 3)
    let alone = thrown { _ = try PoseLandmarker(modelPath: PublishedFiles.path(Self.faces)) }
    #expect(alone?.code == 3)
    #expect(thrown { _ = try HandLandmarker(modelPath: "/no/such.task") }?.code == 5)
  }

  @Test func `lines join points that are there`() {
    #expect(HandLandmarker.handConnections.count == 21)
    #expect(HandLandmarker.handThumbConnections.map(\.start) == [1, 2, 3])
    #expect(HandLandmarker.handPinkyConnections.map(\.end) == [18, 19, 20])
    #expect(HandLandmarker.handPalmConnections.map(\.start).sorted() == [0, 0, 0, 5, 9, 13])
    #expect(PoseLandmarker.poseLandmarks.count == 35)
    #expect(FaceLandmarker.leftIrisConnections().count == 4)
    let lines = FaceLandmarker.contoursConnections()
    #expect(lines.allSatisfy { $0.start < 478 && $0.end < 478 })
    #expect(
      lines.count
        == FaceLandmarker.lipsConnections().count + FaceLandmarker.leftEyeConnections().count
        + FaceLandmarker.leftEyebrowConnections().count
        + FaceLandmarker.leftIrisConnections().count + FaceLandmarker.rightEyeConnections().count
        + FaceLandmarker.rightEyebrowConnections().count
        + FaceLandmarker.rightIrisConnections().count
        + FaceLandmarker.faceOvalConnections().count)
    #expect(HandLandmark.allCases.count == 21)
    let triangles = FaceLandmarker.tesselationConnections()
    // Each point of the mesh without irises is a corner, each triangle goes around.
    #expect(triangles.count == 2556 && Set(triangles.map(\.start)) == Set(0..<468))
    for start in stride(from: 0, to: triangles.count, by: 3) {
      let edges = triangles[start..<start + 3].map { [$0.start, $0.end] }
      #expect(edges[0][1] == edges[1][0] && edges[1][1] == edges[2][0])
      #expect(edges[2][1] == edges[0][0])
    }
    #expect(
      FaceLandmarker.faceConnections().count
        == FaceLandmarker.lipsConnections().count + lines.count + 2556)
  }

  @Test(has(mesh)) func `faces have matrices where they are asked for`() throws {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.mesh)
    let image = try Self.image("samples_business_person.png")
    #expect(
      try FaceLandmarker(options: options).detect(image: image).facialTransformationMatrixes
        .isEmpty)
    options.outputFacialTransformationMatrixes = true
    let matrix = try #require(
      try FaceLandmarker(options: options).detect(image: image).facialTransformationMatrixes
        .first)
    #expect(matrix.rows == 4 && matrix.columns == 4)
    // MediaPipe 1.2.3 has the shift of 1.178, 22.256 and -67.905 cm in the fourth column.
    let numbers = (0..<16).map { unsafe matrix.data[$0] }
    #expect(abs(numbers[12] - 1.178) < 0.05 && abs(numbers[13] - 22.256) < 0.05)
    #expect(abs(numbers[14] + 67.905) < 0.05 && numbers[15] == 1)
    #expect(matrix.value(atRow: 3, column: 1) == numbers[13])
    let copy = unsafe TransformMatrix(data: numbers, rows: 2, columns: 8)
    #expect(copy.rows == 2 && copy.columns == 8 && copy.value(atRow: 1, column: 3) == numbers[5])
  }

  @Test(has(poses)) func `people have masks where they are asked for`() throws {
    let options = PoseLandmarkerOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.poses)
    let image = try Self.image("samples_pose.jpg")
    #expect(
      try PoseLandmarker(options: options).detect(image: image).segmentationMasks.isEmpty)
    options.shouldOutputSegmentationMasks = true
    let mask = try #require(
      try PoseLandmarker(options: options).detect(image: image).segmentationMasks.first)
    #expect(mask.width == Int(image.width) && mask.height == Int(image.height))
    #expect(mask.dataType == .float32)
    #expect(unsafe mask.float32Data[250 * mask.width + 380] > 0.99)
    #expect(unsafe mask.float32Data[100 * mask.width + 100] < 1e-6)
  }
}
