// SPDX-License-Identifier: Apache-2.0

import BundledModels
import DocumentSnippets
import Foundation
import MLKit
import Testing

extension Guides {
  /// Object detection with a custom classifier.
  @Suite
  @MainActor
  struct ObjectDetection {
    private let guide = ObjectDetectionGuide()

    @Test(.enabled(if: sharedModels != nil, "MARTLET_TEST_MODELS names no folder"))
    func `002-1, 4, 8, 11 to 14: cats and dogs are found and classified`() async throws {
      let models = try #require(sharedModels)
      let localModel = guide.localModel("\(models)/nets/cls_mlkit_object_labeler_md/model.tflite")
      let options = guide.options(localModel)
      // The guide's own localizer is not public: a detector for everyday things takes its place.
      options.localizerModel = LocalModel(
        path: "\(models)/nets/det_ssd_mobilenet_v1_coco_md/model.tflite")
      let image = guide.visionImage(
        try #require(UIImage(contentsOfFile: "\(models)/images/tls_cats_and_dogs.png")))
      let detector = guide.detector(options)
      var objects: [Object] = []
      guide.process(detector, image) {
        objects = $0
      } orElse: {
        Issue.record($0 ?? CocoaError(.featureUnsupported))
      }
      try await wait { !objects.isEmpty }

      // What the publisher of the model found: (54, 396, 393 × 196) and (389, 197, 278 × 409).
      let cat = try #require(objects.first { abs($0.frame.minX - 54) < 4 })
      #expect(abs(cat.frame.minY - 396) < 4 && abs(cat.frame.width - 393) < 4)
      guide.read(objects) { frame, trackingID, description in
        #expect(trackingID == nil)
        #expect(CGRect(x: 0, y: 0, width: 1280, height: 800).contains(frame))
        #expect(description.split(separator: "\n").count <= 3)
      }
      for object in objects {
        #expect(object.labels.allSatisfy { $0.confidence >= 0.5 })
      }

      // The same on this thread would be refused on the main one, as where the guide comes from.
      var refusal: (any Error)?
      guide.results(detector, image) { _ in
      } fail: {
        refusal = $0
      }
      #expect((refusal as? NSError)?.code == MLKitErrorCode.failedPrecondition.rawValue)
      let again = try await Self.results(guide, detector, image)
      #expect(again == objects.map(\.frame))
    }

    /// 002-13 away from the main thread.
    private static func results(
      _ guide: ObjectDetectionGuide, _ detector: ObjectDetector, _ image: VisionImage
    ) async throws -> [CGRect] {
      nonisolated(unsafe) let guide = guide
      nonisolated(unsafe) let image = image
      return await withCheckedContinuation { done in
        DispatchQueue.global().async {
          unsafe guide.results(detector, image) {
            done.resume(returning: $0.map(\.frame))
          } fail: {
            Issue.record($0)
            done.resume(returning: [])
          }
        }
      }
    }

    @Test(.enabled(if: LocalHost.isAvailable, "there is no python3"))
    func `002-2, 3, 5, 6: a classifier is downloaded, announced, and preferred to the local one`()
      async throws
    {
      let host = try LocalHost(model: "your_remote_model", bundled("digits/digits_uint8.tflite"))
      let remoteModel = guide.remoteModel()
      #expect(remoteModel.name == "your_remote_model")
      guide.observe()
      let progress = guide.download(remoteModel)
      try await wait { guide.downloaded == ["your_remote_model"] }
      #expect(progress.isFinished)

      let options = guide.options(remoteModel, orElse: guide.localModel("/no/such/model.tflite"))
      #expect(options.detectorMode == .singleImage)
      #expect(options.shouldEnableClassification && options.shouldEnableMultipleObjects)
      #expect(options.classificationConfidenceThreshold == 0.5)
      #expect(options.maxPerObjectLabelCount == 3)

      host.stop()
      _ = guide.download(CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: "other")))
      try await wait { !guide.failures.isEmpty }
      #expect(guide.failures[0].domain == MLKitErrorDomain)
    }

    @Test func `002-7: two configurations`() {
      let options = guide.twoConfigurations(guide.localModel("/no/such/model.tflite"))
      #expect(options.map(\.detectorMode) == [.stream, .singleImage])
      #expect(options.map(\.shouldEnableMultipleObjects) == [false, true])
      #expect(options.allSatisfy { $0.shouldEnableClassification })
      #expect(options.map(\.maxPerObjectLabelCount) == [3, 3])
      #expect(options.allSatisfy { $0.classificationConfidenceThreshold == nil })
    }

    @Test func `002-8 to 10: the way a device is held becomes the orientation of a frame`() throws {
      let pixels = try image(1, 2, 3, size: 8)
      let turned = UIImage(cgImage: CGImage(pixels), scale: 1, orientation: .left)
      #expect(guide.visionImage(turned).orientation == .left)
      let rows: [(UIDeviceOrientation, back: UIImage.Orientation, front: UIImage.Orientation)] = [
        (.portrait, .right, .leftMirrored), (.landscapeLeft, .up, .downMirrored),
        (.portraitUpsideDown, .left, .rightMirrored), (.landscapeRight, .down, .upMirrored),
        (.faceUp, .up, .up), (.faceDown, .up, .up), (.unknown, .up, .up),
      ]
      defer { UIDevice.current.orientation = .unknown }
      let sample = CMSampleBuffer(imageBuffer: CVPixelBuffer(pixels))
      for (held, back, front) in rows {
        UIDevice.current.orientation = held
        #expect(guide.visionImage(sample, .back).orientation == back)
        #expect(guide.visionImage(sample, .front).orientation == front)
      }
    }

    @Test func `002-11, 12: a model that is not there is an error of the first image`() async throws
    {
      let options = guide.options(guide.localModel("/no/such/model.tflite"))
      let image = guide.visionImage(UIImage(cgImage: CGImage(try image(9, 9, 9))))
      var failure: (any Error)?
      guide.process(guide.detector(options), image) { _ in
      } orElse: {
        failure = $0
      }
      try await wait { failure != nil }
      let error = try #require(failure as? NSError)
      #expect(error.domain == MLKitErrorDomain)
      #expect(error.code == MLKitErrorCode.notFound.rawValue)
      #expect(error.localizedDescription.contains("/no/such/model.tflite"))
    }
  }
}
