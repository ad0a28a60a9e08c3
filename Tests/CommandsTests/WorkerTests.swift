// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import Foundation
import JSONDocuments
import TestSupport
import Testing

/// Martlet worker.
@Suite struct WorkerTests {
  private static let four = BundledModels.digitSamples[4]

  @Test func `images at paths are labeled as by martlet label`() throws {
    let alone = CapturedConsole()
    #expect(alone.run("label --json") == 0)
    let expected = try #require(try JSON(parsing: alone.output)["images"]?.array)
    let console = CapturedConsole()
    #expect(console.work("", try WorkerRecords.digits(10)) == 0)
    let answers = try console.answers
    #expect(answers.count == 10)
    for (number, answer) in answers.enumerated() {
      #expect(answer["id"] == .integer(number))
      #expect(answer["labels"] == expected[number]["labels"])
      #expect(answer["timing_ms"]?.number ?? 0 > 0)
      #expect(
        answer.members?.map(\.key) == ["id", "labels", "model_sha256", "timing_ms"])
    }
    #expect(console.errors.hasPrefix("10 records, ") && console.errors.hasSuffix(", 0 failed\n"))
  }

  @Test func `the digest is the model file's, timing can be left out`() throws {
    let console = CapturedConsole()
    #expect(console.work("--no-timing", try WorkerRecords.digits(1)) == 0)
    let model = try BundledModels.path(of: BundledModels.digits)
    let printed = CapturedConsole()
    #expect(printed.run("verify \(model) --fill zeros --record DIR/case --json") == 0)
    let golden = try JSON(parsing: try InputFile.bytes(at: "\(printed.folder)/case/case.json"))
    let digest = try #require(golden["model_sha256"]?.string)
    #expect(digest.count == 64)
    #expect(try console.answers[0]["model_sha256"] == .string(digest))
    #expect(try console.answers[0].members?.map(\.key) == ["id", "labels", "model_sha256"])
  }

  @Test func `images in the record, identifiers of every kind`() throws {
    let path = try BundledModels.path(of: Self.four)
    let image = Data(try InputFile.bytes(at: path)).base64EncodedString()
    let ids: [JSON?] = [
      "a \u{1F600} \"quoted\"", 7, .number(0.5), .integer(Int.max), "", nil,
    ]
    let console = CapturedConsole()
    let records = ids.map { JSON.record(["id": $0, "image_base64": .string(image)]) }
    #expect(console.work("--top 1", records) == 0)
    #expect(try console.answers.map { $0["id"] } == ids.dropLast() + [.integer(6)])
    for answer in try console.answers {
      #expect(answer["labels"]?.array?.map { $0["label"]?.string } == ["4"])
    }
  }

  @Test func `detection finds what martlet detect finds`() throws {
    let image = try BundledModels.path(of: BundledModels.localizerSamples[0])
    let classifier = try BundledModels.path(of: BundledModels.digits)
    for options in ["", "--max 1 --threshold 0.2", "--classifier \(classifier) --top 2"] {
      let alone = CapturedConsole()
      let model = try BundledModels.path(of: BundledModels.localizer)
      #expect(alone.run("detect \(model) \(image) --json \(options)") == 0)
      let console = CapturedConsole()
      #expect(
        console.work("--task detect \(options)", [WorkerRecords.image("x", image)]) == 0)
      let objects = try #require(try console.answers.first?["objects"])
      #expect(objects.array?.isEmpty == false)
      #expect(objects == (try JSON(parsing: alone.output))["images"]?.array?[0]["objects"])
    }
  }

  @Test func `models, manifests, labels and thresholds may be given`() throws {
    let console = CapturedConsole()
    let model = try BundledModels.path(of: BundledModels.digits)
    let image = try BundledModels.path(of: Self.four)
    try console.put(try InputFile.bytes(at: model), "m.tflite")
    try console.put(Array((0...9).map { "digit \($0)\n" }.joined().utf8), "dict.txt")
    try console.put(
      Array(
        #"{"modelType": "IMAGE_LABELING", "modelFile": "m.tflite", "labelsFile": "dict.txt"}"#.utf8
      ), "manifest.json")
    for options in ["-m DIR/manifest.json", "--model DIR/m.tflite --labels DIR/dict.txt"] {
      #expect(console.work(options, [WorkerRecords.image(nil, image)]) == 0)
      #expect(try console.answers.last?["labels"]?.array?.first?["label"] == "digit 4")
    }
    #expect(console.work("--threshold 1.5", [WorkerRecords.image(nil, image)]) == 0)
    #expect(try console.answers.last?["labels"] == [])
  }

  @Test(arguments: [
    ("--shard 4/4", "'4/4' for '--shard', wanted i/n with i from 0 to n - 1"),
    ("--shard x", "'x' for '--shard', wanted i/n with i from 0 to n - 1"),
    ("--jobs 0", "'0' for '--jobs', wanted a number from 1 to 1024"),
    ("--task run", "--task run without --model"),
    ("--model -", "--model - beside records, which come from standard input"),
    ("--anchors ssd", "--anchors beside --task label, which has no use for it"),
    ("--task run --top 3", "--top beside --task run, which has no use for it"),
    ("--task detect --signature x", "--signature beside --task detect, which has no use for it"),
    ("--max-line-bytes 0", "'0' for '--max-line-bytes', wanted a number from 1 to 2147483648"),
  ])
  func `command lines that make no sense are refused`(options: String, message: String) {
    let console = CapturedConsole()
    #expect(console.run("worker \(options)") == 64)
    #expect(console.errors.hasPrefix("error: \(message) (martlet worker)\n"), "\(console.errors)")
    #expect(console.text == "")
  }

  @Test func `models that cannot be used are the command's error`() throws {
    let console = CapturedConsole()
    #expect(console.work("-m DIR/none.tflite", try WorkerRecords.digits(1)) == 66)
    try console.put([1, 2, 3], "bad.tflite")
    #expect(console.work("-m DIR/bad.tflite", try WorkerRecords.digits(1)) == 65)
    #expect(console.work("-m \(Goldens.add)/model.tflite", try WorkerRecords.digits(1)) == 65)
    #expect(console.text == "")
  }

  @Test func `the summary is a document if wanted`() throws {
    let console = CapturedConsole()
    #expect(console.work("--json --keep-going", lines: ["{"] + ["", "  \t\r", "[]"]) == 0)
    let summary = try JSON(parsing: Array(console.errors.utf8))
    #expect(summary["schema"] == "martlet/worker/1")
    #expect(summary["records"] == 2 && summary["failed"] == 2)
    #expect(try console.answers.map { $0["id"] } == [1, 4])
  }
}
