// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import Imaging
import MLKit
import TestSupport
import Testing

/// Object detector.
@Suite struct ObjectDetectorTests {
  @Test func `options start as documented`() {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: "/model.tflite"))
    #expect(!options.shouldEnableClassification)
    #expect(!options.shouldEnableMultipleObjects)
    #expect(options.detectorMode == .stream)
    #expect(options.classificationConfidenceThreshold == nil)
    #expect(options.maxPerObjectLabelCount == 10)
    #expect(ObjectDetectorMode.singleImage.rawValue == 0)
    #expect(ObjectDetectorMode.stream.rawValue == 1)
  }

  @Test func `the bundled localizer finds things, and a custom classifier looks at them`()
    async throws
  {
    let path = try BundledModels.path(of: BundledModels.localizerSamples[0])
    let image = try VisionImage(contentsOfFile: path)
    let options = CustomObjectDetectorOptions(
      localModel: LocalModel(path: try BundledModels.path(of: BundledModels.digits)))
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    options.maxPerObjectLabelCount = 2
    let objects = try await ObjectDetector.objectDetector(options: options).process(image)
    #expect((1...5).contains(objects.count))
    for object in objects {
      #expect(CGRect(x: 0, y: 0, width: 192, height: 192).contains(object.frame))
      #expect(object.labels.count == 2)
      #expect(object.trackingID == nil)
    }
    let stream = ObjectDetector.objectDetector(options: ObjectDetectorOptions())
    let first = try #require(try await stream.process(image).first)
    let second = try await stream.process(image)
    #expect(second.map(\.trackingID) == [first.trackingID])
    #expect(first.trackingID != nil && first.labels.isEmpty)
  }

  /// A detector for everyday things instead of the bundled localizer.
  private func makeDetector(
    several: Bool, mode: ObjectDetectorMode, classifies: Bool = false
  ) throws -> ObjectDetector {
    let models = try #require(PublishedModels.folder)
    let options = CustomObjectDetectorOptions(
      localModel: LocalModel(path: "\(models)/nets/cls_mlkit_object_labeler_md/model.tflite"))
    options.localizerModel = LocalModel(
      path: "\(models)/nets/det_ssd_mobilenet_v1_coco_md/model.tflite")
    options.detectorMode = mode
    options.shouldEnableMultipleObjects = several
    options.shouldEnableClassification = classifies
    options.maxPerObjectLabelCount = -1
    options.classificationConfidenceThreshold = 0
    return ObjectDetector.objectDetector(options: options)
  }

  private func cats() throws -> PixelBuffer {
    let path = "\(try #require(PublishedModels.folder))/images/tls_cats_and_dogs.png"
    return try #require(UIImage(contentsOfFile: path)?.cgImage?.pixels)
  }

  @Test(.enabled(if: PublishedModels.folder != nil, "MARTLET_TEST_MODELS names no folder"))
  func `objects of a stream keep their numbers; single images have none`() async throws {
    let image = try cats()
    let detector = try makeDetector(several: true, mode: .stream)
    var numbers: [[Int]] = []
    for step in 0..<4 {
      // The camera moves to the right.
      let part = try image.cropped(
        to: PixelRect(x: step * 8, y: 0, width: image.width - 40, height: image.height))
      let objects = try await detector.process(
        VisionImage(image: UIImage(cgImage: CGImage(part))))
      #expect((2...5).contains(objects.count))
      numbers.append(objects.compactMap { $0.trackingID?.intValue }.sorted())
      #expect(numbers[step].count == objects.count)
      #expect(objects.allSatisfy { $0.labels.isEmpty })
    }
    #expect(Set(numbers[0]).isSubset(of: [0, 1, 2, 3, 4]))
    #expect(!Set(numbers[0]).intersection(numbers[3]).isEmpty)

    let single = try makeDetector(several: true, mode: .singleImage)
    let objects = try await single.process(VisionImage(image: UIImage(cgImage: CGImage(image))))
    #expect(objects.allSatisfy { $0.trackingID == nil })
  }

  @Test(.enabled(if: PublishedModels.folder != nil, "MARTLET_TEST_MODELS names no folder"))
  func `without multiple objects there is at most one, in streams the same one`() async throws {
    let image = VisionImage(image: UIImage(cgImage: CGImage(try cats())))
    let single = try await makeDetector(several: false, mode: .singleImage, classifies: true)
      .process(image)
    #expect(single.count == 1)
    #expect(single[0].labels.count == 10)
    let stream = try makeDetector(several: false, mode: .stream)
    let first = try await stream.process(image)
    let second = try await stream.process(image)
    #expect(first.count == 1 && second.count == 1)
    #expect(first[0].trackingID == second[0].trackingID)
    #expect(first[0].frame == second[0].frame)
  }

  @Test(.enabled(if: PublishedModels.folder != nil, "MARTLET_TEST_MODELS names no folder"))
  func `frames are those of the stored image, however it must be turned`() async throws {
    let image = try cats()
    let detector = try makeDetector(several: true, mode: .singleImage)
    let upright = try await detector.process(
      VisionImage(image: UIImage(cgImage: CGImage(image))))
    // Half a turn: the pixels in reverse.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(image.bytes.count)
    for pixel in (0..<image.width * image.height).reversed() {
      bytes += image.bytes[pixel * 4..<pixel * 4 + 4]
    }
    let stored = try VisionImage(
      pixels: Data(bytes), width: image.width, height: image.height, format: .rgba)
    stored.orientation = .down
    let turned = try await detector.process(stored)
    #expect(turned.count == upright.count)
    for (one, other) in zip(upright, turned) {
      #expect(abs(one.frame.minX - (CGFloat(image.width) - other.frame.maxX)) < 2)
      #expect(abs(one.frame.minY - (CGFloat(image.height) - other.frame.maxY)) < 2)
      #expect(abs(one.frame.width - other.frame.width) < 2)
    }
  }
}
