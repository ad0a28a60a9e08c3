// SPDX-License-Identifier: Apache-2.0

import AuditFacts
import AuditReports
import Foundation
import JSONDocuments
import Martlet
import ModelChecks
import Tensors
import TestSupport
import Testing

/// Facts of an audit.
@Suite struct ReportFactTests {
  @Test func `integer networks give the same bits in every way of computing`() throws {
    let proof = try #require(try AuditedModels.digitReport().json["determinism"])
    #expect(proof["deterministic"] == true)
    #expect(proof["same_everywhere"] == true)
    let runs = try #require(proof["runs"]?.array)
    #expect(runs.first?["kernels"] == "reference")
    #expect(Set(runs.compactMap { $0["threads"]?.integer }) == [1, 2, 3, 4])
    #expect(runs.allSatisfy { $0["sha256"]?.array?.first?.string?.count == 64 })
  }

  /// A plan that serves several numbers of threads starts from the same memory each time.
  @Test func `a restarted interpreter computes what a new one does`() throws {
    let model = try AuditedModels.digits("int8")
    let interpreter = try Interpreter(model)
    #expect(!interpreter.restart(threadCount: 2), "not planned yet")
    try interpreter.setInput(0, [Int8](repeating: 7, count: 3072))
    try interpreter.invoke()
    let digest = interpreter.outputDigest()
    for threadCount in [2, 1, 3] {
      #expect(interpreter.restart(threadCount: threadCount))
      #expect(try interpreter.output(0, as: Int8.self).allSatisfy { $0 == 0 })
      try interpreter.setInput(0, [Int8](repeating: 7, count: 3072))
      try interpreter.invoke()
      #expect(interpreter.outputDigest() == digest)
    }
  }

  @Test(arguments: [
    "RANDOM_UNIFORM/f32_at_run_time", "MULTINOMIAL/i32_even", "SVDF/f32_none",
    "SignalStacker/i16_whole",
    "READ_VARIABLE/loop_counter", "WHILE/i32_rounds_7",
  ])
  func `what keeps a state, or decides in a run, is not restarted`(golden: String) throws {
    let interpreter = try Interpreter(Goldens.model(golden))
    try interpreter.prepare()
    #expect(!interpreter.restart(threadCount: 1))
  }

  @Test func `float networks are deterministic, but round sums by kernel set`() throws {
    let report = try AuditedModels.digitReport("float32")
    #expect(report.json["determinism"]?["deterministic"] == true)
    #expect(
      report.json["layers"]?.array?.allSatisfy { layer in
        layer["outputs"]?.array?.allSatisfy { $0["isolated_snr_db"] == nil } ?? false
      } == true)
    #expect(report.findings.allSatisfy { $0.severity == .note })
  }

  @Test func `every layer of an int8 network is near to its float shadow`() throws {
    let layers = try #require(try AuditedModels.digitReport().json["layers"]?.array)
    for layer in layers {
      let output = try #require(layer["outputs"]?.array?.first)
      let own = try #require(output["isolated_snr_db"])
      #expect((own.number ?? .infinity) > 20, "\(layer["operator"] ?? .null)")
      #expect((output["cumulative_cosine"]?.number ?? 0) > 0.99)
    }
  }

  @Test func `clipped shares count the bounds of the fused activation`() throws {
    let layers = try #require(try AuditedModels.digitReport().json["layers"]?.array)
    let clipped = try #require(layers[0]["outputs"]?.array?.first)
    #expect(clipped["clipped"]?["activation"] == "relu6")
    let zeros = try #require(clipped["statistics"]?["zeros"]?.number)
    let count = try #require(clipped["statistics"]?["elements"]?.number)
    #expect(clipped["clipped"]?["low"]?.number == zeros / count)
    #expect(layers[2]["outputs"]?.array?.first?["clipped"] == nil)
  }

  @Test func `the memory's peak is within the arena and no less than any plan needs`() throws {
    let memory = try #require(try AuditedModels.digitReport().json["memory"])
    let (arena, bound) = (memory["arena_bytes"]?.integer ?? 0, memory["lower_bound"]?.integer ?? 0)
    let peak = try #require(memory["peak_bytes"]?.integer)
    #expect(peak <= arena && bound <= arena && arena > 0)
    #expect((memory["sum_bytes"]?.integer ?? 0) >= arena)
  }

  @Test func `times are there when they are asked for`() throws {
    var options = AuditOptions()
    options.measuresTime = true
    options.date = "2026-11-22T00:00:00Z"
    options.threadCounts = [2]
    let report = try AuditReport(
      of: Interpreter(AuditedModels.digits("uint8")), fileName: "digits.tflite", options: options)
    #expect(report.json["layers"]?.array?.allSatisfy { ($0["ms"]?.number ?? -1) >= 0 } == true)
    #expect(report.html.contains("2026-11-22T00:00:00Z"))
    #expect(report.timeline["traceEvents"]?.array?.count == 19)
  }

  @Test func `the image's answer, and where the model looks`() throws {
    let image = try #require(try AuditedModels.digitReport().json["picture"])
    #expect(image["seen_width"] == 32)
    #expect(image["normalization_origin"] == "metadata")
    #expect(image["occlusion"]?["losses"]?.array?.count == 64)
  }

  @Test(arguments: [
    "CALL_ONCE/f32_counter", "IF/dynamic_shape_long",
    "IF/nested_outer_then", "LSTM/f32_everything", "WHERE/bool_all", "WHILE/f32_rounds_0",
    "RANDOM_UNIFORM/f32_at_run_time",
  ])
  func `strings, loops, state and shapes that only a run knows do no harm`(path: String) throws {
    let report = try AuditReport(
      of: Interpreter(Goldens.model(path)), fileName: path)
    #expect(report.html.hasSuffix("</html>\n"))
    #expect(report.json["layers"]?.array?.isEmpty == false)
  }
}
