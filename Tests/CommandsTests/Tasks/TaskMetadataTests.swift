// SPDX-License-Identifier: Apache-2.0

import BundledModels
import FileAccess
import JSONDocuments
import Martlet
import Testing

/// Metadata that `martlet metadata add` writes for tasks other than labels and boxes: commands
/// answer as they did with the metadata of others, or with options.
@Suite struct TaskMetadataTests {
  /// The answers of a command about the model in a file.
  private func answers(
    _ console: CapturedConsole, _ line: String, _ member: String
  ) throws -> [JSON] {
    let run = CapturedConsole()
    #expect(
      run.run(line.replacing("DIR", with: console.folder) + " --json") == 0, "\(run.errors)")
    return try JSON(parsing: run.output)[member]?.array ?? []
  }

  /// Writes the model with and without its metadata, adds it with options, and checks the result.
  private func added(
    _ model: SmallTaskModel, task: String, _ options: String
  ) throws -> CapturedConsole {
    let console = CapturedConsole()
    try model.put("told.tflite", console)
    try model.bare.put("bare.tflite", console)
    for file in model.files { try console.put(Array(file.text.utf8), file.name) }
    let line = "metadata add DIR/bare.tflite -o DIR/added.tflite --task \(task) \(options)"
    #expect(console.run(line) == 0, "\(console.errors)")
    let check = CapturedConsole()
    #expect(check.run("check \(console.folder)/added.tflite --task \(task) --json") == 0)
    let checked = try JSON(parsing: check.output)["models"]?.array?.first
    #expect(checked?["findings"]?.array == [], "\(check.text)")
    #expect(checked?["fits"]?.array?.first?["task"]?.string == task)
    return console
  }

  private func silence(_ console: CapturedConsole) throws {
    // 0.1 s of 16-bit samples at 16 kHz: a saw.
    var bytes = Array("RIFF".utf8) + [0xA4, 0x0C, 0, 0] + Array("WAVEfmt ".utf8)
    bytes += [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0]
    bytes += Array("data".utf8) + [0x80, 0x0C, 0, 0]
    for index in 0..<1600 { bytes += [UInt8(index % 251), UInt8(index % 64)] }
    try console.put(bytes, "saw.wav")
  }

  @Test func `sounds: the rate and the labels`() throws {
    let console = try added(
      .sound(), task: "listen", "--sample-rate 16000 --labels DIR/labels.txt")
    try silence(console)
    let told = try answers(console, "listen DIR/told.tflite DIR/saw.wav", "sounds")
    #expect(told.first?["windows"]?.array?.count == 4)
    #expect(try answers(console, "listen DIR/added.tflite DIR/saw.wav", "sounds") == told)
    let options = "--model-rate 16000 --labels DIR/labels.txt"
    #expect(try answers(console, "listen DIR/bare.tflite DIR/saw.wav \(options)", "sounds") == told)
  }

  @Test func `texts: a tokenizer by regular expression`() throws {
    let console = try added(
      .words(), task: "read",
      "--delimiter [^a-z]+ --vocabulary DIR/vocab.txt --labels DIR/labels.txt")
    let told = try answers(console, "read DIR/told.tflite good", "texts")
    #expect(told.first?["labels"]?.array?.first?["label"]?.string == "positive")
    #expect(try answers(console, "read DIR/added.tflite good", "texts") == told)
  }

  @Test func `questions: word pieces, and the names of inputs and outputs`() throws {
    let console = try added(.answers(), task: "answer", "--vocabulary DIR/vocab.txt")
    let told = try answers(console, "read DIR/told.tflite blue --question sky", "texts")
    #expect(told.first?["answers"]?.array?.first?["answer"]?.string == "blue")
    #expect(try answers(console, "read DIR/added.tflite blue --question sky", "texts") == told)
    let show = CapturedConsole()
    #expect(show.run("metadata show \(console.folder)/added.tflite --json") == 0)
    let graph = try JSON(parsing: show.output)["metadata"]?["subgraphs"]?.array?.first
    #expect(
      graph?["inputs"]?.array?.map { $0["name"]?.string } == ["ids", "mask", "segment_ids"])
    #expect(graph?["input_process_units"]?.array?.count == 1)
  }

  @Test func `masks: normalization, labels and what makes confidences`() throws {
    let image = try BundledModels.path(of: BundledModels.digitSamples[3])
    let console = try added(
      .pixels(isSegmenter: true), task: "segment",
      "--mean 127.5 --std 127.5 --labels DIR/labels.txt --activation softmax")
    let told = try answers(console, "segment DIR/told.tflite \(image)", "images")
    #expect(told.first?["categories"]?.array?.isEmpty == false)
    #expect(try answers(console, "segment DIR/added.tflite \(image)", "images") == told)
    // The document by its schema: a table with the number 2 for softmax.
    let model = try Model(path: "\(console.folder)/added.tflite")
    let custom = try model.metadata()?.subgraphs.first?.customMetadata.first
    #expect(custom?.name == "SEGMENTER_METADATA")
    #expect(Array(custom?.data.dropFirst(4).prefix(4) ?? []) == Array("V001".utf8))
  }

  @Test func `images of images: the range of the numbers`() throws {
    let image = try BundledModels.path(of: BundledModels.digitSamples[3])
    let console = try added(
      .pixels(isSegmenter: false), task: "transform",
      "--mean 127.5 --std 127.5 --output-range signed")
    for name in ["told", "added"] {
      let run = CapturedConsole()
      let line = "transform \(console.folder)/\(name).tflite \(image)"
      #expect(run.run("\(line) --output \(console.folder)/\(name).png") == 0, "\(run.errors)")
    }
    #expect(
      try InputFile.bytes(at: "\(console.folder)/told.png")
        == InputFile.bytes(at: "\(console.folder)/added.png"))
  }

  @Test func `detectors: labels, names, groups and the order of outputs`() throws {
    let image = try BundledModels.path(of: BundledModels.digitSamples[3])
    let console = try added(
      .boxes(), task: "detect",
      "--mean 127.5 --std 127.5 --outputs tf1 --labels DIR/labels.txt --score-threshold 0.25")
    let told = try answers(console, "detect DIR/told.tflite \(image)", "pictures")
    #expect(try answers(console, "detect DIR/added.tflite \(image)", "pictures") == told)
    let graph = try Model(path: "\(console.folder)/added.tflite").metadata()?.subgraphs.first
    #expect(graph?.outputGroups.first?.tensorNames == ["location", "category", "score"])
  }

  @Test func `vectors have names and no labels`() throws {
    let console = CapturedConsole()
    try SmallTaskModel.classes().bare.put("bare.tflite", console)
    try console.put(Array("a\nb\nc\n".utf8), "labels.txt")
    let line = "metadata add DIR/bare.tflite -o DIR/x.tflite --task embed --mean 0 --std 255"
    #expect(console.run("\(line) --labels DIR/labels.txt") == 65)
    #expect(console.run("\(line) --output-name embedding") == 0)
    let inspection = CapturedConsole()
    #expect(inspection.run("inspect \(console.folder)/x.tflite --json") == 0)
    let fits = try JSON(parsing: inspection.output)["fits"]?.array
    #expect(fits?.map { $0["task"]?.string } == ["embed"])
  }

  @Test(arguments: [
    ("--task listen", 65), ("--sample-rate 0", 64),
    ("--task listen --sample-rate 8000 --mean 1", 64),
    ("--task read --vocabulary DIR/labels.txt", 65), ("--delimiter x", 64),
    ("--delimiter x --sentence-piece DIR/labels.txt", 64),
    ("--sentence-piece DIR/labels.txt", 65), ("--task answer --vocabulary DIR/labels.txt", 65),
    ("--task label --activation softmax", 64), ("--task segment --output-range bytes", 64),
    ("--task segment --labels DIR/labels.txt", 65), ("--task fly", 64),
  ])
  func `what does not fit the model is refused, and nothing is written`(
    options: String, code: Int32
  ) throws {
    let console = CapturedConsole()
    try SmallTaskModel.classes().bare.put("bare.tflite", console)
    try console.put(Array("a\nb\n".utf8), "labels.txt")
    #expect(
      console.run("metadata add DIR/bare.tflite -o DIR/x.tflite \(options)") == code,
      "\(console.errors)")
    #expect(Folder.kind(of: "\(console.folder)/x.tflite") == nil)
  }
}
