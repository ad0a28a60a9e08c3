// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Martlet
import ModelTasks
import TestSupport
import Testing
import VisionTasks

/// Models whose notes say that Ultralytics' exporter wrote them.
@Suite struct UltralyticsNotesTests {
  private static let notes =
    "{'description': 'Ultralytics YOLOv8n model', 'author': 'Ultralytics', 'stride': 32, "
    + "'task': 'detect', 'names': {0: 'cat', 1: 'dog'}}"

  /// A detector of floats with a file behind it, without metadata.
  private static func model(_ name: String, _ text: String, type: Int8 = 0) throws -> Model {
    var model = ObjectDetectorTests.quarters
    model.input = DetectorModel.Tensor(name: "image", shape: [1, 4, 4, 3], type: type)
    model.files = [(name, text)]
    return try model.model()
  }

  @Test func `notes tell the task and the names`() throws {
    let found = try #require(UltralyticsNotes(Array(Self.notes.utf8)))
    #expect(found.task == "detect" && found.classNames == ["cat", "dog"])
    let older = try #require(UltralyticsNotes(Array("{'stride': 32, 'names': {0: 'a'}}".utf8)))
    #expect(older.task == nil && older.classNames == ["a"])
    for text in ["{'names': {0: 'a'}}", "{'author': 'Me', 'names': {0: 'a'}}", "{'stride': 32}"] {
      #expect(UltralyticsNotes(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test(arguments: ["temp_meta.txt", "meta.txt", "metadata.json"])
  func `floats go from 0 to 1 where nothing else is said`(name: String) throws {
    let model = try Self.model(name, Self.notes)
    let input = try ImageInput(of: Interpreter(model), model: model)
    #expect(input.normalization == .zeroToOne && input.normalizationOrigin == .maker)
    #expect(try ObjectDetector(model).input.normalization == .zeroToOne)
    var preprocessing = Preprocessing()
    preprocessing.normalization = .minusOneToOne
    let asked = try ImageInput(
      of: Interpreter(model), model: model, preprocessing: preprocessing)
    #expect(asked.normalization == .minusOneToOne && asked.normalizationOrigin == .options)
    preprocessing.normalization = nil
    preprocessing.partialNormalization = .mean([51])
    let partly = try ImageInput(
      of: Interpreter(model), model: model, preprocessing: preprocessing)
    #expect(try partly.normalization == Normalization(mean: [51], standardDeviation: [255]))
  }

  @Test func `notes tell the key points`() throws {
    for (text, count, fields) in [("[21, 3]", 21, 3), ("[4,2]", 4, 2), ("(12, 2)", 12, 2)] {
      let notes = "{'stride': 32, 'kpt_shape': \(text), 'names': {0: 'a'}}"
      let shape = try #require(UltralyticsNotes(Array(notes.utf8))?.keyPointShape)
      #expect(shape.count == count && shape.fieldCount == fields)
    }
    for text in ["[0, 3]", "[17, 4]", "[17]", "[999999999, 3]", "'17, 3'", "[17, 3", "[-1, 2]"] {
      let notes = "{'stride': 32, 'kpt_shape': \(text), 'names': {0: 'a'}}"
      let found = try #require(UltralyticsNotes(Array(notes.utf8)))
      #expect(found.keyPointShape == nil, "\(text)")
    }
  }

  /// The red of each pixel of what a model of 4 × 4 sees of a white image.
  private static func reds(
    _ notes: String, width: Int, height: Int, fit: FitMode? = nil
  ) throws -> [UInt8] {
    let model = try model("metadata.json", notes)
    var preprocessing = Preprocessing()
    if let fit { preprocessing.fit = fit }
    let interpreter = try Interpreter(model)
    let input = try ImageInput(of: interpreter, model: model, preprocessing: preprocessing)
    let image = try PixelBuffer(width: width, height: height, format: .rgb8, filledWith: .white)
    let seen = try input.feed(image, to: interpreter).image
    return stride(from: 0, to: seen.bytes.count, by: 3).map { seen.bytes[$0] }
  }

  @Test func `images are padded with gray, as LetterBox does`() throws {
    let gray = [UInt8](repeating: 114, count: 4)
    let white = [UInt8](repeating: 255, count: 4)
    #expect(try Self.reds(Self.notes, width: 8, height: 4) == gray + white + white + gray)
    // round(5 * 0.5) is 2 in Python, and of odd padding more lies behind.
    #expect(try Self.reds(Self.notes, width: 8, height: 5) == gray + white + white + gray)
    #expect(try Self.reds(Self.notes, width: 4, height: 3) == white + white + white + gray)
    #expect(
      try Self.reds(Self.notes, width: 8, height: 4, fit: .stretch) == white + white + white + white
    )
    let black = [UInt8](repeating: 0, count: 4)
    #expect(
      try Self.reds(Self.notes, width: 8, height: 4, fit: .letterbox(fill: .black))
        == black + white + white + black)
    let classes = Self.notes.replacing("'detect'", with: "'classify'")
    #expect(try Self.reds(classes, width: 8, height: 4) == white + white + white + white)
  }

  @Test func `bytes stay bytes, and other makers' floats are refused`() throws {
    let bytes = try Self.model("temp_meta.txt", Self.notes, type: 3)
    #expect(try ImageInput(of: Interpreter(bytes), model: bytes).normalizationOrigin == .none)
    for (name, text) in [("other.txt", Self.notes), ("temp_meta.txt", "{'names': {0: 'a'}}")] {
      let model = try Self.model(name, text)
      #expect(throws: VisionError.self) { try ImageInput(of: Interpreter(model), model: model) }
    }
  }

  @Test func `classes have the names of the notes`() throws {
    let found = try ObjectDetector(Self.model("metadata.json", Self.notes)).detect(
      PixelBuffer(
        width: 4, height: 4, format: .rgb8,
        filledWith: PixelColor(red: 1, green: 2, blue: 3)))
    #expect(found.contains { ["cat", "dog"].contains($0.category?.className) })
  }

  @Test(
    .enabled(
      if: PublishedModels.haveTasks("yolov8n_int8.tflite", "cats_and_dogs.jpg"),
      "no tasks/yolov8n_int8.tflite and cats_and_dogs.jpg in MARTLET_TEST_MODELS"))
  func `YOLOv8 finds what it finds with numbers from 0 to 1`() throws {
    let model = try Model(path: PublishedModels.task("yolov8n_int8.tflite"))
    let photograph = URL(filePath: PublishedModels.task("cats_and_dogs.jpg"))
    let bytes = try [UInt8](Data(contentsOf: photograph))
    let image = PixelBuffer(try JPEG.decode(bytes))
    var options = ObjectDetector.Options()
    let found = try ObjectDetector(model, options: options).detect(image)
    options.preprocessing.normalization = .zeroToOne
    #expect(try ObjectDetector(model, options: options).detect(image) == found)
    #expect(found.count { $0.category?.className == "cat" } >= 2)
  }
}
