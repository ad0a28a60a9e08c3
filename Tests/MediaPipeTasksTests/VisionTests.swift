// SPDX-License-Identifier: Apache-2.0

import AppleCompatibility
import Dispatch
import Foundation
import ImageCodecs
import Imaging
import MediaPipeTasksVision
import Synchronization
import Testing

/// Images; values are those of MediaPipe's tests for iOS.
@Suite struct VisionTests {
  static let classifier = "mobilenet_v1_0.25_224_quant.tflite"
  static let detector = "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"
  static let embedder = "mobilenet_v2_035_96_embedder_with_metadata.tflite"
  static let segmenter = "deeplabv3.tflite"

  static func has(_ name: String) -> ConditionTrait {
    .enabled(
      if: PublishedFiles.has(
        name, "burger.jpg", "cats_and_dogs.jpg", "multi_objects.jpg",
        "segmentation_golden_rotation0.png"), "no tasks/\(name) in MARTLET_TEST_MODELS")
  }

  static var detectorOptions: ObjectDetectorOptions {
    let options = ObjectDetectorOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(detector)
    return options
  }

  /// `MPPImageClassifierTests.m`.
  @Test(has(classifier), arguments: [UIImage.Orientation.up, .left, .right, .down])
  func `an image is classified, however it is turned`(orientation: UIImage.Orientation) throws {
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.classifier)
    options.maxResults = 1
    let classifier = try ImageClassifier(options: options)
    let image = try MPImage(
      uiImage: try PublishedFiles.image("burger.jpg", stored: orientation))
    let heads = try classifier.classify(image: image).classificationResult.classifications
    #expect(heads.count == 1 && heads[0].headIndex == 0)
    let best = try #require(heads[0].categories.first)
    #expect(heads[0].categories.count == 1 && best.index == 934 && best.displayName == nil)
    #expect(best.categoryName == "cheeseburger")
    #expect(abs(best.score - 0.968750) < 0.01)
  }

  @Test(has(classifier), arguments: [UIImage.Orientation.up, .left])
  func `a part of an image is classified`(orientation: UIImage.Orientation) throws {
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.classifier)
    options.runningMode = .video
    let classifier = try ImageClassifier(options: options)
    let image = try MPImage(
      uiImage: try PublishedFiles.image("multi_objects.jpg", stored: orientation))
    let upright = CGRect(x: 0.450, y: 0.308, width: 0.164, height: 0.426)
    let part =
      orientation == .up
      ? upright
      : CGRect(
        x: 1 - upright.maxY, y: upright.minX, width: upright.height, height: upright.width)
    let result = try classifier.classify(
      videoFrame: image, timestampInMilliseconds: 3, regionOfInterest: part)
    let best = result.classificationResult.classifications[0].categories[0]
    #expect(best.categoryName == "soccer ball" && best.index == 806)
    // MediaPipe 1.2.3 with this model and its own decoder of JPEG.
    #expect(abs(best.score - 0.816406) < 0.06, "\(best.score)")
    #expect(result.timestampInMilliseconds == 3)
  }

  /// `MPPObjectDetectorTests.m`: 10 pixels and scores of 0.02 apart.
  @Test(has(detector)) func `things are found where MediaPipe finds them`() throws {
    let options = Self.detectorOptions
    options.categoryAllowlist = ["cat"]
    let image = try MPImage(uiImage: try PublishedFiles.image("cats_and_dogs.jpg"))
    let found = try ObjectDetector(options: options).detect(image: image).detections
    let expected: [(Float, CGRect)] = [
      (0.69921875, CGRect(x: 608, y: 161, width: 381, height: 439)),
      (0.656250, CGRect(x: 57, y: 398, width: 392, height: 196)),
      (0.51171875, CGRect(x: 257, y: 395, width: 173, height: 202)),
      (0.48828125, CGRect(x: 363, y: 195, width: 330, height: 412)),
      (0.355469, CGRect(x: 275, y: 216, width: 610, height: 386)),
    ]
    #expect(found.count >= 5)
    for (detection, (score, box)) in zip(found, expected) {
      let category = detection.categories[0]
      #expect(category.categoryName == "cat" && category.index == -1)
      #expect(abs(category.score - score) < 0.02)
      #expect(detection.keypoints == nil && Self.isNear(detection.boundingBox, box))
    }
    options.categoryAllowlist = []
    options.categoryDenylist = ["cat"]
    options.maxResults = 1
    let others = try ObjectDetector(options: options).detect(image: image).detections
    #expect(others[0].categories[0].categoryName == "teddy bear")
    #expect(
      Self.isNear(others[0].boundingBox, CGRect(x: 780, y: 407, width: 314, height: 190)))
  }

  @Test(has(detector)) func `boxes are those of the image as stored`() throws {
    let options = Self.detectorOptions
    options.maxResults = 1
    let image = try MPImage(
      uiImage: try PublishedFiles.image("cats_and_dogs.jpg", stored: .left))
    let found = try ObjectDetector(options: options).detect(image: image).detections
    #expect(abs(found[0].categories[0].score - 0.699219) < 0.02)
    #expect(Self.isNear(found[0].boundingBox, CGRect(x: 0, y: 608, width: 439, height: 387)))
  }

  private static func isNear(_ box: CGRect, _ other: CGRect) -> Bool {
    let differences = [
      box.minX - other.minX, box.minY - other.minY, box.width - other.width,
      box.height - other.height,
    ]
    return differences.allSatisfy { abs($0) <= 10 }
  }

  final class Listener: NSObject, ObjectDetectorLiveStreamDelegate {
    let times = Mutex<[Int]>([])
    let boxes = Mutex<[CGRect]>([])
    let isDone = DispatchSemaphore(value: 0)

    func objectDetector(
      _ objectDetector: ObjectDetector, didFinishDetection result: ObjectDetectorResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) {
      times.withLock { $0.append(timestampInMilliseconds) }
      boxes.withLock { $0.append(result?.detections[0].boundingBox ?? .zero) }
      isDone.signal()
    }
  }

  @Test(has(detector)) func `frames that come too fast are dropped, the newest is not`() throws {
    let listener = Listener()
    let options = Self.detectorOptions
    options.runningMode = .liveStream
    options.objectDetectorLiveStreamDelegate = listener
    let detector = try ObjectDetector(options: options)
    let image = try MPImage(uiImage: try PublishedFiles.image("cats_and_dogs.jpg"))
    for time in 0..<100 { try detector.detectAsync(image: image, timestampInMilliseconds: time) }
    let early = thrown { try detector.detectAsync(image: image, timestampInMilliseconds: 99) }
    #expect(early?.parts == NSError.invalidArgument(ErrorText.order))
    repeat {
      #expect(listener.isDone.wait(timeout: .now() + 60) == .success)
    } while listener.times.withLock { $0.last != 99 && !$0.isEmpty }
    let times = listener.times.withLock { $0 }
    #expect(times.first == 0 && times.last == 99 && times == times.sorted())
    #expect(times.count < 100)
    let boxes = listener.boxes.withLock { $0 }
    let box = CGRect(x: 608, y: 161, width: 381, height: 439)
    #expect(boxes.allSatisfy { Self.isNear($0, box) })
  }

  @Test(has(embedder)) func `images that are alike have like vectors`() throws {
    func embedder(quantize: Bool = false) throws -> ImageEmbedder {
      let options = ImageEmbedderOptions()
      options.baseOptions.modelAssetPath = PublishedFiles.path(Self.embedder)
      options.quantize = quantize
      options.l2Normalize = quantize
      return try ImageEmbedder(options: options)
    }
    let plain = try embedder()
    func vector(_ name: String) throws -> Embedding {
      try plain.embed(image: MPImage(uiImage: try PublishedFiles.image(name)))
        .embeddingResult.embeddings[0]
    }
    let burger = try vector("burger.jpg")
    #expect(burger.headIndex == 0 && burger.quantizedEmbedding == nil)
    let (crop, cats) = (try vector("burger_crop.jpg"), try vector("cats_and_dogs.jpg"))
    func likeness(_ other: Embedding) throws -> Double {
      try ImageEmbedder.cosineSimilarity(embedding1: burger, embedding2: other).doubleValue
    }
    #expect(abs(try likeness(burger) - 1) < 1e-6)
    #expect(try likeness(crop) > 0.8 && likeness(crop) > likeness(cats) + 0.2)
    let bytes = try embedder(quantize: true).embed(
      image: MPImage(uiImage: try PublishedFiles.image("burger.jpg")))
    #expect(bytes.embeddingResult.embeddings[0].quantizedEmbedding != nil)
    #expect(thrown { _ = try likeness(bytes.embeddingResult.embeddings[0]) }?.code == 3)
  }

  /// `MPPImageSegmenterTests.mm`: 0.96 of the pixels, categories times 10 in the file.
  @Test(has(segmenter)) func `pixels have MediaPipe's categories`() throws {
    let options = ImageSegmenterOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.segmenter)
    options.shouldOutputCategoryMask = true
    let segmenter = try ImageSegmenter(options: options)
    #expect(segmenter.labels.count == 21 && segmenter.labels.first == "background")
    let image = try MPImage(
      uiImage: try PublishedFiles.image("segmentation_input_rotation0.jpg"))
    let result = try segmenter.segment(image: image)
    let mask = try #require(result.categoryMask)
    #expect(mask.width == Int(image.width) && mask.height == Int(image.height))
    #expect(mask.dataType == .uInt8)
    let golden = try #require(
      try PublishedFiles.image("segmentation_golden_rotation0.png").cgImage?.pixels
        .converted(to: .grey8).bytes)
    #expect(golden.count == mask.width * mask.height)
    let same = golden.indices.count { unsafe mask.uint8Data[$0] &* 10 == golden[$0] }
    #expect(Double(same) / Double(golden.count) > 0.96)
    let confidences = try #require(result.confidenceMasks)
    #expect(confidences.count == 21 && confidences.allSatisfy { $0.dataType == .float32 })
    #expect(result.qualityScores?.count == 21)
    var delivered: ImageSegmenterResult?
    segmenter.segment(image: image) { result, _ in delivered = result }
    #expect(delivered?.categoryMask?.width == mask.width)
    options.shouldOutputConfidenceMasks = false
    options.shouldOutputCategoryMask = false
    #expect(thrown { _ = try ImageSegmenter(options: options) }?.code == 3)
  }

  @Test(has(segmenter)) func `an interactive segmenter needs masks and a fourth channel`() throws {
    let options = InteractiveSegmenterLegacyOptions()
    #expect(options.shouldOutputConfidenceMasks && !options.shouldOutputCategoryMask)
    #expect(
      thrown { _ = try InteractiveSegmenterLegacy(options: options) }?.parts
        == NSError.invalidArgument(ErrorText.noModel))
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.segmenter)
    let channels = thrown { _ = try InteractiveSegmenterLegacy(options: options) }
    #expect(channels?.localizedDescription.contains("height x width x 4") == true)
    options.shouldOutputConfidenceMasks = false
    let copy = try #require(options.copy() as? InteractiveSegmenterLegacyOptions)
    #expect(
      thrown { _ = try InteractiveSegmenterLegacy(options: copy) }?.localizedDescription
        == "INVALID_ARGUMENT: At least one of `output_confidence_masks` and `output_category_mask` must be set."
    )
  }
}
