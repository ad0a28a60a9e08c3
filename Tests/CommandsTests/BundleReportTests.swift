// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import Compression
import FileAccess
import Foundation
import JSONDocuments
import TestSupport
import Testing

/// Martlet report of `.task` files.
@Suite struct BundleReportTests {
  /// A zip archive of these files.
  private static func bundle(_ files: [(name: String, bytes: [UInt8])]) throws -> [UInt8] {
    var writer = ZipWriter()
    for file in files { try writer.add(file.name, file.bytes.span) }
    return try writer.finish()
  }

  private static func digits() throws -> [UInt8] {
    try InputFile.bytes(at: try BundledModels.path(of: BundledModels.digits))
  }

  /// A console with a bundle of two models and a note, one of the digit classifier, and a digit.
  private static func console() throws -> CapturedConsole {
    let console = CapturedConsole()
    let digits = try digits()
    let add = try InputFile.bytes(at: Goldens.add + "/model.tflite")
    let inner = try bundle([("add.tflite", add)])
    try console.put(
      try bundle([
        ("digits.tflite", digits), ("inner.task", inner), ("note.txt", Array("a note".utf8)),
      ]), "two.task")
    try console.put(try bundle([("digits.tflite", digits)]), "one.task")
    try console.put(digits, "plain.task")
    try console.put(try bundle([("note.txt", [1])]), "none.task")
    try console.put(
      try InputFile.bytes(at: try BundledModels.path(of: BundledModels.digitSamples[3])), "3.png")
    return console
  }

  @Test func `the page lists all members and has a report of each model`() throws {
    let console = try Self.console()
    #expect(console.run("report DIR/two.task -o DIR/r.html") == 0)
    #expect(console.text.contains("digits.tflite: 17 nodes, 0 errors"))
    #expect(console.text.contains("inner.task/add.tflite: 1 nodes, 0 errors"))
    let page = String(
      decoding: try InputFile.bytes(at: console.folder + "/r.html"), as: UTF8.self)
    for words in [
      "digits.tflite</a>", "inner.task/add.tflite</a>", "note.txt", "no model",
      "2 models, 18 nodes", "id=\"model-1-layers\"", "id=\"model-2-layers\"",
      "The inputs are made up.",
    ] { #expect(page.contains(words), "\(words)") }
    let ids = page.matches(of: /\bid="([^"]+)"/).map { String($0.output.1) }
    #expect(Set(ids).count == ids.count, "ids are unique")
    for link in page.matches(of: /href="#([^"]+)"/) {
      #expect(ids.contains(String(link.output.1)), "\(link.output.1)")
    }
    for part in page.components(separatedBy: "src=\"").dropFirst() {
      #expect(part.hasPrefix("data:image/png;base64,"))
    }
    #expect(console.run("report DIR/two.task -o DIR/again.html") == 0)
    #expect(
      try InputFile.bytes(at: console.folder + "/again.html") == Array(page.utf8),
      "the same bytes")
  }

  @Test func `documents beside the page have all models`() throws {
    let console = try Self.console()
    let line =
      "report DIR/two.task -o DIR/r.html --cyclonedx DIR/bom.json --sarif DIR/r.sarif "
      + "--overlays DIR/overlays --trace DIR/trace.json --json"
    #expect(console.run(line) == 0)
    let facts = try JSON(parsing: console.output)
    #expect(facts["schema"] == "martlet/bundle-report/1")
    #expect(facts["bundle"]?["members"]?.array?.count == 3)
    #expect(
      facts["models"]?.array?.map { $0["name"] } == ["digits.tflite", "inner.task/add.tflite"])
    #expect(facts["models"]?.array?.first?["report"]?["schema"] == "martlet/report/1")
    #expect(facts["answer"] == nil)
    func document(_ name: String) throws -> JSON {
      try JSON(parsing: InputFile.bytes(at: console.folder + "/" + name))
    }
    #expect(
      try document("bom.json")["metadata"]?["component"]?["components"]?.array?.count == 2)
    #expect(try document("r.sarif")["version"] == "2.1.0")
    #expect(try document("trace.json")["traceEvents"]?.array?.count == 18)
    #expect(
      try document("overlays/model_explorer_inner_task_add_tflite_ms.json")["main"] != nil)
  }

  @Test func `the only model of a bundle gets the image, as of a file of its own`() throws {
    let console = try Self.console()
    #expect(console.run("report DIR/one.task --image DIR/3.png --json") == 0)
    let bundle = try JSON(parsing: console.output)
    let alone = try Self.console()
    #expect(alone.run("report DIR/plain.task --image DIR/3.png --json") == 0)
    let model = try JSON(parsing: alone.output)
    #expect(model["schema"] == "martlet/report/1", "a model is one, whatever its file is called")
    let report = bundle["models"]?.array?.first?["report"]
    #expect(report?["scores"] == model["scores"] && model["scores"] != nil)
    #expect(report?["picture"] == model["picture"] && model["picture"] != nil)
  }

  @Test(arguments: [
    ("two.task --image DIR/3.png", 65, "no task together"),
    ("two.task --text a", 64, "need one model"), ("two.task --input x.npy", 64, "need one model"),
    ("none.task", 65, "holds no model"), ("3.png.task", 66, "3.png.task"),
  ])
  func `what cannot be done is one line`(line: String, code: Int32, words: String) throws {
    let console = try Self.console()
    #expect(console.run("report DIR/\(line) -o DIR/r.html") == code)
    #expect(console.errors.contains(words), "\(console.errors)")
    #expect(!FileManager.default.fileExists(atPath: console.folder + "/r.html"))
  }

  struct Published: CustomTestStringConvertible, Sendable {
    let bundle: String
    let image: String
    let task: String
    let models: Int
    /// What is said of the image, by caption of a table and a part of one of its rows.
    let told: [(caption: String, words: String)]
    var testDescription: String { bundle }
  }

  static let published = [
    Published(
      bundle: "hand_landmarker.task", image: "rs_woman_hands.jpg", task: "hands", models: 2,
      told: [("Hands", "left"), ("Hands", "right")]),
    Published(
      bundle: "gesture_recognizer.task", image: "rs_thumbs_up.jpg", task: "hands", models: 4,
      told: [("Hands", "Thumb_Up")]),
    Published(
      bundle: "face_landmarker_v2_with_blendshapes.task", image: "rs_face.jpg", task: "faces",
      models: 3, told: [("Movements", "eyeSquint")]),
  ]

  /// What the report says of an image is what the subcommand of the task says.
  @Test(
    .enabled(if: sharedTaskModels != nil, "no folder tasks in MARTLET_TEST_MODELS"),
    arguments: published)
  func `the answer is that of the task's subcommand`(entry: Published) throws {
    let (bundle, image) = (PublishedModels.task(entry.bundle), PublishedModels.task(entry.image))
    let console = CapturedConsole()
    #expect(console.run("report \(bundle) --image \(image) --json") == 0, "\(console.errors)")
    let facts = try JSON(parsing: console.output)
    #expect(facts["answer"]?["task"]?.string == entry.task)
    #expect(facts["models"]?.array?.count == entry.models)
    let tables = try #require(facts["answer"]?["tables"]?.array)
    func rows(_ caption: String) -> [[String]] {
      tables.filter { $0["caption"]?.string?.hasPrefix(caption) == true }
        .flatMap { $0["rows"]?.array ?? [] }.map { $0.array?.compactMap(\.string) ?? [] }
    }
    for (caption, words) in entry.told {
      #expect(rows(caption).contains { $0.contains { $0.hasPrefix(words) } }, "\(words)")
    }
    let asked = CapturedConsole()
    #expect(asked.run("\(entry.task) \(bundle) \(image) --max 5 --json") == 0)
    let found = try #require(
      JSON(parsing: asked.output)["images"]?.array?.first?["found"]?.array)
    let points = found.flatMap { $0["points"]?.array ?? [] }.prefix(512)
    #expect(rows("Points").count == points.count && !points.isEmpty)
    for (row, point) in zip(rows("Points"), points) {
      let x = try #require(point["x"]?.number)
      #expect(abs((Double(row[4]) ?? .nan) - x) < 0.051)
    }
  }
}
