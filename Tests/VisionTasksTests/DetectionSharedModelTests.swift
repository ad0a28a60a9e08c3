// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Martlet
import ModelFormat
import TestSupport
import Testing
import VisionTasks

/// Published detectors on photographs, in the folder that `MARTLET_TEST_MODELS` names.
@Suite(
  "Published detectors",
  .enabled(if: PublishedModels.folder != nil, "MARTLET_TEST_MODELS is not set"))
struct DetectionSharedModelTests {
  private static func bytes(_ location: String) throws -> [UInt8] {
    let folder = try #require(PublishedModels.folder)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(location)")))
  }

  private static func model(_ name: String) throws -> Model {
    try Model(bytes: bytes("nets/\(name)/model.tflite"))
  }

  private static func image(_ name: String) throws -> PixelBuffer {
    PixelBuffer(try PNG.decode(bytes("images/\(name).png")))
  }

  private static let coco = "det_ssd_mobilenet_v1_coco_md"

  /// What the task library finds, by its tests; two boxes reach below the image of 600 rows.
  private static let published: [(label: String, score: Float, frame: ImageRect)] = [
    ("cat", 0.64, ImageRect(x: 54, y: 396, width: 393, height: 196)),
    ("cat", 0.61, ImageRect(x: 602, y: 157, width: 394, height: 447)),
    ("cat", 0.56, ImageRect(x: 260, y: 394, width: 180, height: 209)),
    ("dog", 0.50, ImageRect(x: 389, y: 197, width: 278, height: 409)),
  ]

  /// The task library resizes with libyuv, and its runtime rounds once.
  @Test func `the task library's cats and dogs are found where it finds them`() throws {
    var options = ObjectDetector.Options()
    options.maxObjects = 4
    options.preprocessing.filter = .libyuvBilinear
    options.interpreter.rounding = .single
    let objects = try ObjectDetector(Self.model(Self.coco), options: options)
      .detect(Self.image("tls_cats_and_dogs"))
    try #require(objects.count == 4)
    for (object, wanted) in zip(objects, Self.published) {
      #expect(object.category?.label == wanted.label)
      #expect(abs(object.score - wanted.score) < 0.03)
      let distances = [
        object.extent.x - wanted.frame.x, object.extent.y - wanted.frame.y,
        object.extent.width - wanted.frame.width, object.extent.height - wanted.frame.height,
      ]
      #expect(distances.allSatisfy { abs($0) <= 3 }, "\(distances)")
    }
  }

  /// A photograph, what finds things in it, and where the middle of its most prominent thing lies.
  static let prominent:
    [(image: String, model: String?, x: ClosedRange<Double>, y: ClosedRange<Double>)] = [
      // The lawn is the largest thing that the bundled localizer finds.
      ("pets", nil, 340...510, 160...370), ("traffic_2", nil, 40...115, 145...196),
      ("traffic_3", nil, 25...108, 148...194), ("mlkit_liberty", nil, 180...330, 100...330),
      ("mlkit_daisy", nil, 150...350, 120...300), ("face", nil, 150...400, 100...300),
      // The table of a meal, and the street of a car.
      ("hot_dog", coco, 127...486, 88...229), ("traffic_1", coco, 51...126, 151...202),
      ("pets", coco, 120...250, 48...295), ("mlkit_bird", coco, 180...330, 120...270),
      ("grace_hopper", coco, 150...280, 180...330),
      ("mlkit_daisy", "det_mobile_object_localizer_v1", 180...320, 120...260),
    ]

  @Test func `the most prominent thing of photographs is no background`() throws {
    for (image, name, x, y) in Self.prominent {
      let model =
        try name.map(Self.model)
        ?? Model(path: Goldens.folder + "/../../Models/localizer/localizer.tflite")
      var options = ObjectDetector.Options()
      options.detectsMultipleObjects = false
      let objects = try ObjectDetector(model, options: options).detect(Self.image(image))
      try #require(objects.count == 1)
      let frame = objects[0].frame
      #expect(x.contains(frame.x + frame.width / 2), "\(image): \(frame)")
      #expect(y.contains(frame.y + frame.height / 2), "\(image): \(frame)")
    }
  }

  @Test func `outputs in TensorFlow 2's order give the same objects`() throws {
    let image = try Self.image("tls_cats_and_dogs")
    let bytes = try Self.bytes("nets/\(Self.coco)/model.tflite")
    let first = try Model(bytes: bytes)
    let expected = try ObjectDetector(first).detect(image)
    #expect(expected.count >= 4)
    // The list of outputs in the file: 4 and their tensors.
    let tensors = try Interpreter(first).outputs.map(\.index)
    func encoded(_ list: [Int]) -> [UInt8] {
      list.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }
    let turned = [tensors[2], tensors[0], tensors[3], tensors[1]]
    // The operator has the same list, and goes on writing them in this order.
    let locations = bytes.ranges(of: encoded([4] + tensors))
    let models = try locations.map { location in
      var copy = bytes
      copy.replaceSubrange(location, with: encoded([4] + turned))
      return try Model(bytes: copy)
    }
    // Metadata says otherwise now, but the operator that computes the outputs goes first.
    let second = try #require(
      models.first { model in
        (try? Interpreter(model))?.outputs.map(\.index) == turned
      })
    #expect(try ObjectDetector(second).detect(image) == expected)
    var options = ObjectDetector.Options()
    options.decoding = .postProcess(.tensorFlow2)
    #expect(try ObjectDetector(second, options: options).detect(image) == expected)
  }

  /// The encodings and scores that go into the last operator, decoded here, give what it gives.
  @Test func `raw heads and the grid of anchors agree with the model's own operator`() throws {
    let model = try Self.model(Self.coco)
    let file = model.file
    let node = try #require(file.subgraphs[0].nodes.last)
    try #require(node.identity.customName == "TFLite_Detection_PostProcess")
    let anchors = try AnchorGrid(inputWidth: 300, inputHeight: 300).anchors()
    var options = Interpreter.Options()
    options.keepsAllTensors = true
    let interpreter = try Interpreter(model, options: options)
    let input = try ImageInput(of: interpreter, model: model)
    try input.feed(Self.image("tls_cats_and_dogs"), to: interpreter)
    try interpreter.invoke()
    func values(_ index: Int) throws -> [Float] {
      let (type, bytes) = try #require(interpreter.tensor(index))
      let affine = try #require(type.quantization?.perTensor)
      return bytes.map { affine.scale * Float(Int($0) - Int(affine.zeroPoint)) }
    }
    let stored = try values(node.inputs[2])
    for (index, anchor) in anchors.enumerated() {
      let numbers = [anchor.centerY, anchor.centerX, anchor.height, anchor.width]
      for (offset, number) in numbers.enumerated() {
        // Half a quantum of 0.00645.
        #expect(abs(stored[4 * index + offset] - number) < 0.0033)
      }
    }
    var heads = RawHeads(anchors: anchors)
    heads.hasBackgroundClass = true
    let decoder = try RawHeadDecoder(heads, shapes: [[1, 1917, 4], [1, 1917, 91]])
    let found = decoder.detections(
      encodings: try values(node.inputs[0]), values: try values(node.inputs[1]), calibration: nil,
      threshold: 0.4
    ).suppressed(threshold: 0.6, .allClasses, limit: 10)
    let scores = try interpreter.dequantizedOutput(2)
    let classes = try interpreter.dequantizedOutput(1)
    let boxes = try interpreter.dequantizedOutput(0)
    #expect(found.count == scores.filter { $0 > 0.4 }.count)
    for (index, box) in found.enumerated() {
      #expect(box.score == scores[index])
      #expect(box.classIndex == Int(classes[index]))
      for (edge, wanted) in zip(
        [box.top, box.left, box.bottom, box.right], boxes[4 * index..<4 * index + 4])
      {
        #expect(abs(edge - wanted) < 0.02)
      }
    }
  }

  /// The face in the photograph of 437 × 512 pixels lies in about this square.
  @Test(arguments: [
    ("face_blazeface_short_fp16", AnchorGrid.shortRangeFaces),
    ("face_full_range_sparse_fp16", .fullRangeFaces),
  ])
  func `MediaPipe's detectors find a face`(name: String, grid: AnchorGrid) throws {
    var options = ObjectDetector.Options()
    options.preprocessing.normalization = .minusOneToOne
    options.preprocessing.fit = .letterbox(fill: .black)
    options.overlapThreshold = 0.3
    options.decoding = .rawHeads(
      .mediaPipe(
        anchors: try grid.anchors(), inputWidth: grid.inputWidth, inputHeight: grid.inputHeight))
    let detector = try ObjectDetector(Self.model(name), options: options)
    let image = try Self.image("grace_hopper")
    let objects = try detector.detect(image)
    try #require(objects.count == 1)
    #expect(objects[0].score > 0.8)
    let face = ImageRect(x: 145, y: 120, width: 168, height: 168)
    #expect(objects[0].frame.isClose(to: face, within: 20), "\(objects[0].frame)")
    // Stored on its side, the same image has the same face.
    let turned = try detector.detect(image.upright(from: .left), orientation: .right)
    try #require(turned.count == 1)
    let upright = ImageOrientation.right.uprightRect(
      turned[0].frame, storedWidth: 512, storedHeight: 437)
    #expect(upright.isClose(to: objects[0].frame, within: 3), "\(upright)")
  }

  @Test func `a localizer and a classifier find and name a cat`() throws {
    var options = ObjectDetector.Options()
    options.classifier = try Self.model("cls_mlkit_object_labeler_md")
    options.detectsMultipleObjects = false
    let objects = try ObjectDetector(
      Self.model("det_mobile_object_localizer_v1"), options: options
    ).detect(Self.image("cat"))
    try #require(objects.count == 1)
    #expect(objects[0].classifications.first?.label == "Cat")
  }
}
