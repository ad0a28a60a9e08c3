// SPDX-License-Identifier: Apache-2.0

import BundledModels
import CommandCore
import Commands
import Compression
import FileAccess
import Foundation
import JSONDocuments
import TestSupport
import Testing

/// The commands of tasks for which no model is bundled.
@Suite struct TaskCommandTests {
  static let commands = ["segment", "faces", "hands", "pose", "transform", "listen", "read"]

  /// What each command is asked about, and what it needs besides.
  private static func words(_ command: String, _ model: String, _ folder: String) throws -> String {
    let image = try BundledModels.path(of: BundledModels.digitSamples[3])
    switch command {
    case "listen": return "listen \(model) \(folder)/silence.wav"
    case "read": return "read \(model) words"
    case "transform": return "transform \(model) \(image) --output \(folder)/made.png"
    case "hands": return "hands \(model) \(image) --landmarks \(model)"
    default: return "\(command) \(model) \(image)"
    }
  }

  @Test(arguments: commands)
  func `a model of another task is refused in a line`(command: String) throws {
    let console = CapturedConsole()
    let model = try BundledModels.path(of: BundledModels.digits)
    let code = console.run(try Self.words(command, model, console.folder))
    #expect(code == 65 || code == 66, "\(console.text)")
    let lines = console.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("error: ") ?? false)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("hint: ") })
    #expect(console.text.isEmpty)
  }

  @Test(arguments: [
    "read MODEL", "listen MODEL x.wav --rate 8000", "listen MODEL x.wav --melspectrogram m.tflite",
    "pose MODEL IMAGE --fps 5", "segment MODEL IMAGE --background blur", "transform MODEL IMAGE",
    "faces MODEL IMAGE --blendshapes MODEL", "embed MODEL IMAGE --add a --search b",
    "segment MODEL IMAGE IMAGE --mask m.png",
  ])
  func `options that mean nothing together are refused`(line: String) throws {
    let console = CapturedConsole()
    let model = try BundledModels.path(of: BundledModels.digits)
    let image = try BundledModels.path(of: BundledModels.digitSamples[3])
    let code = console.run(
      line.replacing("MODEL", with: model).replacing("IMAGE", with: image))
    #expect(code == 64, "\(console.errors)")
  }

  /// The bundled classifier's scores are a vector, too: what is in an index is found again.
  @Test func `an index finds what was added`() throws {
    let model = try BundledModels.path(of: BundledModels.digits)
    let images = try BundledModels.digitSamples.prefix(4).map { try BundledModels.path(of: $0) }
    let console = CapturedConsole()
    let index = "\(console.folder)/digits.index"
    #expect(console.run("embed \(model) \(images.joined(separator: " ")) --add \(index)") == 0)
    let search = CapturedConsole()
    #expect(search.run("embed \(model) \(images[2]) --search \(index) --top 1 --json") == 0)
    let document = try JSON(parsing: search.output)
    let neighbor = document["images"]?.array?.first?["neighbors"]?.array?.first
    #expect(neighbor?["name"]?.string == images[2])
    #expect((neighbor?["distance"]?.number ?? 1) < 1e-6)
  }

  private static func bundle(_ names: [String]) throws -> [UInt8] {
    let digits = try InputFile.bytes(at: try BundledModels.path(of: BundledModels.digits))
    var writer = ZipWriter()
    for name in names { try writer.add(name, digits.span) }
    return try writer.finish()
  }

  @Test func `a bundle of one model is that model, one of several is refused`() throws {
    let console = try SmallTaskModels.console()
    try console.put(try Self.bundle(["digits.tflite"]), "one.task")
    try console.put(try Self.bundle(["a.tflite", "b.tflite"]), "two.task")
    try console.put([0x50, 0x4B, 3, 4, 0], "broken.task")
    #expect(console.run("label DIR/digits.tflite DIR/3.png --csv") == 0)
    let rows = console.text
    #expect(console.cleared().run("label DIR/one.task DIR/3.png --csv") == 0, "\(console.errors)")
    #expect(console.text == rows && rows.count > 40)
    for line in ["label DIR/two.task DIR/3.png", "detect DIR/two.task DIR/3.png"] {
      #expect(console.cleared().run(line) == 65)
      #expect(console.errors.contains("a bundle of models") && console.errors.contains("inspect"))
    }
    #expect(console.cleared().run("label DIR/broken.task DIR/3.png") == 65)
    #expect(console.errors.contains("broken.task"))
  }

  @Test func `points are no mask`() throws {
    let console = try SmallTaskModels.console()
    #expect(console.run("pose DIR/pose.tflite DIR/3.png") == 0)
    #expect(console.cleared().run("segment DIR/pose.tflite DIR/3.png --mean 0 --std 1") == 65)
    #expect(console.errors.contains("No output has a value for each pixel"))
  }

  private static let holistic = ["holistic_landmarker.task", "samples_business_person.png"]

  @Test(
    .enabled(if: PublishedModels.haveTasks(holistic), "no \(holistic) among the models of tasks"))
  func `a holistic bundle finds a body with its face and hands`() throws {
    let console = CapturedConsole()
    let paths = Self.holistic.map { PublishedModels.task($0) }.joined(separator: " ")
    #expect(console.run("pose \(paths) --json") == 0, "\(console.errors)")
    let found = try #require(
      try JSON(parsing: console.output)["images"]?.array?.first?["found"]?.array)
    #expect(
      found.map { $0["kind"]?.string } == ["person", "face", "left hand", "right hand"])
    #expect(found.map { $0["points"]?.array?.count } == [33, 478, 21, 21])
  }

  /// Published models, where they are, with an image or text of theirs.
  private static let published = [
    ("face_blazeface_short_fp16", "faces MODEL IMAGES/face.png --json", "found"),
    ("face_full_range_sparse_fp16", "faces MODEL IMAGES/face.png --json", "found"),
    ("face_landmark_int8", "faces MODEL IMAGES/face.png --presence 0 --json", "found"),
    ("pose_movenet_lightning_int8", "pose MODEL IMAGES/squat.png --json", "found"),
    ("seg_mosaic_r4_quant", "segment MODEL IMAGES/traffic_1.png --json", "categories"),
    ("text_nlclassifier_regex_md", "read MODEL words --json", "labels"),
    (
      "sr_edsr_f32b5_uint8_dyn",
      "transform MODEL IMAGES/mnist_nine.png --output DIR/large.png --json", "width"
    ),
  ]

  @Test(.enabled(if: sharedModels != nil, "MARTLET_TEST_MODELS is not set"), arguments: published)
  func `published models are asked`(name: String, line: String, member: String) throws {
    let console = CapturedConsole()
    let shared = try #require(sharedModels)
    let words = line.replacing("MODEL", with: "\(shared)/nets/\(name)/model.tflite")
      .replacing("IMAGES", with: "\(shared)/images").replacing("DIR", with: console.folder)
    #expect(console.run(words) == 0, "\(console.errors)")
    let document = try JSON(parsing: console.output)
    let subject = document["images"] ?? document["texts"]
    let answer = try #require(subject?.array?.first?[member])
    if let found = answer.array { #expect(!found.isEmpty) }
    // The same for a reader, in a narrow terminal.
    let reader = CapturedConsole()
    reader.run(
      words.replacing(" --json", with: "").replacing(console.folder, with: reader.folder))
    #expect(reader.text.split(separator: "\n").filter(NarrowOutputTests.isWide).isEmpty)
  }
}
