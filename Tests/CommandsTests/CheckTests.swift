// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import Foundation
import JSONDocuments
import Testing

/// Martlet check.
@Suite struct CheckTests {
  private let digits: String

  init() throws { digits = try BundledModels.path(of: BundledModels.digits) }

  @Test func `a sound model has no findings`() throws {
    let console = CapturedConsole()
    #expect(console.run("check \(digits)") == 0)
    #expect(console.text == "\(digits): no problems\n  fits: label\n")
    #expect(console.run("check \(digits) --json") == 0)
  }

  @Test func `products have rules of their own`() throws {
    let console = CapturedConsole()
    #expect(console.run("check \(digits) --for mlkit-labeler --json") == 1)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/check/1")
    let model = document["models"]?.array?.first
    #expect(model?["passes"] == .bool(false))
    let rules = model?["findings"]?.array?.compactMap { $0["rule"]?.string } ?? []
    #expect(rules == ["picture-type", "score-type"])
    #expect(model?["findings"]?.array?.first?["place"]?.string?.hasPrefix("input 0 '") == true)
    #expect(CapturedConsole().run("check \(digits) --for yolo") == 64)
  }

  @Test func `damaged files are findings, missing ones are not`() throws {
    let console = CapturedConsole()
    let bytes = try InputFile.bytes(at: digits)
    try console.put(Array(bytes.prefix(bytes.count / 2)), "half.tflite")
    #expect(console.run("check DIR/half.tflite \(digits)") == 1)
    let lines = console.text.split(separator: "\n")
    #expect(lines.first == "\(console.folder)/half.tflite")
    #expect(lines.dropFirst().first?.hasPrefix("  error [file-readable]: ") == true)
    #expect(lines.suffix(2) == ["\(digits): no problems", "  fits: label"])
    let other = CapturedConsole()
    #expect(other.run("check DIR/none.tflite") == 66)
  }

  @Test func `findings go to a SARIF document`() throws {
    let console = CapturedConsole()
    #expect(console.run("check \(digits) --for mediapipe --sarif DIR/found.sarif") == 1)
    let document = try JSON(parsing: try InputFile.bytes(at: console.folder + "/found.sarif"))
    #expect(document["version"] == "2.1.0")
    let run = try #require(document["runs"]?.array?.first)
    let rules = run["tool"]?["driver"]?["rules"]?.array ?? []
    let result = try #require(run["results"]?.array?.first)
    #expect(result["level"] == "error")
    let index = try #require(result["ruleIndex"]?.integer)
    #expect(rules[index]["id"] == result["ruleId"])
    let location = result["locations"]?.array?.first?["physicalLocation"]
    #expect(location?["artifactLocation"]?["uri"]?.string?.hasSuffix(".tflite") == true)
  }

  @Test(
    .enabled(if: sharedModels != nil, "MARTLET_TEST_MODELS is not set"),
    arguments: ["cls_mobilenet_v1_025_224_quant_md", "cls_mlkit_object_labeler_md"])
  func `published classifiers pass the rules of the products that they were made for`(name: String)
    throws
  {
    let console = CapturedConsole()
    let model = "\(sharedModels ?? "")/nets/\(name)/model.tflite"
    #expect(console.run("check \(model) --for mlkit-labeler --for mediapipe") == 0)
  }

  @Test(.enabled(if: sharedModels != nil, "MARTLET_TEST_MODELS is not set"))
  func `quantized dimensions that LiteRT refuses are a warning`() throws {
    let (console, run) = (CapturedConsole(), CapturedConsole())
    let model = "\(sharedModels ?? "")/nets/cls_person_detect_int8/model.tflite"
    #expect(console.run("check \(model) --json") == 0)
    let findings = try JSON(parsing: console.output)["models"]?.array?.first?["findings"]?.array
    let mine = try #require(findings?.first { $0["rule"] == "quantized-dimension" })
    #expect(mine["severity"] == "warning")
    #expect(mine["place"]?.string?.hasSuffix("Conv2d_0/Conv2D_bias") == true)
    #expect(run.run("run \(model) --fill zeros") == 0)
  }

  @Test(.enabled(if: sharedModels != nil, "MARTLET_TEST_MODELS is not set"))
  func `every model that cannot be prepared has an error`() throws {
    let folder = "\(sharedModels ?? "")/invalid"
    let names = try Folder.names(in: folder).filter { $0.hasSuffix(".tflite") }
    #expect(!names.isEmpty)
    for name in names {
      let (check, inspection) = (CapturedConsole(), CapturedConsole())
      let code = check.run("check \(folder)/\(name)")
      inspection.run("inspect \(folder)/\(name) --json")
      let runs = try? JSON(parsing: inspection.output)["runs"]
      #expect(code == (runs == .bool(true) ? 0 : 1), "\(name)")
    }
  }
}
