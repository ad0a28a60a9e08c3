// SPDX-License-Identifier: Apache-2.0

import BundledModels
import CommandCore
import Commands
import Foundation
import Testing

/// Commands can be read in a terminal of 60 columns.
@Suite struct NarrowOutputTests {
  /// Command lines for each command that prints text for a reader; MODEL stands for a bundled model,
  /// IMAGE for an image, DIR for an empty folder.
  static let lines = [
    "run MODEL --fill random", "inspect MODEL", "inspect MODEL --tensors --memory",
    "inspect MODEL --tree", "check MODEL", "check MODEL --for mlkit-labeler",
    "check MODEL --for mediapipe", "trace MODEL --fill random",
    "compare MODEL --fill random", "compare MODEL --fill random --all --isolated",
    "compare MODEL --fill random --all", "explain MODEL --fill random --tensor 30 --at 0",
    "explain MODEL --fill random --tensor 24 --at 0 --all",
    "bench MODEL --runs 1 --warmup 0 --profile", "extract MODEL --all --output-dir DIR/parts",
    "report MODEL --fill random --output DIR/report.html", "verify GOLDENS",
    "preprocess MODEL IMAGE --output-dir DIR/input", "image info IMAGE", "label", "detect", "eval",
    "ops", "publish MODEL --name a_model_of_the_host --output DIR/host",
  ]

  static let models = [BundledModels.digits, BundledModels.localizer]

  /// Whether a line is wider than a narrow terminal, and more than a long name behind a word.
  static func isWide(_ line: Substring) -> Bool {
    line.count > String.narrowLineLength && line.split(separator: " ").count > 2
  }

  @Test(arguments: models, lines)
  func `lines fit a narrow terminal`(model: String, line: String) throws {
    let console = CapturedConsole()
    let goldens = CourseChapter.root + "/Models/digits/goldens/int8"
    let words = line.replacing("MODEL", with: try BundledModels.path(of: model))
      .replacing("IMAGE", with: try BundledModels.path(of: BundledModels.digitSamples[3]))
      .replacing("GOLDENS", with: goldens)
    // Some do not suit this model, and print an error instead.
    guard [0, 1].contains(console.run(words)) else { return }
    let wide = console.text.split(separator: "\n").filter(Self.isWide)
    #expect(wide.isEmpty, "\(line) prints\n\(wide.joined(separator: "\n"))")
  }

  @Test func `every command is tried`() {
    let tried = Set(Self.lines.map { String($0.prefix { $0 != " " }) })
    let documents: Set = ["worker", "fetch", "help", "metadata"]
    let commands = MartletCommand.root.subcommands.map(\.name)
    #expect(commands.filter { !tried.contains($0) && !documents.contains($0) } == [])
  }

  @Test(arguments: [
    ("short", "short"), ("", ""),
    (
      "  a line of words that is longer than a narrow terminal, by a few words",
      "  a line of words that is longer than a narrow terminal, by\n      a few words"
    ),
    (
      String(repeating: "n", count: 70) + "  has a line",
      String(repeating: "n", count: 70) + "\n    has a line"
    ),
    (
      "  kernel  two words, and then some more of them  (as many words as fit)",
      "  kernel  two words, and then some more of them\n      (as many words as fit)"
    ),
    (
      "one\n" + String(repeating: "ab  ", count: 16) + "c",
      "one\n" + Array(repeating: "ab", count: 15).joined(separator: "  ") + "\n    ab  c"
    ),
  ])
  func `long lines go on below`(text: String, lines: String) {
    #expect(text.narrow == lines)
  }

  @Test func `columns that do not fit stand in lines below`() {
    let name = String(repeating: "n", count: 58)
    let table = TextTable(
      [
        ["node", "bytes", String(repeating: "x", count: 30), "count", "name"],
        ["1", "20", "y", "3", name], ["2", "", "", "", ""],
      ], left: [0, 4])
    let line = String(repeating: " ", count: 29)
    #expect(
      table.rowTexts == [
        "node  bytes  \(String(repeating: "x", count: 30))  count\n    name",
        "1        20  \(line)y      3\n    \(name)", "2",
      ])
  }
}
