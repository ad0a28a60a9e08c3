// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Martlet
import TestSupport
import Testing
import VisionTasks

/// The bundled digits as a classifier.
@Suite struct ImageClassifierTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Models/digits")
  static let formats = [
    "float32", "float16", "dynamic", "int8", "int8_float_io", "int16x8", "uint8",
  ]

  static func model(_ format: String) throws -> Model {
    try Model(path: folder.appendingPathComponent("digits_\(format).tflite").path)
  }

  static func image(_ digit: Int) throws -> PixelBuffer {
    let file = folder.appendingPathComponent("samples/digit_\(digit).png")
    return PixelBuffer(try PNG.decode([UInt8](try Data(contentsOf: file))))
  }

  @Test(arguments: formats, 0...9)
  func `every format reads every sample`(format: String, digit: Int) throws {
    let heads = try ImageClassifier(Self.model(format)).classify(Self.image(digit))
    let best = try #require(heads[0].classifications.first)
    #expect(heads.count == 1)
    #expect(heads[0].classifications.count == 10)
    #expect(best.label == "\(digit)")
    #expect(best.index == digit)
    #expect(best.score > 0.5)
  }

  @Test func `scores fall, and equal ones are in the order of their classes`() throws {
    let results = try ImageClassifier(Self.model("int8")).classify(Self.image(4))[0]
      .classifications
    for (first, second) in zip(results, results.dropFirst()) {
      #expect(
        first.score > second.score || first.score == second.score && first.index < second.index)
    }
  }

  @Test func `threshold, number and lists of labels choose results`() throws {
    let image = try Self.image(4)
    func labels(_ change: (inout ImageClassifier.Options) -> Void) throws -> [String] {
      var options = ImageClassifier.Options()
      change(&options)
      return try ImageClassifier(Self.model("int8"), options: options).classify(image)[0]
        .classifications.map(\.label)
    }
    #expect(try labels { $0.scoreThreshold = 0.9 } == ["4"])
    #expect(try labels { $0.scoreThreshold = 1.5 } == [])
    #expect(try labels { $0.maxResults = 2 } == ["4", "9"])
    #expect(try labels { $0.allowedLabels = ["9", "1"] } == ["9", "1"])
    #expect(
      try labels {
        $0.deniedLabels = ["4"]; $0.maxResults = 1
      } == ["9"])
    #expect(throws: VisionError.self) { try labels { $0.maxResults = 0 } }
    #expect(throws: VisionError.self) {
      try labels {
        $0.allowedLabels = ["1"]
        $0.deniedLabels = ["2"]
      }
    }
  }

  @Test func `a turned image is read once it is upright`() throws {
    let upright = try Self.image(7)
    // Turned by half, so that the same turn makes it upright again.
    let turned = upright.upright(from: .down)
    let classifier = try ImageClassifier(Self.model("int8"))
    let best = try classifier.classify(turned, orientation: .down)[0].classifications.first
    #expect(best?.label == "7")
  }

  @Test func `labels must be as many as classes`() throws {
    var options = ImageClassifier.Options()
    options.labels = LabelMap(classNames: ["one", "two"])
    #expect(throws: VisionError.self) {
      try ImageClassifier(Self.model("int8"), options: options)
    }
    options.labels = LabelMap(classNames: (0..<10).map { "class \($0)" })
    let classifier = try ImageClassifier(Self.model("int8"), options: options)
    let best = try classifier.classify(Self.image(3))[0].classifications.first
    #expect(best?.label == "class 3")
  }

  @Test func `a model for something else is refused with the rule it breaks`() throws {
    let error = #expect(throws: VisionError.self) {
      try ImageClassifier(Goldens.model("ADD/f32_same"))
    }
    guard case .incompatibleModel(let rule) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(rule == "Models are assumed to have a single input.")
  }
}
