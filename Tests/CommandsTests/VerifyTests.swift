// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import Foundation
import JSONDocuments
import Npy
import Tensors
import TestSupport
import Testing

/// Martlet verify.
@Suite struct VerifyTests {
  @Test func `cases below a folder are run and counted`() throws {
    let console = CapturedConsole()
    let folders = ["f32_both", "i8_q_both"].map { Goldens.path("ADD/\($0)") }
    #expect(console.run("verify \(folders.joined(separator: " "))") == 0)
    let expected = """
                   cases  exact  within  failed
      ADD FLOAT32      1      1       0       0
      ADD INT8         1      1       0       0
      total            2      2       0       0

      """
    #expect(console.text == expected)
    let notes = """
      2 of 2 from engine: ai-edge-litert, version: 2.3.0,
          kernels: BUILTIN_REF, rounding: double
      optimized kernels, double rounding, 1 thread

      """
    #expect(console.errors == notes)
  }

  @Test func `a case that differs is named and ends in 1`() throws {
    let console = CapturedConsole()
    try copyCase(console)
    try NpyArray([Float(1)]).write(to: console.folder + "/case/out_0.npy")
    #expect(console.run("verify DIR --json") == 1)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/verify/1")
    #expect(document["cases"] == 1)
    #expect(document["failed"] == 1)
    let failure = document["failures"]?.array?.first
    #expect(failure?["case"] == .string(console.folder + "/case"))
    #expect(failure?["reason"]?.string?.hasPrefix("out_0: shape ") == true)
  }

  @Test func `--atol and --rtol go before a case's tolerance`() throws {
    let console = CapturedConsole()
    try copyCase(console)
    var file = try InputFile.bytes(at: Goldens.add + "/out_0.npy")
    let bits = file.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let other = (Float(bitPattern: bits) + 0.5).bitPattern
    for byte in 0..<4 {
      file[file.count - 4 + byte] = UInt8(truncatingIfNeeded: other >> (8 * byte))
    }
    try console.put(file, "case/out_0.npy")
    #expect(console.run("verify DIR") == 1)
    #expect(console.run("verify DIR --atol 0.5001") == 0)
    #expect(console.run("verify DIR --rtol 1e-5") == 1)
    #expect(console.run("verify DIR --rtol -1") == 64)
  }

  @Test func `one operator's cases may have a tolerance of their own`() throws {
    let console = CapturedConsole()
    try copyCase(console)
    let output = try NpyArray(contentsOf: Goldens.add + "/out_0.npy")
    let bytes = try output.tensorBytes(as: .float32)
    let moved = stride(from: 0, to: bytes.count, by: 4).map { start in
      let bits = bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Float(bitPattern: bits) + 0.25
    }
    try NpyArray(moved, shape: output.shape).write(to: console.folder + "/case/out_0.npy")
    #expect(console.run("verify DIR") == 1)
    #expect(console.run("verify DIR --tolerance ADD=0.2501") == 0)
    #expect(console.run("verify DIR --tolerance MUL=0.2501") == 1)
    #expect(console.run("verify DIR --tolerance ADD") == 64)
    #expect(console.run("verify DIR --tolerance ADD=-1") == 64)
  }

  @Test func `archives and bare bytes hold cases as well`() throws {
    let console = CapturedConsole()
    try console.put(try InputFile.bytes(at: Goldens.add + "/model.tflite"), "model.tflite")
    var archived: [(name: String, array: NpyArray)] = []
    for name in ["in_0", "in_1", "out_0"] {
      let array = try NpyArray(contentsOf: "\(Goldens.add)/\(name).npy")
      archived.append((name, array))
      try Folder.create(at: console.folder + "/raw")
      try console.put(try array.tensorBytes(as: .float32), "raw/\(name).raw")
    }
    try Folder.create(at: console.folder + "/npz")
    try console.put(try NpzArchive(archived).encoded(isCompressed: true), "npz/io.npz")
    #expect(console.run("verify DIR --json") == 0)
    #expect(try JSON(parsing: console.output)["exact"] == 2)

    try console.put([1, 2, 3], "raw/out_0.raw")
    try console.put([1, 2, 3], "npz/io.npz")
    let more = CapturedConsole()
    #expect(more.run("verify \(console.folder) --json") == 1)
    let failures = try JSON(parsing: more.output)["failures"]?.array ?? []
    #expect(failures.count == 2)
    #expect(failures.first?["reason"]?.string?.contains("npz/io.npz: no npz file") == true)
    #expect(failures.last?["reason"]?.string?.contains("raw/out_0.raw: 3 bytes, wanted") == true)
  }

  @Test func `a case without an output of the model fails`() throws {
    let console = CapturedConsole()
    try copyCase(console)
    try NpyArray([Float(1)]).write(to: console.folder + "/case/out_7.npy")
    try FileManager.default.removeItem(atPath: console.folder + "/case/out_0.npy")
    #expect(console.run("verify DIR") == 1)
    #expect(console.text.contains("nothing expected is an output of the model"))
  }

  @Test func `both sets of kernels run, and results go to JUnit's XML`() throws {
    let console = CapturedConsole()
    try copyCase(console)
    #expect(console.run("verify DIR --both-kernels --junit DIR/result.xml") == 0)
    #expect(console.text.contains("ADD FLOAT32, optimized      1      1"))
    #expect(console.text.contains("ADD FLOAT32, reference      1      1"))
    try NpyArray([Float(1)]).write(to: console.folder + "/case/out_0.npy")
    #expect(console.run("verify DIR --junit DIR/result.xml") == 1)
    let file = try InputFile.bytes(at: console.folder + "/result.xml")
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    #expect(lines.first == #"<?xml version="1.0" encoding="UTF-8"?>"#)
    #expect(lines[1].hasPrefix(#"<testsuites name="martlet verify" tests="1" failures="1""#))
    #expect(lines[2].hasPrefix(#"  <testsuite name="ADD FLOAT32" tests="1" failures="1""#))
    #expect(lines[3].contains("name=\"\(console.folder)/case\""))
    #expect(lines[4].hasPrefix(#"      <failure message="out_0: shape "#))
    #expect(lines.count == 8)
  }

  @Test func `a recorded run is a case that agrees`() throws {
    let console = CapturedConsole()
    let model = try BundledModels.path(of: BundledModels.digits)
    #expect(
      console.run("verify --record DIR/case \(model) --fill random --kernels reference") == 0)
    #expect(console.run("verify DIR --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["exact"] == 1)
    let source = document["provenance"]?.array?.first?["source"]?.string
    #expect(source?.hasPrefix("engine: martlet, version: ") == true)

    var settings = try InputFile.bytes(at: console.folder + "/case/case.json")
    let text = String(decoding: settings, as: UTF8.self)
    let digest = try #require(try JSON(parsing: settings)["model_sha256"]?.string)
    settings = Array(text.replacing(digest, with: String(digest.reversed())).utf8)
    try console.put(settings, "case/case.json")
    let other = CapturedConsole()
    #expect(other.run("verify \(console.folder)") == 1)
    #expect(other.text.contains("its digest \(digest) is not the case's"))
    #expect(other.run("verify --record DIR/x") == 64)
  }

  /// The golden case as `DIR/case`, its model in the folder above.
  private func copyCase(_ console: CapturedConsole) throws {
    try Folder.create(at: console.folder + "/case")
    try console.put(try InputFile.bytes(at: Goldens.add + "/model.tflite"), "model.tflite")
    for name in ["in_0.npy", "in_1.npy", "out_0.npy"] {
      try console.put(try InputFile.bytes(at: Goldens.add + "/" + name), "case/" + name)
    }
  }

  @Test func `case.json gives model, tolerance, rounding and shapes`() throws {
    let console = CapturedConsole()
    try copyCase(console)
    func verify(_ settings: String) throws -> (code: Int32, text: String) {
      try console.put(Array(settings.utf8), "case/case.json")
      let other = CapturedConsole()
      let code = other.run("verify \(console.folder)")
      return (code, other.flowingText)
    }
    #expect(try verify("{\"model\": \"../model.tflite\", \"rounding\": \"single\"}").code == 0)
    #expect(try verify("{\"model\": \"none.tflite\"}").text.contains("No such file"))
    #expect(try verify("{\"rounding\": \"triple\"}").text.contains("'rounding' is not as"))
    #expect(try verify("{\"resize\": {\"nobody\": [1, 2]}}").text.contains("no input 'nobody'"))
    #expect(try verify("{\"signature\": \"main\"}").text.contains("no signature 'main'"))
    #expect(try verify("[").text.contains("no JSON document: document ends early (byte 1)"))
    // Off by a little: refused, then tolerated.
    let expected = try NpyArray(contentsOf: Goldens.add + "/out_0.npy")
    let values = try #require(expected.values(as: Float.self)).map { $0 + 0.25 }
    try NpyArray(values, shape: expected.shape).write(to: console.folder + "/case/out_0.npy")
    #expect(try verify("{}").code == 1)
    #expect(try verify("{\"tolerance\": {\"out_0\": 0.2}}").code == 1)
    #expect(try verify("{\"tolerance\": {\"out_0\": 0.26}}").code == 0)
    #expect(try verify("{\"tolerance\": 0.26}").code == 0)
    #expect(try verify("{\"tolerance\": \"much\"}").text.contains("'tolerance' is not as"))
  }

  @Test func `steps run on the same interpreter, and are named where they differ`() throws {
    let console = CapturedConsole()
    try copyCase(console)
    try Folder.create(at: console.folder + "/case/step1")
    for name in ["in_0.npy", "in_1.npy", "out_0.npy"] {
      try console.put(try InputFile.bytes(at: Goldens.add + "/" + name), "case/step1/" + name)
    }
    #expect(console.run("verify DIR") == 0)
    #expect(console.text.contains("total            1      1 "))
    try NpyArray([Float(1)]).write(to: console.folder + "/case/step1/out_0.npy")
    let other = CapturedConsole()
    #expect(other.run("verify \(console.folder)") == 1)
    #expect(other.text.hasPrefix("failed: \(console.folder)/case\n  step1 out_0: shape "))
  }

  @Test func `a folder without cases and a folder that is missing end in 66`() {
    let console = CapturedConsole()
    #expect(console.run("verify DIR") == 66)
    #expect(console.errors == "error: no golden cases (\(console.folder))\n")
    let other = CapturedConsole()
    #expect(other.run("verify DIR/none") == 66)
  }
}
