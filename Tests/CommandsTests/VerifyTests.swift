// SPDX-License-Identifier: Apache-2.0

import Commands
import Testing
import Verification

@Suite("martlet verify")
struct VerifyTests {
  @Test("cases below a folder are run and counted")
  func counting() throws {
    let console = CapturedConsole()
    let folders = ["f32_both", "i8_q_both"].map { "\(Goldens.folder)/ADD/\($0)" }
    #expect(console.run("verify \(folders.joined(separator: " "))") == 0)
    let expected = """
                   cases  exact  within tolerance  failed
      ADD FLOAT32      1      1                 0       0
      ADD INT8         1      1                 0       0
      total            2      2                 0       0

      """
    #expect(console.text == expected)
    #expect(console.errors == "optimized kernels, double rounding, 1 thread\n")
  }

  @Test("a case that differs is named and ends in 1")
  func differing() throws {
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

  @Test("--atol and --rtol go before a case's tolerance")
  func elementTolerance() throws {
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

  /// The golden case as `DIR/case`, its model in the folder above.
  private func copyCase(_ console: CapturedConsole) throws {
    try Folder.create(at: console.folder + "/case")
    try console.put(try InputFile.bytes(at: Goldens.add + "/model.tflite"), "model.tflite")
    for name in ["in_0.npy", "in_1.npy", "out_0.npy"] {
      try console.put(try InputFile.bytes(at: Goldens.add + "/" + name), "case/" + name)
    }
  }

  @Test("case.json gives model, tolerance, rounding and shapes")
  func settings() throws {
    let console = CapturedConsole()
    try copyCase(console)
    func verify(_ settings: String) throws -> (code: Int32, text: String) {
      try console.put(Array(settings.utf8), "case/case.json")
      let other = CapturedConsole()
      let code = other.run("verify \(console.folder)")
      return (code, other.text)
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

  @Test("steps run on the same interpreter, and are named where they differ")
  func steps() throws {
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
    #expect(other.text.hasPrefix("failed: \(console.folder)/case: step1 out_0: shape "))
  }

  @Test("a folder without cases and a folder that is missing end in 66")
  func nothing() {
    let console = CapturedConsole()
    #expect(console.run("verify DIR") == 66)
    #expect(console.errors == "error: no golden cases (\(console.folder))\n")
    let other = CapturedConsole()
    #expect(other.run("verify DIR/none") == 66)
  }
}
