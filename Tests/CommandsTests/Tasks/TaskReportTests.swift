// SPDX-License-Identifier: Apache-2.0

import BundledModels
import FileAccess
import JSONDocuments
import Testing

/// What `martlet report` shows of tasks other than labels and boxes.
@Suite struct TaskReportTests {
  /// The page about a model, and its document.
  private func report(
    _ model: SmallTaskModel, _ options: String, files: [(String, [UInt8])] = []
  ) throws -> (page: String, document: JSON) {
    let console = CapturedConsole()
    try model.put("m.tflite", console)
    for (name, bytes) in files { try console.put(bytes, name) }
    let line = "report DIR/m.tflite -o DIR/r.html --json \(options)"
    #expect(console.run(line) == 0, "\(console.errors)")
    let page = try InputFile.bytes(at: "\(console.folder)/r.html")
    return (String(decoding: page, as: UTF8.self), try JSON(parsing: console.output))
  }

  @Test func `categories of pixels`() throws {
    let image = try BundledModels.path(of: BundledModels.digitSamples[3])
    let (page, document) = try report(.pixels(isSegmenter: true), "--image \(image)")
    #expect(document["answer"]?["task"]?.string == "segment")
    let rows = document["answer"]?["tables"]?.array?.first?["rows"]?.array ?? []
    let picture = document["picture"]
    let all = (picture?["width"]?.integer ?? 0) * (picture?["height"]?.integer ?? 0)
    // Each pixel of the image has one of the three categories.
    let pixels = rows.compactMap { row in row.array?[1].string.flatMap { Int($0) } }
    #expect(all > 0 && pixels.reduce(0, +) == all)
    #expect(page.contains("Categories in the image"))
    #expect(!page.contains("http://") && !page.contains("src=\"http"))
  }

  @Test func `images of images`() throws {
    let image = try BundledModels.path(of: BundledModels.digitSamples[3])
    let (page, document) = try report(.pixels(isSegmenter: false), "--image \(image)")
    #expect(document["answer"]?["task"]?.string == "transform")
    #expect(page.contains("What the model makes of the image"))
  }

  @Test func `sounds: windows, classes and their scores over time`() throws {
    var bytes = Array("RIFF".utf8) + [0xA4, 0x0C, 0, 0] + Array("WAVEfmt ".utf8)
    bytes += [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0]
    bytes += Array("data".utf8) + [0x80, 0x0C, 0, 0]
    for index in 0..<1600 { bytes += [0, UInt8(index / 400 * 30)] }
    let (page, document) = try report(.sound(), "--sound DIR/s.wav", files: [("s.wav", bytes)])
    let answer = document["answer"]
    #expect(answer?["milliseconds"]?.array?.compactMap(\.integer) == [0, 25, 50, 75])
    let scores = answer?["classes"]?.array?.first?["scores"]?.array?.compactMap(\.number) ?? []
    // The scores are the logistic function of the samples, which have 30 · 256 · step of 32768.
    for (step, score) in scores.enumerated() {
      let sample = Double(30 * 256 * step) / 32768
      #expect(abs(score - 1 / (1 + (1 / Self.exponential(sample)))) < 1e-5)
    }
    #expect(scores.count == 4)
    #expect(page.contains("aria-label=\"Scores of classes over time\""))
  }

  /// The exponential function by its series.
  private static func exponential(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for index in 1..<30 {
      term *= x / Double(index)
      sum += term
    }
    return sum
  }

  @Test func `texts: tokens and classes, and no markup of theirs`() throws {
    let (page, document) = try report(.words(), "--text good<b>bad")
    let tables = document["answer"]?["tables"]?.array ?? []
    let tokens = tables.last?["rows"]?.array?.compactMap { $0.array?[1].string }
    #expect(tokens == ["good", "b", "bad"])
    #expect(page.contains("good&lt;b&gt;bad"))
    #expect(!page.contains("good<b>bad"))
  }

  @Test func `questions and their answers`() throws {
    let (_, document) = try report(.answers(), "--text blue --question sky")
    let rows = document["answer"]?["tables"]?.array?.first?["rows"]?.array
    #expect(rows?.first?.array?.first?.string == "blue")
  }

  @Test(arguments: [
    ("--text a --sound x.wav", 64), ("--question a", 64), ("--text a --fill ones", 64),
    ("--sound none.wav", 66), ("--sound DIR/m.tflite", 65), ("--text a", 65),
  ])
  func `what the model does not take is refused`(options: String, code: Int32) throws {
    let console = CapturedConsole()
    try SmallTaskModel.classes().put("m.tflite", console)
    #expect(
      console.run("report DIR/m.tflite -o DIR/r.html \(options)") == code, "\(console.errors)")
  }
}
