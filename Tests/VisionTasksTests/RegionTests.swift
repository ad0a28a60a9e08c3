// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Martlet
import Testing
import VisionTasks

/// Digits on one sheet, each of which is in a region of its own.
@Suite struct RegionTests {
  /// The digits 3, 7 and 4 side by side, each 96 × 96 pixels, with 10 pixels around them.
  private func sheet() throws -> PixelBuffer {
    var bytes = [UInt8](repeating: 255, count: 328 * 116)
    for (location, digit) in [3, 7, 4].enumerated() {
      let image = try ImageClassifierTests.image(digit).converted(to: .grey8)
      try #require(image.width == 96 && image.height == 96)
      for row in 0..<96 {
        for column in 0..<96 {
          bytes[(row + 10) * 328 + 10 + 106 * location + column] = image.bytes[96 * row + column]
        }
      }
    }
    return try PixelBuffer(width: 328, height: 116, format: .grey8, bytes: bytes)
  }

  static let locations = [
    (ImageRect(x: 10, y: 10, width: 96, height: 96), "3"),
    (ImageRect(x: 116, y: 10, width: 96, height: 96), "7"),
    (ImageRect(x: 222, y: 10, width: 96, height: 96), "4"),
  ]

  @Test(arguments: locations, ImageOrientation.allCases)
  func `a classifier looks at a region of the image as stored`(
    location: (region: ImageRect, digit: String), orientation: ImageOrientation
  ) throws {
    let classifier = try ImageClassifier(ImageClassifierTests.model("int8"))
    let upright = try sheet()
    // Stored so that turning from `orientation` gives the sheet again.
    let stored = upright.upright(from: orientation.inverse)
    #expect(stored.upright(from: orientation) == upright)
    let region = orientation.storedRect(
      location.region, storedWidth: Double(stored.width), storedHeight: Double(stored.height))
    let heads = try classifier.classify(stored, region: region, orientation: orientation)
    #expect(heads[0].classifications.first?.label == location.digit)
  }

  @Test func `a region counts every pixel that it touches`() throws {
    let classifier = try ImageClassifier(ImageClassifierTests.model("int8"))
    let sheet = try sheet()
    let whole = try classifier.classify(sheet, region: Self.locations[1].0)[0].classifications
    let inner = ImageRect(x: 116.5, y: 10.01, width: 95.4, height: 95.9)
    #expect(try classifier.classify(sheet, region: inner)[0].classifications == whole)
    let all = ImageRect(x: -5, y: -5, width: 1000, height: 1000)
    #expect(
      try classifier.classify(sheet, region: all)[0].classifications
        == classifier.classify(sheet)[0].classifications)
  }

  @Test(arguments: [
    ImageRect(x: 400, y: 0, width: 5, height: 5), ImageRect(x: 5, y: 5, width: 0, height: 5),
    ImageRect(x: 5, y: 5, width: -5, height: 5), ImageRect(x: .nan, y: 5, width: 5, height: 5),
    ImageRect(x: 0, y: 0, width: .infinity, height: 5),
  ])
  func `a region without pixels is refused`(region: ImageRect) throws {
    let classifier = try ImageClassifier(ImageClassifierTests.model("int8"))
    let sheet = try sheet()
    #expect(throws: VisionError.self) { try classifier.classify(sheet, region: region) }
  }

  @Test(arguments: [ImageOrientation.up, .right, .downMirrored])
  func `a detector's classifier looks at each frame`(orientation: ImageOrientation) throws {
    let upright = try sheet()
    let boxes = Self.locations.map { location -> [Float] in
      let box = location.0
      return [
        box.y / 116, box.x / 328, (box.y + box.height) / 116, (box.x + box.width) / 328,
      ].map { Float($0) }
    }
    var options = ObjectDetector.Options()
    options.classifier = try ImageClassifierTests.model("int8")
    options.classification.maxResults = 2
    let detector = try ObjectDetector(
      DetectorModel(boxes: boxes, classes: [0, 0, 0], scores: [0.9, 0.8, 0.7]).model(),
      options: options)
    let objects = try detector.detect(
      upright.upright(from: orientation.inverse), orientation: orientation)
    #expect(objects.map { $0.classifications.first?.label } == ["3", "7", "4"])
    #expect(objects.allSatisfy { $0.classifications.count == 2 })
    options.classification.scoreThreshold = 1.5
    let strict = try ObjectDetector(
      DetectorModel(boxes: boxes, classes: [0, 0, 0], scores: [0.9, 0.8, 0.7]).model(),
      options: options)
    #expect(try strict.detect(upright).allSatisfy(\.classifications.isEmpty))
  }
}

extension ImageOrientation {
  /// What undoes the turn; all but quarter turns undo themselves.
  fileprivate var inverse: ImageOrientation {
    switch self {
    case .right: .left
    case .left: .right
    case .up, .upMirrored, .down, .downMirrored, .leftMirrored, .rightMirrored: self
    }
  }
}
