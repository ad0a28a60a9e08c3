// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Foundation
import Imaging
import Martlet
import Testing
import VisionTasks

/// What MediaPipe's metadata says about heads, and detectors that need no options.
@Suite struct HeadMetadataTests {
  /// Two anchors; encodings are divided by 10, 10, 5 and 5, scores are logits.
  private static let detector: [UInt8] = {
    func anchor(_ numbers: [Float]) -> FlatTable {
      FlatTable(
        Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($0, .float($1)) }))
    }
    let anchors = FlatTable([
      0: .tables([anchor([0.5, 0.25, 0.2, 0.4]), anchor([0.25, 0.75, 1, 1])])
    ])
    let decoding = FlatTable([
      0: .int(Int32(2)), 1: .int(Int32(2)), 2: .int(Int32(4)), 6: .float(10), 7: .float(10),
      8: .float(5), 9: .float(5), 10: .bool(true), 11: .bool(true),
    ])
    return FlatTable([1: .table(FlatTable([0: .table(anchors)])), 2: .table(decoding)])
      .serialized(identifier: "V001")
  }()

  private static func model(_ custom: [(name: String, bytes: [UInt8])]) throws -> Model {
    var model = DetectorModel(boxes: [], classes: [], scores: [])
    model.outputs = [
      DetectorModel.Tensor(name: "b", shape: [1, 2, 2], values: [-5, 1.098_612_3, -5, -5]),
      DetectorModel.Tensor(name: "a", shape: [1, 2, 4], values: [1, 2, 0, 3.465_736, 0, 0, 0, 0]),
    ]
    model.custom = custom
    return try model.model()
  }

  /// The same box as in `DetectionRawHeadTests`: 0.34, 0.09, 0.74, 0.49; σ(ln 3) is ¾.
  @Test func `a detector with MediaPipe's metadata needs no options`() throws {
    let image = try PixelBuffer(width: 100, height: 100, format: .rgb8, filledWith: .white)
    let objects = try ObjectDetector(Self.model([("DETECTOR_METADATA", Self.detector)]))
      .detect(image)
    try #require(objects.count == 1)
    #expect(abs(objects[0].score - 0.75) < 1e-6)
    #expect(objects[0].category?.index == 1)
    #expect(abs(objects[0].frame.x - 34) < 1e-3)
    #expect(abs(objects[0].frame.y - 9) < 1e-3)
    #expect(abs(objects[0].frame.width - 40) < 1e-3)
    #expect(abs(objects[0].frame.height - 40) < 1e-3)
    #expect(throws: VisionError.self) { try ObjectDetector(Self.model([])) }
  }

  @Test func `broken metadata of detectors is an error or none`() throws {
    for end in 0..<Self.detector.count {
      _ = try? DetectorMetadata.rawHeads(Array(Self.detector[..<end]))
    }
    for position in Self.detector.indices {
      var broken = Self.detector
      broken[position] = 0xFF
      _ = try? DetectorMetadata.rawHeads(broken)
    }
    #expect(throws: VisionError.self) { try DetectorMetadata.rawHeads([]) }
    #expect(throws: VisionError.self) {
      try DetectorMetadata.rawHeads(FlatTable([:]).serialized(identifier: "V001"))
    }
  }

  @Test(arguments: [Int8(0), 1, 2, 3])
  func `a segmenter takes its activation from the metadata`(code: Int8) throws {
    var model = DetectorModel(boxes: [], classes: [], scores: [])
    model.outputs = [DetectorModel.Tensor(name: "m", shape: [1, 1, 1, 2], values: [0, 0])]
    model.custom = [
      ("SEGMENTER_METADATA", FlatTable([0: .int(code)]).serialized(identifier: "V001"))
    ]
    guard let wanted = SegmentationActivation(rawValue: code) else {
      #expect(throws: VisionError.self) { try ImageSegmenter(model.model()) }
      return
    }
    #expect(try ImageSegmenter(model.model()).activation == wanted)
  }

  /// The problem of `DetectionHeadTests`, in a model whose shapes tell that it is YOLOv8.
  @Test func `a detector of candidate rows needs no options`() throws {
    let problems = try DetectionHeadTests.problems.get()
    let problem = try #require(problems.cases.first { $0.name == "yoloV8" })
    var model = DetectorModel(boxes: [], classes: [], scores: [])
    model.input.shape = [1, Int32(problems.height), Int32(problems.width), 3]
    model.outputs = problem.outputs.map {
      DetectorModel.Tensor(name: "out", shape: $0.shape.map { Int32($0) }, values: $0.values)
    }
    var options = ObjectDetector.Options()
    options.scoreThreshold = problems.threshold
    options.maxObjects = nil
    options.overlapThreshold = 1
    let image = try PixelBuffer(width: 640, height: 320, format: .rgb8, filledWith: .white)
    let objects = try ObjectDetector(model.model(), options: options).detect(image)
    #expect(objects.count == problem.boxes.count)
    let best = try #require(problem.boxes.max { $0[4] < $1[4] })
    #expect(abs(Double(objects[0].score) - best[4]) < 1e-6)
    #expect(abs(objects[0].extent.x - best[0] * 640) < 1e-2)
    #expect(abs(objects[0].extent.height - (best[3] - best[1]) * 320) < 1e-2)
  }
}
