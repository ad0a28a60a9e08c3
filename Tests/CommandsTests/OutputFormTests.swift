// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import ImageCodecs
import JSONDocuments
import ModelSchema
import Npy
import Tensors
import TestSupport
import Testing

/// The forms in which commands print what they found.
@Suite struct OutputFormTests {
  private let digits: String
  private let sample: String

  init() throws {
    digits = try BundledModels.path(of: BundledModels.digits)
    sample = try BundledModels.path(of: BundledModels.digitSamples[3])
  }

  private func rows(_ line: String, _ console: CapturedConsole = CapturedConsole()) -> [[String]] {
    #expect(console.run(line) == 0, "\(line)")
    return console.text.split(separator: "\n").map { row in
      row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func `labels, objects and metrics as comma-separated values`() throws {
    let labels = rows("label \(digits) \(sample) --csv --top 2")
    #expect(labels[0] == ["image", "output", "rank", "index", "label", "class_name", "score"])
    #expect(labels.count == 3 && labels[1].count == 7)
    #expect(labels[1][0] == sample && labels[1][2...5] == ["1", "3", "3", "3"])
    #expect(Double(labels[1][6]).map { $0 > 0.9 } == true)
    let scene = try BundledModels.path(of: BundledModels.localizerSamples[1])
    let objects = rows("detect \(scene) --csv")
    #expect(
      objects[0].count == 11 && objects[0][..<5] == ["image", "object", "index", "label", "score"])
    #expect(objects.count == 4 && objects.allSatisfy { $0.count == 11 })
    let metrics = rows("eval --csv")
    #expect(metrics[0] == ["metric", "value"] && metrics[1] == ["top1", "1.0"])
  }

  @Test func `fields with commas and quotes are quoted`() throws {
    let console = CapturedConsole()
    let labels = (0...9).map { $0 == 3 ? "three, \"drei\"\n" : "\($0)\n" }.joined()
    try console.put(Array(labels.utf8), "labels.txt")
    #expect(console.run("label \(digits) \(sample) --csv --top 1 --labels DIR/labels.txt") == 0)
    #expect(console.text.contains(",1,3,\"three, \"\"drei\"\"\",\"three, \"\"drei\"\"\",0.9"))
  }

  @Test(arguments: ["label", "detect", "eval"])
  func `only one form is printed`(command: String) {
    let console = CapturedConsole()
    #expect(console.run("\(command) --csv --json") == 64)
    #expect(console.errors.contains("--json beside --csv"))
  }

  @Test(arguments: ["label", "detect", "eval"])
  func `what is not a path fits 60 columns`(command: String) {
    let console = CapturedConsole()
    #expect(console.run(command) == 0)
    let lines = console.text.split(separator: "\n").filter { !$0.contains("/") }
    #expect(lines.count > 4 && lines.contains("optimized kernels, double rounding, 1 thread"))
    #expect(lines.allSatisfy { $0.count <= 60 })
  }

  /// Looking for the best of millions took a gigabyte.
  @Test(arguments: [(1_000_000, true), (1_000_001, false)])
  func `no list is shown by its best elements that is too long for classes`(
    length: Int, isList: Bool
  ) throws {
    var model = DrawnModel()
    let (input, output) = (model.tensor([1, length]), model.tensor([1, length]))
    model.graphs[0].inputs = [input]
    model.graphs[0].outputs = [output]
    model.node(.exp, [input], [output])
    let console = CapturedConsole()
    try console.put(model.bytes, "long.tflite")
    #expect(console.run("run DIR/long.tflite --fill zeros") == 0)
    #expect(console.text.contains("… and 999995 more") == isList)
    #expect(console.text.contains("[1, 1, 1, 1, 1, 1, 1, 1 …]") != isList)
  }

  @Test func `a classifier's output is shown by its best classes`() throws {
    let console = CapturedConsole()
    #expect(console.run("run \(digits) -i \(sample)") == 0)
    let lines = console.text.split(separator: "\n")
    #expect(lines[2].hasPrefix("  3  0.99") && lines.last == "  … and 5 more")
    let other = CapturedConsole()
    let labels = (0...9).map { "digit \($0)\n" }.joined()
    try other.put(Array(labels.utf8), "labels.txt")
    #expect(other.run("run \(digits) -i \(sample) --labels DIR/labels.txt") == 0)
    #expect(other.text.contains("\n  digit 3  0.99"))
  }

  @Test func `an output that is an image is offered as one, and written`() throws {
    let console = CapturedConsole()
    let model = Goldens.path("RESIZE_BILINEAR/f32_double") + "/model.tflite"
    #expect(console.run("run \(model) --fill random -o DIR/out") == 0)
    let output = try NpyArray(contentsOf: console.folder + "/out/out_0.npy")
    guard output.shape.rank == 4, [1, 3, 4].contains(output.shape[3]) else { return }
    #expect(console.errors.hasSuffix("hint: --image OUT.png writes output 0 as an image\n"))
    let written = CapturedConsole()
    #expect(written.run("run \(model) --fill random --image DIR/out.png --json") == 0)
    #expect(
      try JSON(parsing: written.output)["image"] == .string(written.folder + "/out.png"))
    let info = CapturedConsole()
    #expect(info.run("image info \(written.folder)/out.png --json") == 0)
    #expect(try JSON(parsing: info.output)["width"] == .integer(output.shape[2]))
  }

  @Test func `an output that is no image is refused as one`() {
    let console = CapturedConsole()
    #expect(console.run("run \(digits) -i \(sample) --image DIR/out.png") == 65)
    #expect(console.errors.contains("no output is an image"))
    #expect(console.run("run \(digits) -i \(sample) --image - --json") == 64)
  }

  @Test func `threads may be one for each processor`() throws {
    let console = CapturedConsole()
    #expect(console.run("run \(digits) -i \(sample) --threads auto --json") == 0)
    #expect(try JSON(parsing: console.output)["threads"]?.number ?? 0 >= 1)
    #expect(console.run("compare \(digits) -i \(sample) --threads auto") == 0)
    #expect(console.run("run \(digits) -i \(sample) --threads many") == 64)
    #expect(console.errors.contains("wanted a number from 1 to 1024, or auto"))
  }

  @Test func `what differs is listed behind the summary, all of it on request`() throws {
    let float = digits.replacing("_int8", with: "_float32")
    let console = CapturedConsole()
    #expect(console.run("compare \(float) \(digits) -i \(sample)") == 0)
    let lines = console.text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex { $0.hasPrefix("first difference: node 0 CONV_2D,") })
    let worst = try #require(lines.firstIndex { $0.hasPrefix("worst: node ") })
    let table = try #require(lines.firstIndex { $0.hasPrefix("node  operator") })
    #expect(first < worst && worst < table)
    #expect(lines.filter { !$0.contains("/") || $0.contains("%") }.allSatisfy { $0.count <= 60 })
    let equal = CapturedConsole()
    #expect(equal.run("compare \(digits) -i \(sample)") == 0)
    #expect(equal.text.hasSuffix("\n\nno difference beyond the tolerance\n"))
    let all = CapturedConsole()
    #expect(all.run("compare \(digits) -i \(sample) --all") == 0)
    #expect(all.text.split(separator: "\n").count { $0.hasSuffix("  1.000000   0") } == 17)
  }
}
