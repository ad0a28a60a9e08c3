// SPDX-License-Identifier: Apache-2.0

import BundledModels
import CommandCore
import Commands
import FileAccess
import Foundation
import ModelCommands
import TestSupport
import Testing

/// Commands can be read in a terminal of 60 columns.
@Suite struct NarrowOutputTests {
  /// Command lines for each command that prints text for a reader; MODEL stands for a bundled model,
  /// FLOAT for one with floats, IMAGE for an image, DIR for an empty folder.
  static let lines = [
    "run MODEL --fill random", "run FLOAT --input IMAGE", "inspect MODEL",
    "inspect MODEL --tensors --memory", "inspect MODEL --tree", "check MODEL",
    "check MODEL --for mlkit-labeler", "check MODEL --for mediapipe", "trace MODEL --fill random",
    "trace FLOAT --fill random", "compare MODEL --fill random", "compare FLOAT --fill random",
    "compare FLOAT MODEL --input IMAGE --isolated --all", "compare FLOAT MODEL --input IMAGE",
    "compare FLOAT MODEL --input IMAGE --bisect --fail-on snr<50",
    "compare MODEL --fill random --all",
    "explain MODEL --fill random --tensor 30 --at 0,0,0,0",
    "explain MODEL --fill random --tensor 25 --at 0,3,3,7 --all --recompute",
    "explain FLOAT --fill random --tensor 30 --at 0,0,0,0",
    "bench MODEL --runs 1 --warmup 0 --profile", "bench FLOAT --runs 2 --profile --top all",
    "extract MODEL --all --output-dir DIR/parts", "extract MODEL --node 2 --output DIR/a.tflite",
    "extract MODEL --all --record --fill random --output-dir DIR/cases",
    "report MODEL --fill random --output DIR/report.html", "verify GOLDENS", "verify DIR/cases",
    "preprocess MODEL IMAGE --output-dir DIR/input", "image info IMAGE", "label",
    "label MODEL IMAGE", "detect", "detect IMAGE", "eval", "ops", "ops CAST CONV_2D",
    "ops TFLite_Detection_PostProcess", "metadata show MODEL",
    "publish MODEL --name a_model --project p --output DIR/host",
    "embed MODEL IMAGE IMAGE", "embed MODEL IMAGE --add DIR/index",
  ]

  static let models = [BundledModels.digits, BundledModels.localizer]

  /// The words of a line for a model, and the folders that paths in its output begin with.
  static func words(_ line: String, _ model: String) throws -> String {
    let goldens = CourseChapter.root + "/Models/digits/goldens/int8"
    let path = try BundledModels.path(of: model)
    return line.replacing("MODEL", with: path)
      .replacing("FLOAT", with: path.replacing("_int8", with: "_float32"))
      .replacing("IMAGE", with: try BundledModels.path(of: BundledModels.digitSamples[3]))
      .replacing("GOLDENS", with: goldens)
  }

  /// Whether a line is wider than a narrow terminal, and not because of a path, a long name or a
  /// command to be copied, which are never broken.
  ///
  /// A path or name has a line of its own, or stands beside a few short words: `wrote PATH`.
  static func isWide(_ line: Substring) -> Bool {
    guard line.count > String.narrowLineLength, !line.hasPrefix("        martlet ") else {
      return false
    }
    let words = line.split(separator: " ")
    let long = words.filter { $0.count > 40 || $0.contains("/") }
    return long.count != 1 || words.count > 4
  }

  @Test(arguments: models, lines)
  func `lines fit a narrow terminal`(model: String, line: String) throws {
    let console = CapturedConsole()
    // What a line needs of another.
    if line == "verify DIR/cases" {
      console.run(
        try Self.words("extract MODEL --all --record --fill random --output-dir DIR/cases", model))
    }
    // Some do not suit this model, and print an error instead, which is one line.
    let code = console.run(try Self.words(line, model))
    #expect([0, 1, 64, 65, 66].contains(code))
    let notes = console.errors.split(separator: "\n")
      .filter { !$0.hasPrefix("error: ") && !$0.hasPrefix("hint: ") }
    let wide = (console.text.split(separator: "\n") + notes).filter(Self.isWide)
    #expect(wide.isEmpty, "\(line) prints\n\(wide.joined(separator: "\n"))")
    if model == BundledModels.digits {
      #expect(code == 0 || code == 1, "\(line): \(console.errors)")
    }
  }

  @Test func `every command is tried`() {
    let tried = Set(Self.lines.map { String($0.prefix { $0 != " " }) })
    let documents = ["worker", "fetch", "help"] + TaskCommandTests.commands
    let commands = MartletCommand.root.subcommands.map(\.name)
    #expect(commands.filter { !tried.contains($0) && !documents.contains($0) } == [])
  }

  @Test(arguments: [
    "inspect DIR/m.tflite --tensors", "inspect DIR/m.tflite --tree --depth 3",
    "check DIR/m.tflite --for mlkit-labeler", "compare DIR/m.tflite --fill random --all",
    "explain DIR/m.tflite --fill random --tensor 30 --at 0,0,0,0", "label DIR/m.tflite DIR/i.png",
    "preprocess DIR/m.tflite DIR/i.png -o DIR/o", "report DIR/m.tflite -o DIR/r.html --fill zeros",
    "extract DIR/m.tflite --node 2 -o DIR/a.tflite", "verify DIR/case", "image info DIR/i.png",
    "metadata show DIR/m.tflite", "publish DIR/m.tflite --project p --output DIR/host",
    "verify DIR/wrong",
  ])
  func `where lines are broken does not depend on the length of paths`(line: String) throws {
    let root = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: root) }
    let texts = try ["s", String(repeating: "long_name_", count: 4)].map { name in
      let console = CapturedConsole()
      let folder = "\(root)/\(name)"
      for part in ["", "/case", "/wrong"] { try Folder.create(at: folder + part) }
      func copy(_ path: String, _ copied: String) throws {
        try OutputFile.write(try InputFile.bytes(at: path), to: "\(folder)/\(copied)")
      }
      try copy(try BundledModels.path(of: BundledModels.digits), "m.tflite")
      try copy(try BundledModels.path(of: BundledModels.digitSamples[3]), "i.png")
      for (part, output) in [("case", "out_0.npy"), ("wrong", "in_0.npy")] {
        try copy(Goldens.add + "/model.tflite", "\(part)/model.tflite")
        try copy(Goldens.add + "/in_0.npy", "\(part)/in_0.npy")
        try copy(Goldens.add + "/in_1.npy", "\(part)/in_1.npy")
        try copy(Goldens.add + "/\(output)", "\(part)/out_0.npy")
      }
      console.run(line.replacing("DIR", with: folder))
      #expect(!console.text.isEmpty, "\(console.errors)")
      return console.text.replacing(folder, with: "DIR")
    }
    #expect(texts[0] == texts[1])
  }

  private static let longWord = String(repeating: "n", count: 70)
  private static let pairs = [String](repeating: "ab", count: 15).joined(separator: "  ")

  private static let narrowedTexts: [(String, String)] = [
    ("short", "short"), ("", ""),
    (
      "  a line of words that is longer than a narrow terminal, by a few words",
      "  a line of words that is longer than a narrow terminal, by\n      a few words"
    ),
    (
      longWord + "  has a line",
      longWord + "\n    has a line"
    ),
    (
      "  kernel  two words, and then some more of them  (as many words as fit)",
      "  kernel  two words, and then some more of them\n      (as many words as fit)"
    ),
    (
      "one\n\(pairs)  ab  c",
      "one\n\(pairs)\n    ab  c"
    ),
    (
      "a shape that is refused for it has other sides, as 1 × 224 × 224 × 3",
      "a shape that is refused for it has other sides, as\n    1 × 224 × 224 × 3"
    ),
  ]

  @Test(arguments: narrowedTexts)
  func `long lines go on below`(text: String, lines: String) {
    #expect(text.narrow == lines)
  }

  @Test(arguments: [
    ("y = x + b", ["y = x + b"]),
    ("i = σ(W x + b),  g = tanh(W x + R h + b)", ["i = σ(W x + b),", "g = tanh(W x + R h + b)"]),
    (
      "of box 6, not above 0.5: 1.25 / (0.5 + 2.5)",
      ["of box 6, not above 0.5:", "  1.25 / (0.5 + 2.5)"]
    ),
    ("0.12433189 × 0.36567935 + 0.68614674", ["0.12433189 × 0.36567935", "  + 0.68614674"]),
    (
      "centers = (a + b) · scale of an anchor",
      ["centers", "  = (a + b)", "    · scale of an anchor"]
    ),
    ("exp(0.09520463347435 × 0.3656793534)", ["exp(0.09520463347435", "  × 0.3656793534)"]),
    (
      "sum over\n                x[r, c] · w[o, i, j, k]",
      ["sum over", "    x[r, c] · w[o, i, j, k]"]
    ),
    ("Loop<Nest, Convolution<Int8, Int8>>", ["Loop<Nest,", "  Convolution<Int8, Int8>>"]),
  ])
  func `formulas are broken between their terms`(formula: String, lines: [String]) {
    #expect(FormulaText(width: 28).lines(formula) == lines)
  }

  @Test func `long names lose their middle, and columns stand closer, before lines are wide`() {
    let name = String(repeating: "n", count: 40) + "end"
    let table = TextTable(
      [["node", "name", "bytes"], ["1", name, String(repeating: "7", count: 30)]], left: [0, 1],
      shortening: [1])
    #expect(
      table.rowTexts == [
        "node  name\(String(repeating: " ", count: 45))bytes",
        "1     \(String(repeating: "n", count: 11))…\(String(repeating: "n", count: 7))end  "
          + String(repeating: "7", count: 30),
      ])
    let close = TextTable([Array(repeating: "seven77", count: 7)])
    #expect(
      close.fits && close.text == Array(repeating: "seven77", count: 7).joined(separator: " "))
    #expect(!TextTable([Array(repeating: "eight888", count: 7)]).fits)
  }
}
