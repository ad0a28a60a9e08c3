// SPDX-License-Identifier: Apache-2.0

import AppleCompatibility
import Dispatch
import Foundation
import Imaging
import MediaPipeSnippets
import MediaPipeTasksVision
import Synchronization
import Testing

/// Code as programs for iOS have it.
@Suite struct SnippetTests {
  @Test(TextTests.has(TextTests.classifier)) func `a service for texts`() throws {
    let service = try #require(
      TextService(
        classifierPath: PublishedFiles.path(TextTests.classifier),
        embedderPath: PublishedFiles.path(TextTests.embedder)))
    #expect(service.topCategory(of: "What a waste of my time.") == "Negative")
    #expect(try service.likeness("a great trip", "a great trip") > 0.999)
    #expect(TextService(classifierPath: "/no/such.tflite", embedderPath: "") == nil)
  }

  final class Found: DetectionServiceDelegate, @unchecked Sendable {
    let times = Mutex<[Int]>([])
    let isDone = DispatchSemaphore(value: 0)

    func detectionService(
      _ service: DetectionService, didFind result: ObjectDetectorResult?, at time: Int
    ) {
      if result?.detections.first?.categories[0].categoryName == "cat" {
        times.withLock { $0.append(time) }
      }
      isDone.signal()
    }
  }

  @Test(VisionTests.has(VisionTests.detector)) func `a service for images and frames`() throws {
    let path = PublishedFiles.path(VisionTests.detector)
    let cats = try PublishedFiles.image("cats_and_dogs.jpg")
    let images = try DetectionService(modelPath: path, runningMode: .image, delegate: .CPU)
    #expect(images.detect(image: cats)?.detections.count == 1)
    let found = Found()
    let frames = try DetectionService(modelPath: path, runningMode: .liveStream, delegate: .GPU)
    frames.delegate = found
    let pixels = try #require(cats.cgImage?.pixels)
    let sample = CMSampleBuffer(imageBuffer: CVPixelBuffer(pixels))
    frames.detectAsync(sampleBuffer: sample, orientation: .up, timeStamps: 40)
    #expect(found.isDone.wait(timeout: .now() + 60) == .success)
    #expect(found.times.withLock { $0 } == [40])
  }

  @Test(LandmarkTests.has(LandmarkTests.hands)) func `lines between the points of a hand`() throws {
    let landmarker = try HandLandmarker(modelPath: PublishedFiles.path(LandmarkTests.hands))
    let result = try landmarker.detect(image: try LandmarkTests.image("samples_thumbs_up.png"))
    #expect(lines(of: result).count == 21)
  }

  final class Names: Sendable {
    let found = Mutex<[String?]>([])
    let isDone = DispatchSemaphore(value: 0)
  }

  @Test(GestureTests.has(GestureTests.gestures)) func `a service for gestures`() throws {
    let path = PublishedFiles.path(GestureTests.gestures)
    let victory = try PublishedFiles.image("rs_victory.jpg")
    let images = try #require(
      GestureService(modelPath: path, runningMode: .image, allowing: nil))
    #expect(images.recognize(image: victory) == ["Right: Victory"])
    #expect(GestureService(modelPath: nil, runningMode: .image, allowing: nil) == nil)
    let frames = try #require(
      GestureService(modelPath: path, runningMode: .liveStream, allowing: ["Victory", "ILoveYou"]))
    let names = Names()
    frames.onResult = { result, _ in
      let name = result?.gestures.first?.first?.categoryName
      names.found.withLock { $0.append(name) }
      names.isDone.signal()
    }
    let pixels = try #require(victory.cgImage?.pixels)
    let sample = CMSampleBuffer(imageBuffer: CVPixelBuffer(pixels))
    frames.recognizeAsync(sampleBuffer: sample, orientation: .up, timeStamps: 40)
    #expect(names.isDone.wait(timeout: .now() + 60) == .success)
    #expect(names.found.withLock { $0 } == ["Victory"])
  }

  static let holistic = "holistic_landmarker.task"

  @Test(LandmarkTests.has(holistic)) func `a service for whole people`() throws {
    let path = PublishedFiles.path(Self.holistic)
    let photograph = try PublishedFiles.image("samples_pose.jpg")
    let service = try HolisticService(modelPath: path, runningMode: .image)
    let result = try #require(try service.detect(image: photograph))
    #expect(result.poseLandmarks.count == 33 && result.poseWorldLandmarks.count == 33)
    #expect(result.faceLandmarks.count == 478 && result.faceBlendshapes?.categories.count == 52)
    #expect(result.leftHandLandmarks.count == 21 && result.rightHandLandmarks.count == 21)
    #expect(result.leftHandWorldLandmarks.count == 21 && result.poseSegmentationMask == nil)
    // MediaPipe 1.2.3: nose, tip of the nose, and the wrists.
    #expect(LandmarkTests.isNear(result.poseLandmarks[0], 0.342, 0.199))
    #expect(LandmarkTests.isNear(result.faceLandmarks[1], 0.332, 0.194))
    #expect(LandmarkTests.isNear(result.leftHandLandmarks[0], 0.615, 0.490))
    #expect(LandmarkTests.isNear(result.rightHandLandmarks[0], 0.255, 0.539))
  }

  /// Runs a live stream of one frame and waits until its delegate has the result.
  private func run(
    _ delegate: EveryDelegate, until name: String, _ send: () throws -> Void
  ) throws {
    try send()
    for _ in 0..<600 where delegate.counts[name] == nil { Thread.sleep(forTimeInterval: 0.1) }
  }

  @Test(LandmarkTests.has(LandmarkTests.mesh)) func `every delegate gets its results`() throws {
    let delegate = EveryDelegate()
    func path(_ options: TaskOptions, _ name: String) {
      options.baseOptions.modelAssetPath = PublishedFiles.path(name)
    }
    let person = try LandmarkTests.image("samples_business_person.png")
    let faces = FaceDetectorOptions()
    path(faces, LandmarkTests.faces)
    faces.runningMode = .liveStream
    faces.faceDetectorLiveStreamDelegate = delegate
    let faceDetector = try FaceDetector(options: faces)
    try run(delegate, until: "faces") {
      try faceDetector.detectAsync(image: person, timestampInMilliseconds: 1)
    }
    let meshes = FaceLandmarkerOptions()
    path(meshes, LandmarkTests.mesh)
    meshes.runningMode = .liveStream
    meshes.faceLandmarkerLiveStreamDelegate = delegate
    let faceLandmarker = try FaceLandmarker(options: meshes)
    try run(delegate, until: "meshes") {
      try faceLandmarker.detectAsync(image: person, timestampInMilliseconds: 1)
    }
    #expect(delegate.counts == ["faces": 1, "meshes": 1])
  }

  @Test(LandmarkTests.has(LandmarkTests.poses)) func `hands and bodies of frames`() throws {
    let delegate = EveryDelegate()
    let hands = HandLandmarkerOptions()
    hands.baseOptions.modelAssetPath = PublishedFiles.path(LandmarkTests.hands)
    hands.runningMode = .liveStream
    hands.handLandmarkerLiveStreamDelegate = delegate
    let handLandmarker = try HandLandmarker(options: hands)
    let thumb = try LandmarkTests.image("samples_thumbs_up.png")
    try run(delegate, until: "hands") {
      try handLandmarker.detectAsync(image: thumb, timestampInMilliseconds: 1)
    }
    let poses = PoseLandmarkerOptions()
    poses.baseOptions.modelAssetPath = PublishedFiles.path(LandmarkTests.poses)
    poses.runningMode = .liveStream
    poses.poseLandmarkerLiveStreamDelegate = delegate
    let poseLandmarker = try PoseLandmarker(options: poses)
    let pose = try LandmarkTests.image("samples_pose.jpg")
    try run(delegate, until: "poses") {
      try poseLandmarker.detectAsync(image: pose, timestampInMilliseconds: 1)
    }
    #expect(delegate.counts == ["hands": 1, "poses": 1])
  }

  @Test(VisionTests.has(VisionTests.segmenter)) func `categories, vectors and masks of frames`()
    throws
  {
    let delegate = EveryDelegate()
    let burger = try LandmarkTests.image("burger.jpg")
    let classes = ImageClassifierOptions()
    classes.baseOptions.modelAssetPath = PublishedFiles.path(VisionTests.classifier)
    classes.runningMode = .liveStream
    classes.maxResults = 3
    classes.imageClassifierLiveStreamDelegate = delegate
    let classifier = try ImageClassifier(options: classes)
    try run(delegate, until: "classifier") {
      try classifier.classifyAsync(image: burger, timestampInMilliseconds: 1)
    }
    let vectors = ImageEmbedderOptions()
    vectors.baseOptions.modelAssetPath = PublishedFiles.path(VisionTests.embedder)
    vectors.runningMode = .liveStream
    vectors.imageEmbedderLiveStreamDelegate = delegate
    let embedder = try ImageEmbedder(options: vectors)
    try run(delegate, until: "embedder") {
      try embedder.embedAsync(image: burger, timestampInMilliseconds: 1)
    }
    let masks = ImageSegmenterOptions()
    masks.baseOptions.modelAssetPath = PublishedFiles.path(VisionTests.segmenter)
    masks.runningMode = .liveStream
    masks.imageSegmenterLiveStreamDelegate = delegate
    let segmenter = try ImageSegmenter(options: masks)
    try run(delegate, until: "segmenter") {
      try segmenter.segmentAsync(image: burger, timestampInMilliseconds: 1)
    }
    #expect(delegate.counts["classifier"] == 3 && delegate.counts["segmenter"] == 21)
    #expect((delegate.counts["embedder"] ?? 0) > 100)
  }
}
