// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import JSONDocuments
import TestSupport
import Testing

/// Martlet label.
@Suite struct LabelTests {
  @Test func `the bundled model reads the bundled digits`() throws {
    let console = CapturedConsole()
    #expect(console.run("label --json --top 3") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/label/1")
    #expect(document["bundled_model"] == true)
    #expect(document["bundled_images"] == true)
    let images = try #require(document["images"]?.array)
    #expect(images.count == 10)
    for (digit, image) in images.enumerated() {
      let labels = try #require(image["labels"]?.array)
      #expect(labels.count == 3)
      #expect(labels.first?["label"] == .string("\(digit)"))
      #expect(labels.first?["index"] == .integer(digit))
      let scores = labels.compactMap { $0["score"]?.number }
      #expect(scores == scores.sorted(by: >))
    }
  }

  @Test func `the text says what is bundled`() {
    let console = CapturedConsole()
    #expect(console.run("label") == 0)
    #expect(console.text.contains("digits_int8.tflite (bundled)\noptimized kernels"))
    #expect(console.text.contains("\nimages: the bundled samples\n"))
  }

  @Test func `a model, a manifest, labels and threshold may be given`() throws {
    let console = CapturedConsole()
    let model = try BundledModels.path(of: BundledModels.digits)
    let image = try BundledModels.path(of: BundledModels.digitSamples[4])
    try console.put(try InputFile.bytes(at: model), "m.tflite")
    try console.put(Array((0...9).map { "digit \($0)\n" }.joined().utf8), "dict.txt")
    let manifest =
      #"{"modelType": "IMAGE_LABELING", "modelFile": "m.tflite", "labelsFile": "dict.txt",}"#
    try console.put(Array(manifest.utf8), "manifest.json")
    for options in ["DIR/manifest.json", "DIR/m.tflite --labels DIR/dict.txt"] {
      let words = options.split(separator: " ")
      let line = (words.prefix(1) + [Substring(image)] + words.dropFirst()).joined(separator: " ")
      #expect(console.run("label \(line)") == 0)
      #expect(console.text.contains("\n  digit 4  "), "\(console.text)")
    }
    let strict = CapturedConsole()
    #expect(strict.run("label \(model) \(image) --threshold 1.5") == 0)
    #expect(strict.text.contains("\n  nothing above the threshold 1.5; the best is "))
  }

  @Test func `an image that fails is the command's error, among several a failed record`() throws {
    let image = try BundledModels.path(of: BundledModels.digitSamples[4])
    let alone = CapturedConsole()
    #expect(alone.run("label DIR/none.png") == 66)
    #expect(
      alone.errors
        == "error: cannot read: No such file or directory (\(alone.folder)/none.png)\n")
    #expect(alone.text == "")
    let among = CapturedConsole()
    #expect(among.run("label DIR/none.png \(image) --json") == 1)
    let images = try JSON(parsing: among.output)["images"]?.array
    #expect(images?[0]["error"]?.string?.hasPrefix("cannot read: ") == true)
    #expect(images?[1]["labels"]?.array?.first?["label"] == "4")
  }

  @Test func `models that label no images are refused`() {
    let console = CapturedConsole()
    #expect(console.run("label \(Goldens.add)/model.tflite") == 65)
    #expect(console.errors.contains("Models are assumed to have a single input."))
  }

  @Test func `where bundled files are searched, and what is said when they are missing`() throws {
    #expect(BundledModels.folders.count >= 4)
    let error = #expect(throws: BundledFileError.self) {
      _ = try BundledModels.path(of: "x.tflite", in: ["/none", "/nowhere"])
    }
    #expect(error?.description == "bundled file x.tflite is not in /none, /nowhere")
    #expect(try BundledModels.path(of: "null", in: ["/none", "/dev"]) == "/dev/null")
  }
}
