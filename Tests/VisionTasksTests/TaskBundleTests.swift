// SPDX-License-Identifier: Apache-2.0

import Compression
import Martlet
import Testing
import VisionTasks

/// Bundles of models, and bundles within them.
@Suite struct TaskBundleTests {
  private static func archive(_ entries: [(String, [UInt8])]) throws -> [UInt8] {
    var zip = ZipWriter(baseOffset: 0)
    for (name, bytes) in entries { try zip.add(name, bytes.span, method: .stored) }
    return try zip.finish()
  }

  @Test func `models are found by name, in bundles of bundles too`() throws {
    let model = try DetectorModel(boxes: [], classes: [], scores: []).bytes()
    let inner = try Self.archive([("hand_detector.tflite", model)])
    let bundle = try TaskBundle(
      bytes: try Self.archive([("hand_landmarker.task", inner), ("labels.txt", [0x61])]))
    #expect(bundle.names == ["hand_landmarker.task", "labels.txt"])
    #expect(try bundle.contents(of: "labels.txt") == [0x61])
    let hands = try bundle.bundle("hand_landmarker.task")
    #expect(try hands.contents(of: "hand_detector.tflite") == model)
    _ = try hands.model("hand_detector.tflite")
    #expect(throws: TaskError.self) { try bundle.model("labels.txt") }
    #expect(throws: TaskError.self) { try bundle.bundle("labels.txt") }
    #expect(throws: TaskError.self) { try bundle.model("hand_detector.tflite") }
  }

  @Test func `a model alone is a bundle of one`() throws {
    let model = try DetectorModel(boxes: [], classes: [], scores: []).bytes()
    let bundle = try TaskBundle(bytes: model)
    #expect(bundle.names == [""])
    #expect(try bundle.contents(of: "") == model)
    #expect(throws: TaskError.self) { try bundle.contents(of: "x") }
  }
}
