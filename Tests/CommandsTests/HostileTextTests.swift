// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import Formatting
import Foundation
import JSONDocuments
import TestSupport
import Testing

/// What comes from a file is shown, but does nothing to the terminal or page that shows it.
@Suite struct HostileTextTests {
  /// An escape sequence, one of a single C1 character, a change of direction, a line separator.
  private static let hostile = "\u{1B}]0;t\u{7}\u{9B}2J\u{202E}\u{2066}\u{2028}"

  /// The bundled model with a text of it replaced by one of the same length that begins with
  /// `words`.
  private static func model(_ text: String, by words: String) throws -> [UInt8] {
    var bytes = try InputFile.bytes(at: BundledModels.path(of: BundledModels.digits))
    let replaced = Array(text.utf8)
    let found = try #require(
      bytes.indices.dropLast(replaced.count).first { start in
        bytes[start] == replaced[0] && bytes[start..<start + replaced.count].elementsEqual(replaced)
      })
    let new = Array(words.utf8)
    try #require(new.count <= replaced.count)
    bytes.replaceSubrange(found..<found + new.count, with: new)
    return bytes
  }

  private static func actsOnTerminal(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0.actsOnText && $0 != "\n" && $0 != "\t" }
  }

  @Test(arguments: [
    "label DIR/m.tflite DIR/digit.png", "label DIR/m.tflite DIR/digit.png --json",
    "label --labels DIR/labels.txt",
    "label --labels DIR/labels.txt --json", "inspect DIR/m.tflite --tensors --memory",
    "inspect DIR/m.tflite --tree", "inspect DIR/m.tflite --json", "check DIR/m.tflite",
    "metadata show DIR/m.tflite", "metadata show DIR/m.tflite --json",
    "run DIR/m.tflite --fill zeros", "trace DIR/m.tflite --fill zeros",
    "bench DIR/m.tflite --runs 1 --profile", "explain DIR/m.tflite --fill zeros --tensor 0",
    "compare DIR/m.tflite --fill zeros", "metadata extract DIR/m.tflite --output DIR/out",
    "inspect DIR/identifier.tflite", "check DIR/identifier.tflite",
    "metadata show DIR/identifier.tflite", "report DIR/m.tflite --fill zeros --output DIR/r.html",
  ])
  func `texts of models and labels do nothing to a terminal`(line: String) throws {
    let console = CapturedConsole()
    try console.put(Self.model("Says which handwritten", by: Self.hostile), "m.tflite")
    try console.put(Self.model("M001", by: "\u{1B}[2J"), "identifier.tflite")
    let labels = (0..<10).map { "\($0)\(Self.hostile)" }.joined(separator: "\n")
    try console.put(Array(labels.utf8), "labels.txt")
    let sample = try InputFile.bytes(at: BundledModels.path(of: BundledModels.digitSamples[3]))
    try console.put(sample, "digit.png")
    console.run(line)
    #expect(Self.actsOnTerminal(console.text) == [], "\(console.text.debugDescription)")
    #expect(Self.actsOnTerminal(console.errors) == [], "\(console.errors.debugDescription)")
    if line.hasSuffix("--json") { _ = try JSON(parsing: console.output) }
    if line.hasPrefix("report") {
      let page = String(
        decoding: try InputFile.bytes(at: "\(console.folder)/r.html"), as: UTF8.self)
      #expect(Self.actsOnTerminal(page) == [])
    }
  }

  @Test func `texts keep what belongs to them`() {
    #expect("a\tb\nc é 猫 👩‍🚀 می‌خواهم".terminalText == "a\tb\nc é 猫 👩‍🚀 می‌خواهم")
    #expect("\u{1B}[31m\u{85}\u{202E}".terminalText == "\\u{1B}[31m\\u{0085}\\u{202E}")
    #expect(JSON.string("\u{202E}\u{9B}\u{E0001}").compactText == #""\u202e\u009b\udb40\udc01""#)
    #expect("\u{202E}<".xmlEscaped == "\u{FFFD}&lt;")
  }

  @Test(arguments: ["run DIR --fill zeros", "inspect DIR", "check DIR", "label DIR", "verify DIR"])
  func `a device is no model`(line: String) {
    let console = CapturedConsole()
    let clock = ContinuousClock()
    let start = clock.now
    let code = console.run(line.replacing("DIR", with: "/dev/zero"))
    #expect([65, 66].contains(code), "\(line): \(code)")
    #expect(console.errors.contains("/dev/zero"))
    #expect(clock.now - start < .seconds(2))
  }

  @Test func `a document lists no more values than a program can take`() throws {
    let console = CapturedConsole()
    try console.put(DrawnModel.filled(length: 1 << 23).bytes, "m.tflite")
    #expect(console.run("run DIR/m.tflite --fill zeros --json") == 65)
    #expect(console.errors.contains("--output-dir"))
    #expect(console.run("run DIR/m.tflite --fill ones") == 0)
    #expect(console.text.contains("min 1  max 1  mean 1"), "\(console.text)")
    for command in ["trace DIR/m.tflite", "compare DIR/m.tflite"] {
      #expect(console.run("\(command) --fill zeros") == 65)
      #expect(console.errors.contains("bytes of memory needed"), "\(console.errors)")
    }
  }

  /// The limit of 512 bytes is reached within the first answers.
  @Test(.enabled(if: MartletProcess.executable != nil, "the martlet executable is needed"))
  func `a worker whose output may not grow any more says so`() throws {
    let console = CapturedConsole()
    let image = try BundledModels.path(of: BundledModels.digitSamples[0])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let record = #"{"image": "\#(image)"}"#
    let lines = String(repeating: record + "\n", count: 200)
    try console.put(Array(lines.utf8), "records")
    process.arguments = [
      "-c",
      "ulimit -f 1; exec '\(try #require(MartletProcess.executable))' worker --keep-going "
        + "--output '\(console.folder)/answers' < '\(console.folder)/records'",
    ]
    process.environment = MartletProcess.environment
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 74)
    #expect(text.contains("File too large"), "\(text)")
  }
}
