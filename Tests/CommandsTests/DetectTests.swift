// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import Foundation
import Imaging
import JSONDocuments
import Testing

/// Martlet detect.
@Suite struct DetectTests {
  @Test(arguments: [
    "--max 0", "--outputs tf3", "--strides 16", "--scores softmax", "--background",
    "--anchors ssd --outputs tf1", "--anchors FILE.npy --strides 8", "--mean 1,2 --std 1,2",
    "--mean x", "--std 0", "--fit round", "--allow a --deny b", "--classifier-threshold 0.5",
    "--localizer other.tflite", "--localizer other.png",
  ])
  func `options that make no sense are usage errors`(options: String) throws {
    let console = CapturedConsole()
    let model = try BundledModels.path(of: BundledModels.digits)
    #expect(console.run("detect \(model) image.png \(options)") == 64)
    #expect(console.text == "")
  }

  @Test func `the bundled localizer finds things in the bundled scenes`() throws {
    let console = CapturedConsole()
    #expect(console.run("detect --json --max 3") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["bundled_model"] == true)
    #expect(document["bundled_images"] == true)
    let images = try #require(document["images"]?.array)
    #expect(images.count == 4)
    let counts = images.map { $0["objects"]?.array?.count ?? 0 }
    #expect(counts.allSatisfy { $0 <= 3 })
    #expect(counts.contains { $0 > 0 })
  }

  @Test func `a localizer is a model of which no classes are told`() throws {
    let model = try BundledModels.path(of: BundledModels.localizer)
    let scene = try BundledModels.path(of: BundledModels.localizerSamples[0])
    func objects(_ line: String) throws -> JSON? {
      let console = CapturedConsole()
      #expect(console.run("detect \(line) \(scene) --json") == 0, "\(console.errors)")
      return try JSON(parsing: console.output)["images"]?.array?.first?["objects"]
    }
    let expected = try objects(model)
    #expect(try objects("--localizer \(model)") == expected && expected?.array?.isEmpty == false)
  }

  @Test func `rotated boxes are printed and drawn as they are turned`() throws {
    let console = try SmallTaskModels.console()
    let line = "detect DIR/rotated.tflite DIR/scene.png --outputs obb"
    #expect(console.run("\(line) --json --annotate DIR/out.png") == 0)
    let image = try #require(JSON(parsing: console.output)["images"]?.array?.first)
    let objects = try #require(image["objects"]?.array)
    try #require(objects.count == 2)
    let box = try #require(objects[0]["rotated_box"])
    #expect(box["rotation"]?.number.map { abs($0 - 0.5) < 1e-4 } == true)
    #expect(box["corners"]?.array?.count == 4)
    let drawn = try console.pixels("out.png")
    let x = try #require(box["center_x"]?.number)
    #expect(abs(x - Double(drawn.width) / 2) < 1)
    // The middle of the first side has the first color.
    let corners = try #require(box["corners"]?.array).prefix(2).compactMap { corner in
      corner.array?.compactMap(\.number)
    }
    let middle = (0..<2).map { Int((corners[0][$0] + corners[1][$0]) / 2) }
    let start = (middle[1] * drawn.width + middle[0]) * 4
    let color = PixelColor.distinct(0)
    #expect(Array(drawn.bytes[start..<start + 3]) == [color.red, color.green, color.blue])
    #expect(console.run("\(line) --csv") == 0)
    let table = console.text.split(separator: "\n").suffix(3).map { $0.split(separator: ",") }
    #expect(
      table[0].suffix(5) == ["center_x", "center_y", "rotated_width", "rotated_height", "rotation"])
    #expect(Double(table[1].last ?? "").map { abs($0 - 0.5) < 1e-4 } == true)
    #expect(console.run("\(line) --csv --track") == 0)
    let tracked = console.text.split(separator: "\n").suffix(3).map { row in
      row.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(Set(tracked.map(\.count)) == [17] && tracked[0].last == "rotation")
    #expect(console.run(line) == 0)
    #expect(console.text.contains("28.6°"))
  }

  @Test func `models that find nothing in images are refused`() throws {
    let console = CapturedConsole()
    let model = try BundledModels.path(of: BundledModels.digits)
    let image = try BundledModels.path(of: BundledModels.digitSamples[4])
    #expect(console.run("detect \(model) \(image)") == 65)
    #expect(console.errors.contains("A detector has 4 outputs"))
    #expect(console.run("detect \(model) \(image) --anchors ssd") == 65)
    #expect(console.run("detect \(model) \(image) --anchors DIR/none.npy") == 66)
  }
}

/// With the folder of published models that `MARTLET_TEST_MODELS` names.
@Suite(
  "martlet detect and label with published models",
  .enabled(if: sharedModels != nil, "MARTLET_TEST_MODELS is not set"))
struct SharedDetectTests {
  private static func net(_ name: String) -> String {
    "\(sharedModels ?? "")/nets/\(name)/model.tflite"
  }

  private static func image(_ name: String) -> String { "\(sharedModels ?? "")/images/\(name).png" }

  @Test func `objects as JSON, and drawn into a copy`() throws {
    let console = CapturedConsole()
    let line =
      "\(Self.net("det_ssd_mobilenet_v1_coco_md")) \(Self.image("tls_cats_and_dogs"))"
    #expect(console.run("detect \(line) --json --annotate DIR/out.png --max 4") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/detect/1")
    #expect(document["bundled_model"] == false)
    let image = try #require(document["images"]?.array?.first)
    #expect(image["annotated"] == .string("\(console.folder)/out.png"))
    let objects = try #require(image["objects"]?.array)
    #expect(objects.map { $0["label"]?.string } == ["cat", "cat", "cat", "dog"])
    #expect(objects[0]["index"] == 16)
    let x = try #require(objects[0]["box"]?["x"]?.number)
    #expect(abs(x - 54) <= 3)
    #expect(objects[0]["classifications"]?.array?.isEmpty == true)
    let plain = CapturedConsole()
    #expect(plain.run("image info \(console.folder)/out.png") == 0)
    #expect(plain.text.contains("1200"))
  }

  @Test(arguments: ["", "--localizer "])
  func `several images, a classifier, and one image that fails`(option: String) throws {
    let console = CapturedConsole()
    let line = [
      option + Self.net("det_mobile_object_localizer_v1"), Self.image("cat"), "DIR/none.png",
      Self.image("chips"), "--classifier", Self.net("cls_mlkit_object_labeler_md"), "--top 1",
      "--annotate DIR/images", "--json",
    ]
    #expect(console.run("detect \(line.joined(separator: " "))") == 1)
    let images = try #require(JSON(parsing: console.output)["images"]?.array)
    try #require(images.count == 3)
    let labels = images.map {
      $0["objects"]?.array?.first?["classifications"]?.array?.first?["label"]?.string
    }
    #expect(labels == ["Cat", nil, "Packaged goods"])
    #expect(images[1]["error"]?.string?.hasPrefix("cannot read") == true)
    #expect(images[2]["annotated"] == .string("\(console.folder)/images/annotated_2.png"))
  }

  @Test func `the classes of a detector that localizes are left to the classifier`() throws {
    let line =
      "--localizer \(Self.net("det_ssd_mobilenet_v1_coco_md")) \(Self.image("tls_cats_and_dogs"))"
    let console = CapturedConsole()
    #expect(console.run("detect \(line) --json --max 4") == 0)
    let image = try #require(JSON(parsing: console.output)["images"]?.array?.first)
    let objects = try #require(image["objects"]?.array)
    #expect(objects.count == 4 && objects.allSatisfy { $0["label"] == "" && $0["index"] == nil })
  }

  @Test func `an AutoML model names flowers by its manifest`() throws {
    let console = CapturedConsole()
    let folder = try #require(sharedModels)
    let names = "extras/automl/ios__quickstarts__automl__Resources__automl_labeler"
    try console.put(try InputFile.bytes(at: "\(folder)/\(names)_manifest.json"), "manifest.json")
    try console.put(
      try InputFile.bytes(at: "\(folder)/\(names)_labels.txt"), "automl_labeler_labels.txt")
    try console.put(
      try InputFile.bytes(at: Self.net("cls_automl_flowers_mlkit")), "automl_labeler_model.tflite")
    let flowers = ["mlkit_daisy", "mlkit_dandelion", "mlkit_roses", "sunflower", "mlkit_tulips"]
    let paths = flowers.map(Self.image).joined(separator: " ")
    #expect(console.run("label --json DIR/manifest.json \(paths) --top 1") == 0)
    let images = try #require(JSON(parsing: console.output)["images"]?.array)
    let labels = images.map { $0["labels"]?.array?.first?["label"]?.string }
    #expect(labels == ["daisy", "dandelion", "roses", "sunflowers", "tulips"])
  }
}
