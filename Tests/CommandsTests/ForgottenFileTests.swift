// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import JSONDocuments
import Testing

/// What commands do where a file was forgotten: bundled ones must not answer for it unnoticed.
@Suite struct ForgottenFileTests {
  private let digits: String
  private let sample: String

  init() throws {
    digits = try BundledModels.path(of: BundledModels.digits)
    sample = try BundledModels.path(of: BundledModels.digitSamples[4])
  }

  /// A console whose folder has a model and an image that are not known to be bundled.
  private func console() throws -> CapturedConsole {
    let console = CapturedConsole()
    try console.put(try InputFile.bytes(at: digits), "mine.tflite")
    try console.put(try InputFile.bytes(at: digits), "model.bytes")
    try console.put(try InputFile.bytes(at: sample), "cat.png")
    return console
  }

  @Test(arguments: ["label", "detect"])
  func `images without a model are looked at by the bundled one, with a warning`(
    command: String
  ) throws {
    let console = try console()
    #expect(console.run("\(command) DIR/cat.png") == 0)
    #expect(console.errors.hasPrefix("warning: no model is given, and the bundled one "))
    #expect(console.errors.contains("\nhint: 'martlet \(command) MODEL IMAGE…' uses another\n"))
    #expect(console.text.contains(" (bundled)\n"))
  }

  @Test func `bundled images beside the bundled model are no cause for a warning`() {
    for line in ["label", "label \(sample)"] {
      let console = CapturedConsole()
      #expect(console.run(line) == 0)
      #expect(console.errors == "")
    }
  }

  @Test(arguments: ["label", "detect"])
  func `a model without images is an error of usage`(command: String) throws {
    let console = try console()
    if command == "detect" {
      let localizer = try BundledModels.path(of: BundledModels.localizer)
      try console.put(try InputFile.bytes(at: localizer), "mine.tflite")
    }
    #expect(console.run("\(command) DIR/mine.tflite") == 64)
    #expect(console.errors.hasPrefix("error: no image beside the model \(console.folder)/mine"))
    #expect(console.errors.contains("\nhint: 'martlet \(command) MODEL IMAGE…' names what"))
    #expect(console.text == "")
  }

  @Test func `a model that has the samples beside it looks at them`() {
    let console = CapturedConsole()
    #expect(console.run("label \(digits.replacing("_int8", with: "_uint8")) --top 1") == 0)
    #expect(console.text.contains("images: the bundled samples\n"))
  }

  @Test(arguments: ["DIR/cat.png DIR/mine.tflite", "DIR/model.bytes DIR/cat.png"])
  func `a model is found in any place, and by its content`(words: String) throws {
    let console = try console()
    #expect(console.run("label \(words) --json --top 1") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["bundled_model"] == false)
    #expect(document["images"]?.array?.count == 1)
    #expect(console.errors == "")
  }

  @Test(arguments: ["label", "detect", "eval"])
  func `two models are an error of usage`(command: String) throws {
    let console = try console()
    #expect(console.run("\(command) DIR/mine.tflite DIR/model.bytes DIR/cat.png") == 64)
    #expect(console.errors.hasPrefix("error: two models, \(console.folder)/mine.tflite and "))
  }

  @Test func `a model that is measured on bundled images is told`() throws {
    let console = try console()
    #expect(console.run("eval DIR/mine.tflite") == 0)
    #expect(console.errors.hasPrefix("warning: no images are given, and the bundled digits"))
  }

  @Test func `a report is of the model that is named, or of none`() {
    let console = CapturedConsole()
    #expect(console.run("report DIR/none -o DIR/r.html") == 66)
    #expect(console.errors.contains("\(console.folder)/none)"))
    #expect(Folder.kind(of: console.folder + "/r.html") == nil)
  }
}
