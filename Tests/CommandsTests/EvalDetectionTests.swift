// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import JSONDocuments
import Testing

/// Martlet eval --task detect.
@Suite struct EvalDetectionTests {
  /// The columns and the rows of the bundled scenes.
  private static let sceneSide = 192.0

  /// COCO annotations of the bundled scenes: what the bundled localizer finds there.
  private static func annotations(_ console: CapturedConsole) throws -> JSON {
    let run = CapturedConsole()
    #expect(run.run("detect --json --threshold 0.4") == 0)
    let scenes = try #require(try JSON(parsing: run.output)["images"]?.array)
    var boxes: [JSON] = []
    for (scene, image) in scenes.enumerated() {
      for object in image["objects"]?.array ?? [] {
        let location = ["x", "y", "width", "height"].compactMap { object["box"]?[$0]?.number }
        try #require(location.count == 4)
        // What reaches over the image's edges is cut off by the evaluation, too.
        let left = max(location[0], 0)
        let top = max(location[1], 0)
        let right = min(location[0] + location[2], Self.sceneSide)
        let bottom = min(location[1] + location[3], Self.sceneSide)
        boxes.append([
          "id": .integer(boxes.count + 1), "image_id": .integer(scene), "category_id": 18,
          "bbox": .array([left, top, right - left, bottom - top].map(JSON.number)),
        ])
      }
    }
    #expect(boxes.count >= 4)
    return [
      "images": .array(
        scenes.enumerated().map {
          ["id": .integer($0), "file_name": $1["image"] ?? .null]
        }),
      "annotations": .array(boxes), "categories": [["id": 18, "name": "dog"]],
    ]
  }

  @Test func `a detector finds what it has found`() throws {
    let console = CapturedConsole()
    try console.put(Array(try Self.annotations(console).prettyText.utf8), "boxes.json")
    let line = "eval --task detect --truth DIR/boxes.json --threshold 0.4"
    #expect(console.run("\(line) --json --jobs 2 --assert ap>0.99") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["task"] == "detect" && document["pictures"] == 4)
    #expect(document["classes_compared"] == false && document["classes"] == [])
    #expect(document["truths"] == document["detections"])
    #expect(document["metrics"]?["ar100"]?.number == 1)
    let text = CapturedConsole()
    #expect(text.run(line.replacing("DIR", with: console.folder)) == 0)
    #expect(text.text.contains("localizer.tflite (bundled)\noptimized kernels"))
    #expect(text.text.contains(" true boxes, ") && text.text.contains("classes not compared\n"))
    #expect(text.text.contains("\nAP at overlap 0.50 to 0.95  1.0000\n"))
  }

  @Test func `a box that is missing and one too many cost what they must`() throws {
    let console = CapturedConsole()
    let truth = try Self.annotations(console)
    let boxes = try #require(truth["annotations"]?.array)
    func precision(_ boxes: [JSON]) throws -> Double {
      let run = CapturedConsole()
      let document = JSON.record([
        "images": truth["images"], "annotations": .array(boxes), "categories": truth["categories"],
      ])
      try run.put(Array(document.prettyText.utf8), "b.json")
      #expect(run.run("eval --task detect --truth DIR/b.json --threshold 0.4 --json") == 0)
      return try #require(try JSON(parsing: run.output)["metrics"]?["ap"]?.number)
    }
    #expect(try precision(boxes) > 0.999)
    #expect(try precision(Array(boxes.dropFirst())) < 0.999)
    let absent: JSON = [
      "id": 99, "image_id": 0, "category_id": 18, "bbox": [0, 0, 3, 3], "iscrowd": 0, "area": 7,
    ]
    #expect(try precision(boxes + [absent]) < 0.999)
    let crowd: JSON = [
      "id": 99, "image_id": 0, "category_id": 18, "bbox": [0, 0, 3, 3], "iscrowd": 1, "area": 7,
    ]
    #expect(try precision(boxes + [crowd]) > 0.999)
  }

  static let wrongDocuments: [(String, String)] = [
    (#"{"#, "byte 1"), (#"[]"#, "categories"),
    (#"{"categories": {}, "images": [], "annotations": []}"#, "categories"),
    (#"{"categories": [], "images": [], "annotations": []}"#, "no images"),
    (#"{"categories": [{"id": 1}], "images": [], "annotations": []}"#, "categories[0].name"),
    (
      #"{"categories": [{"id": 1, "name": "a"}, {"id": 1, "name": "b"}], "images": []}"#,
      "categories[1].id"
    ),
    (#"{"categories": [{"id": "1", "name": "a"}]}"#, "categories[0].id"),
    (#"{"categories": [], "images": [{"id": 1}]}"#, "images[0].file_name"),
    (#"{"categories": [], "images": [{"id": 1, "file_name": "a.png"}]}"#, "annotations"),
  ]

  static let wrongBoxes: [(String, String)] = [
    (#""image_id": 2, "category_id": 1, "bbox": [0, 0, 1, 1]"#, "image_id"),
    (#""image_id": 1, "category_id": 2, "bbox": [0, 0, 1, 1]"#, "category_id"),
    (#""image_id": 1, "category_id": 1"#, "bbox"),
    (#""image_id": 1, "category_id": 1, "bbox": [0, 0, 1]"#, "bbox"),
    (#""image_id": 1, "category_id": 1, "bbox": [0, 0, 1, "1"]"#, "bbox"),
    (#""image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1, null]"#, "bbox"),
    (#""image_id": 1, "category_id": 1, "bbox": [0, 0, -1, 1]"#, "bbox"),
    (#""image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "area": -1"#, "area"),
    (#""image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "area": "x"#, "byte"),
    (#""image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "iscrowd": 2"#, "iscrowd"),
    (#""image_id": 1e400, "category_id": 1, "bbox": [0, 0, 1, 1]"#, "byte"),
  ]

  @Test(arguments: wrongDocuments)
  func `documents that are no annotations are refused, with the member`(
    _ text: String, _ location: String
  ) throws {
    let console = CapturedConsole()
    try console.put(Array(text.utf8), "b.json")
    #expect(console.run("eval --task detect --truth DIR/b.json") == 65)
    #expect(console.errors.contains(location), "\(console.errors)")
  }

  @Test(arguments: wrongBoxes)
  func `boxes that are none are refused, with the member`(_ members: String, _ location: String)
    throws
  {
    let console = CapturedConsole()
    let text =
      #"{"categories": [{"id": 1, "name": "a"}], "images": [{"id": 1, "file_name": "a.png"}], "#
      + "\"annotations\": [{\"id\": 1, \(members)}]}"
    try console.put(Array(text.utf8), "b.json")
    #expect(console.run("eval --task detect --truth DIR/b.json") == 65)
    #expect(console.errors.contains(location), "\(console.errors)")
  }

  @Test func `every prefix and every changed byte of a document ends in a result or an error`()
    throws
  {
    let console = CapturedConsole()
    let image = try BundledModels.path(of: BundledModels.localizerSamples[0])
    let text =
      #"{"categories": [{"id": 1, "name": "a"}], "images": [{"id": 1, "file_name": "P"}], "#
      + #""annotations": [{"image_id": 1, "category_id": 1, "bbox": [1e3, 0, 1, 1.5]}]}"#
    let bytes = Array(text.replacing("P", with: image).utf8)
    for count in stride(from: 0, to: bytes.count, by: 3) {
      try console.put(Array(bytes.prefix(count)), "b.json")
      #expect(console.run("eval --task detect --truth DIR/b.json") == 65)
    }
    for position in stride(from: 0, to: bytes.count, by: 7) {
      var changed = bytes
      changed[position] ^= 0x11
      try console.put(changed, "b.json")
      #expect([0, 1, 65].contains(console.run("eval --task detect --truth DIR/b.json")))
    }
  }

  @Test(.enabled(if: sharedModels != nil, "MARTLET_TEST_MODELS names no folder"))
  func `a detector that knows classes is measured by class`() throws {
    let folder = try #require(sharedModels)
    let model = "\(folder)/nets/det_ssd_mobilenet_v1_coco_md/model.tflite"
    let image = "\(folder)/images/tls_cats_and_dogs.png"
    let run = CapturedConsole()
    #expect(run.run("detect \(model) \(image) --json --threshold 0.5") == 0)
    let objects = try #require(
      try JSON(parsing: run.output)["images"]?.array?.first?["objects"]?.array)
    let names = Set(objects.compactMap { $0["label"]?.string }).sorted()
    #expect(!names.isEmpty && !names.contains(""))
    let console = CapturedConsole()
    func document(_ names: [String]) -> [UInt8] {
      let boxes = objects.map { object -> JSON in
        [
          "image_id": 7,
          "category_id": .integer(names.firstIndex(of: object["label"]?.string ?? "") ?? 0),
          "bbox": .array(
            ["x", "y", "width", "height"].map { max(object["box"]?[$0]?.number ?? 0, 0) }
              .map(JSON.number)),
        ]
      }
      let categories = names.enumerated().map { index, name -> JSON in
        ["id": .integer(index), "name": .string(name)]
      }
      return Array(
        JSON.record([
          "images": [["id": 7, "file_name": .string(image)]],
          "annotations": .array(boxes), "categories": .array(categories),
        ]).prettyText.utf8)
    }
    try console.put(document(names), "b.json")
    #expect(console.run("eval \(model) --truth DIR/b.json --json --threshold 0.5") == 0)
    let result = try JSON(parsing: console.output)
    #expect(result["task"] == "detect" && result["classes_compared"] == true)
    #expect(result["classes"]?.array?.compactMap { $0["name"]?.string } == names)
    #expect(result["metrics"]?["ap50"]?.number ?? 0 > 0.99)
    try console.put(document(["ct"] + names.dropFirst()), "other.json")
    #expect(console.run("eval \(model) --truth DIR/other.json") == 65)
    #expect(console.errors.contains("no class 'ct' (\(console.folder)/other.json › categories[0]"))
  }
}
