// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import JSONDocuments
import Testing

/// Answers without a result say why there is none.
@Suite struct EmptyAnswerTests {
  private let digits: String
  private let sample: String
  private let scene: String

  init() throws {
    digits = try BundledModels.path(of: BundledModels.digits)
    sample = try BundledModels.path(of: BundledModels.digitSamples[4])
    scene = try BundledModels.path(of: BundledModels.localizerSamples[1])
  }

  @Test func `the threshold and the best class are named`() throws {
    let console = CapturedConsole()
    #expect(console.run("label \(sample) --threshold 1.5") == 0)
    let last = console.text.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("  nothing above the threshold 1.5; the best is 4 0.9"), "\(last)")
    let document = CapturedConsole()
    #expect(document.run("label \(sample) --threshold 1.5 --json") == 0)
    let image = try JSON(parsing: document.output)["images"]?.array?.first
    #expect(image?["labels"] == [] && image?["best_below_threshold"]?["label"] == "4")
  }

  @Test func `the threshold and the best object are named`() throws {
    let console = CapturedConsole()
    #expect(console.run("detect \(scene) --threshold 0.9") == 0)
    let last = console.text.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("  nothing above the threshold 0.9; the best is object 0.6"), "\(last)")
    let document = CapturedConsole()
    #expect(document.run("detect \(scene) --threshold 0.9 --json") == 0)
    let image = try JSON(parsing: document.output)["images"]?.array?.first
    #expect(image?["objects"] == [])
    #expect(image?["best_below_threshold"]?["score"]?.number ?? 0 > 0.6)
    let found = CapturedConsole()
    #expect(found.run("detect \(scene) --json") == 0)
    let whole = try JSON(parsing: found.output)["images"]?.array?.first
    #expect(whole?["best_below_threshold"] == nil)
  }

  @Test(arguments: ["1.5", "1", "-0.1"])
  func `thresholds that no score of a detector can be above are refused`(threshold: String) {
    let console = CapturedConsole()
    #expect(console.run("detect \(scene) --threshold \(threshold)") == 64)
    #expect(console.errors.contains("for '--threshold', wanted a score from 0 to less than 1"))
  }

  @Test(arguments: ["--allow", "--deny"])
  func `class names that no class has are refused, with one that is close`(option: String) throws {
    let console = CapturedConsole()
    let labels = (0...9).map { "digit number \($0)\n" }.joined()
    try console.put(Array(labels.utf8), "labels.txt")
    for (name, hint) in [
      ("digit_number_3", "did you mean 'digit number 3'?"), ("x", "such as 'digit number 0'"),
    ] {
      let line = "label \(digits) \(sample) --labels \(console.folder)/labels.txt \(option) \(name)"
      let run = CapturedConsole()
      #expect(run.run(line) == 64)
      #expect(run.errors.hasPrefix("error: no class is called '\(name)' (martlet label)\nhint: "))
      #expect(run.errors.contains(hint), "\(run.errors)")
    }
  }

  @Test func `names without any class that has one are refused`() throws {
    let localizer = try BundledModels.path(of: BundledModels.localizer)
    for line in ["detect \(localizer) \(scene)", "worker --task detect --model \(localizer)"] {
      let console = CapturedConsole()
      #expect(console.run("\(line) --allow cat") == 64)
      #expect(console.errors.contains("no class is called 'cat': the model has no labels"))
    }
  }

  @Test func `a worker that ends at an error says how it would go on`() {
    let console = CapturedConsole()
    #expect(console.work("--model \(digits) --no-timing", lines: ["x", "y"]) == 1)
    #expect(console.errors.contains("hint: --keep-going answers the records behind an error\n"))
    let going = CapturedConsole()
    #expect(going.work("--model \(digits) --keep-going", lines: ["x", "y"]) == 0)
    #expect(!going.errors.contains("hint: "))
    let help = CapturedConsole()
    help.run("help worker")
    #expect(help.text.replacing("\n", with: " ").contains("line unless --keep-going is given"))
  }
}
