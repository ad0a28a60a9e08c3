// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import Imaging
import MLKit
import Testing

/// Images and labelers.
@Suite struct VisionImageTests {
  private func labeler(count: Int? = nil, threshold: NSNumber? = nil) throws -> ImageLabeler {
    let options = CustomImageLabelerOptions(
      localModel: LocalModel(path: try BundledModels.path(of: "digits/digits_uint8.tflite")))
    if let count { options.maxResultCount = count }
    options.confidenceThreshold = threshold
    return ImageLabeler.imageLabeler(options: options)
  }

  private func samplePath(_ digit: Int) throws -> String {
    try BundledModels.path(of: "digits/samples/digit_\(digit).png")
  }

  @Test func `labels come best first, at most as many as asked for`() async throws {
    let image = try VisionImage(contentsOfFile: samplePath(4))
    for (asked, found) in [(nil, 10), (3, 3), (0, 10), (-5, 10), (1, 1)] {
      let labels = try await labeler(count: asked).process(image)
      #expect(labels.count == found)
      #expect(labels[0].text == "4")
      #expect(labels[0].index == 4)
      #expect(labels.map(\.confidence) == labels.map(\.confidence).sorted(by: >))
    }
  }

  @Test func `thresholds outside 0 to 1 count as not set`() async throws {
    let image = try VisionImage(contentsOfFile: samplePath(4))
    let all = try await labeler().process(image)
    for (threshold, count) in [
      (nil, 10), (NSNumber(value: -0.1), 10), (NSNumber(value: 1.5), 10),
      (NSNumber(value: Float.nan), 10), (NSNumber(value: 0), 10),
      (NSNumber(value: all[0].confidence), 1),
    ] {
      #expect(try await labeler(threshold: threshold).process(image).count == count)
    }
  }

  @Test func `metadata goes before orientation, and both mean the same`() async throws {
    let pixels = try #require(UIImage(contentsOfFile: samplePath(7))?.cgImage?.pixels)
    // Stored upside down: row 0 is the bottom, column 0 the right side.
    var bytes: [UInt8] = []
    for pixel in (0..<pixels.width * pixels.height).reversed() {
      bytes += pixels.bytes[pixel * 4..<pixel * 4 + 4]
    }
    let image = try VisionImage(
      pixels: Data(bytes), width: pixels.width, height: pixels.height, format: .rgba)
    image.orientation = .down
    let labeler = try labeler()
    let upright = try await labeler.process(VisionImage(image: UIImage(cgImage: CGImage(pixels))))
    #expect(upright[0].text == "7")
    #expect(try await labeler.process(image).map(\.confidence) == upright.map(\.confidence))
    let metadata = VisionImageMetadata()
    #expect(metadata.orientation == .topLeft)
    metadata.orientation = .bottomRight
    image.metadata = metadata
    image.orientation = .left
    #expect(try await labeler.process(image).map(\.confidence) == upright.map(\.confidence))
    image.metadata = nil
    #expect(try await labeler.process(image).map(\.confidence) != upright.map(\.confidence))
  }

  @Test func `raw images of every format are the same image`() async throws {
    let pixels = try #require(UIImage(contentsOfFile: samplePath(9))?.cgImage?.pixels)
    let labeler = try labeler()
    let wanted = try await labeler.process(VisionImage(image: UIImage(cgImage: CGImage(pixels))))
    let formats: [(VisionImage.RawFormat, PixelFormat)] = [
      (.rgb, .rgb8), (.rgba, .rgba8), (.bgra, .bgra8),
    ]
    for (raw, format) in formats {
      let converted = pixels.converted(to: format)
      var padded: [UInt8] = []
      for row in 0..<converted.height {
        padded += converted.bytes[row * converted.rowByteCount..<(row + 1) * converted.rowByteCount]
        padded += [99, 99, 99]
      }
      let image = try VisionImage(
        pixels: Data(padded), width: converted.width, height: converted.height, format: raw,
        bytesPerRow: converted.rowByteCount + 3)
      #expect(try await labeler.process(image).map(\.confidence) == wanted.map(\.confidence))
    }
    let buffer = VisionImage(buffer: CMSampleBuffer(imageBuffer: CVPixelBuffer(pixels)))
    #expect(try await labeler.process(buffer).map(\.confidence) == wanted.map(\.confidence))
  }

  @Test func `images that are none are errors, at once or when they are looked at`() async throws {
    #expect(throws: NSError.self) { try VisionImage(data: Data([1, 2, 3])) }
    do {
      _ = try VisionImage(contentsOfFile: "/no/such/image.png")
      Issue.record("an image without a file")
    } catch {
      #expect((error as NSError).code == MLKitErrorCode.notFound.rawValue)
    }
    #expect(throws: NSError.self) {
      try VisionImage(pixels: Data(count: 3), width: 2, height: 2, format: .grey)
    }
    #expect(throws: NSError.self) {
      try VisionImage(
        luma: Data(count: 4), lumaBytesPerRow: 2, chroma: Data(count: 1), chromaBytesPerRow: 2,
        width: 2, height: 2, isFullRange: true)
    }
    let empty = VisionImage(buffer: CMSampleBuffer(imageBuffer: nil))
    let labeler = try labeler()
    await #expect(throws: NSError.self) { try await labeler.process(empty) }
    struct Other: MLKitCompatibleImage {}
    await #expect(throws: NSError.self) { try await labeler.process(Other()) }
  }

  @Test
  func `an AutoML manifest that is missing or invalid gives no model, or an error when it is used`()
    async throws
  {
    #expect(LocalModel(manifestPath: "/no/such/manifest.json") == nil)
    #expect(LocalModel(manifestPath: #filePath) == nil)
    let model = AutoMLLocalModel(manifestPath: "/no/such/manifest.json")
    #expect(model.manifestPath == "/no/such/manifest.json")
    let labeler = Vision.vision().onDeviceAutoMLImageLabeler(
      options: VisionOnDeviceAutoMLImageLabelerOptions(localModel: model))
    let image = try VisionImage(contentsOfFile: samplePath(0))
    await #expect(throws: NSError.self) { try await labeler.process(image) }
    let none: VisionOnDeviceAutoMLImageLabelerOptions? = nil
    let nothing = Vision.vision().onDeviceAutoMLImageLabeler(options: none)
    await #expect(throws: NSError.self) { try await nothing.process(image) }
  }

  @Test func `the AutoML labeler keeps labels of at least 0.5 unless told otherwise`() async throws
  {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("martlet-automl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = try Data(
      contentsOf: URL(fileURLWithPath: BundledModels.path(of: "digits/digits_uint8.tflite")))
    try model.write(to: folder.appendingPathComponent("m.tflite"))
    try Data((0..<10).map { "\($0)!" }.joined(separator: "\n").utf8)
      .write(to: folder.appendingPathComponent("l.txt"))
    let manifest = folder.appendingPathComponent("manifest.json")
    try Data(#"{"modelType":"IMAGE_LABELING","modelFile":"m.tflite","labelsFile":"l.txt"}"#.utf8)
      .write(to: manifest)
    let image = try VisionImage(contentsOfFile: samplePath(6))
    for (threshold, count) in [(nil, 1), (Float(0), 10), (-1, 1), (2, 1), (Float.nan, 1)] {
      let options = VisionOnDeviceAutoMLImageLabelerOptions(
        localModel: AutoMLLocalModel(manifestPath: manifest.path))
      #expect(options.confidenceThreshold == 0.5)
      if let threshold { options.confidenceThreshold = threshold }
      let labels = try await Vision.vision().onDeviceAutoMLImageLabeler(options: options)
        .process(image)
      #expect(labels.count == count)
      #expect(labels[0].text == "6!")
      #expect(labels[0].entityID == nil)
    }
    let local = try #require(LocalModel(manifestPath: manifest.path))
    #expect(local.path == folder.appendingPathComponent("m.tflite").path)
    let custom = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: local))
    #expect(try await custom.process(image)[0].text == "6!")
  }
}
