// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ImageCodecs
import Imaging
import Martlet
import Testing
import VisionTasks

/// Object detector.
@Suite struct ObjectDetectorTests {
  /// Four quarters of the image with scores that fall, and a fifth box in the middle.
  static let quarters = DetectorModel(
    boxes: [
      [0, 0, 0.5, 0.5], [0, 0.5, 0.5, 1], [0.5, 0, 1, 0.5], [0.5, 0.5, 1, 1], [0.3, 0.3, 0.7, 0.7],
    ],
    classes: [0, 1, 2, 0, 1], scores: [0.5, 0.9, 0.6, 0.4, 0.8])

  private func detect(
    _ model: DetectorModel = quarters, _ change: (inout ObjectDetector.Options) -> Void = { _ in }
  ) throws -> [DetectedObject] {
    var options = ObjectDetector.Options()
    change(&options)
    let image = try PixelBuffer(width: 100, height: 100, format: .rgb8, filledWith: .white)
    return try ObjectDetector(model.model(), options: options).detect(image)
  }

  @Test func `objects come by falling scores, those above the default threshold`() throws {
    let objects = try detect()
    #expect(objects.map(\.score) == [0.9, 0.8, 0.6, 0.5])
    #expect(objects.map { $0.category?.index } == [1, 1, 2, 0])
    #expect(objects.allSatisfy { $0.trackingID == nil && $0.classifications.isEmpty })
    #expect(objects[0].frame.isClose(to: ImageRect(x: 50, y: 0, width: 50, height: 50), within: 0))
  }

  @Test func `a score equal to the threshold is not above it`() throws {
    #expect(try detect { $0.scoreThreshold = 0.6 }.map(\.score) == [0.9, 0.8])
    #expect(try detect { $0.scoreThreshold = 0.599 }.count == 3)
    #expect(try detect { $0.scoreThreshold = -1 }.count == 5)
    #expect(try detect { $0.scoreThreshold = 2 }.isEmpty)
  }

  @Test func `at most so many objects as wanted`() throws {
    #expect(try detect { $0.maxObjects = 2 }.map(\.score) == [0.9, 0.8])
    #expect(try detect { ($0.maxObjects, $0.scoreThreshold) = (nil, 0) }.count == 5)
  }

  /// 0.9³ · √(¼ · (1 − ¼ diagonal)) = 0.31567 for the corner, 0.8³ · √(0.16 · 1) = 0.2048 for the
  /// middle; with a score of 0.95, the middle has 0.34295.
  @Test func `the most prominent object is sure, large and near the middle`() throws {
    let one = try detect { $0.detectsMultipleObjects = false }
    #expect(one.map(\.score) == [0.9])
    #expect(abs(one[0].prominence(inWidth: 100, height: 100) - 0.315666) < 1e-6)
    var model = Self.quarters
    model.outputs[2].values[4] = 0.95
    let middle = try detect(model) { $0.detectsMultipleObjects = false }
    #expect(middle.map(\.score) == [0.95])
    #expect(abs(middle[0].prominence(inWidth: 100, height: 100) - 0.34295) < 1e-6)
    #expect(try detect { ($0.detectsMultipleObjects, $0.scoreThreshold) = (false, 2) }.isEmpty)
  }

  @Test func `both orders of outputs, told by their values or by the options`() throws {
    let objects = try detect()
    #expect(try detect(Self.quarters.inSecondOrder) == objects)
    #expect(
      try detect(Self.quarters.inSecondOrder) { $0.decoding = .postProcess(.tensorFlow2) }
        == objects)
    #expect(
      try detect { $0.decoding = .postProcess(.tensorFlow1) } == objects)
  }

  @Test func `metadata names outputs, labels, threshold and the order of a box's numbers`() throws {
    var model = Self.quarters.inSecondOrder
    // Nothing in the values tells classes from scores any more.
    model.outputs[0].values = [1, 1, 1, 1, 1]
    model.outputs[3].values = [1, 1, 0, 0, 0]
    let labels = FlatTable([0: .string("l.txt"), 2: .int(Int8(3))])
    let threshold = FlatTable([0: .int(UInt8(3)), 1: .table(FlatTable([0: .float(0.9)]))])
    let format = FlatTable([0: .ints([UInt32(0), 1, 2, 3]), 1: .int(Int8(1))])
    let content = FlatTable([0: .int(UInt8(3)), 1: .table(format)])
    model.outputNotes = [
      FlatTable([0: .string("score"), 4: .tables([threshold])]),
      FlatTable([0: .string("location"), 3: .table(content)]),
      FlatTable([0: .string("number of detections")]),
      FlatTable([0: .string("category"), 6: .tables([labels])]),
    ]
    model.files = [("l.txt", "cat\ndog\n")]
    let objects = try detect(model)
    #expect(objects.map { $0.category?.label } == ["dog", "dog", "cat", "cat", "cat"])
    // The first number is the left edge now.
    #expect(objects[1].frame.isClose(to: ImageRect(x: 0, y: 50, width: 50, height: 50), within: 0))
    model.outputs[0].values = [1, 1, 0.9, 0.5, 0.5]
    #expect(try detect(model).count == 2)
  }

  @Test func `labels may begin with the background`() throws {
    func labels(_ names: [String], offset: Int? = nil) throws -> [String?] {
      try detect {
        ($0.labels, $0.labelOffset) = (LabelMap(classNames: names), offset)
      }.map { $0.category?.label }
    }
    #expect(try labels(["a", "b", "c"]) == ["b", "b", "c", "a"])
    #expect(try labels(["???", "a", "b", "c"]) == ["b", "b", "c", "a"])
    #expect(try labels(["background", "a", "b", "c"]) == ["b", "b", "c", "a"])
    #expect(try labels(["???", "a", "b", "c"], offset: 0) == ["a", "a", "b", "???"])
    #expect(try labels(["a"]) == ["", "", "", "a"])
    let names = CategoryNames(LabelMap(classNames: ["a"]), offset: 1)
    #expect(names.category(.max).className == "")
  }

  @Test func `classes may be allowed or denied`() throws {
    let labels = LabelMap(classNames: ["a", "b", "c"])
    #expect(
      try detect { ($0.labels, $0.allowedLabels) = (labels, ["a", "c"]) }.map(\.score)
        == [0.6, 0.5])
    #expect(
      try detect { ($0.labels, $0.deniedLabels) = (labels, ["b"]) }.map(\.score) == [0.6, 0.5])
  }

  /// The middle box overlaps each quarter by 0.04 / 0.37 = 0.108.
  @Test func `overlapping objects are left out on demand`() throws {
    var model = Self.quarters
    model.outputs[1].values[4] = 3
    #expect(try detect(model) { $0.overlapThreshold = 0.1 }.count == 4)
    #expect(
      try detect(model) { ($0.overlapThreshold, $0.suppression) = (0.1, .allClasses) }.map(\.score)
        == [0.9, 0.6, 0.5])
  }

  static let wrongOptions: [(String, @Sendable (inout ObjectDetector.Options) -> Void)] = [
    ("no objects", { $0.maxObjects = 0 }), ("no threshold", { $0.scoreThreshold = .nan }),
    ("overlap beyond 1", { $0.overlapThreshold = 1.5 }),
    ("an offset before the labels", { $0.labelOffset = -1 }),
    ("lists that exclude each other", { ($0.allowedLabels, $0.deniedLabels) = (["a"], ["b"]) }),
    (
      "one output twice",
      { $0.decoding = .postProcess(PostProcessOrder(boxes: 0, classes: 0, scores: 1, count: 2)) }
    ),
    ("raw heads of four outputs", { $0.decoding = .rawHeads(RawHeads(anchors: [])) }),
  ]

  @Test(arguments: wrongOptions)
  func `wrong options are refused`(
    name: String, change: @Sendable (inout ObjectDetector.Options) -> Void
  ) {
    #expect(throws: VisionError.self) { try detect(Self.quarters, change) }
  }

  @Test func `models that are no detectors are refused with the rule they break`() throws {
    var model = Self.quarters
    model.outputs.removeLast(2)
    #expect(rule(of: model)?.contains("This model has 2; for 2 outputs") == true)
    model = Self.quarters
    model.outputNotes = [FlatTable()]
    #expect(
      rule(of: model)
        == "Mismatch between number of output tensors (4) and output tensors metadata (1).")
    model = Self.quarters
    model.outputs[0].shape = [1, 20]
    #expect(rule(of: model)?.hasPrefix("Which outputs are boxes") == true)
    let unknown = FlatTable([0: .int(UInt8(3)), 1: .table(FlatTable([1: .int(Int8(0))]))])
    model.outputNotes = [FlatTable([3: .table(unknown)]), FlatTable(), FlatTable(), FlatTable()]
    #expect(rule(of: model)?.contains("of which type") == true)
  }

  private func rule(of model: DetectorModel) -> String? {
    do {
      _ = try detect(model)
      return nil
    } catch VisionError.incompatibleModel(let rule) {
      return rule
    } catch {
      return "\(error)"
    }
  }
}
