// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import Foundation
import JSONDocuments
import Martlet
import TestSupport
import Testing

/// Martlet metadata.
@Suite struct MetadataCommandTests {
  private static let digits = Goldens.folder + "/../../Models/digits"
  private static let model = digits + "/digits_float32.tflite"

  private func document(_ console: CapturedConsole, _ file: String) throws -> JSON {
    let other = CapturedConsole()
    #expect(other.run("metadata show \(console.folder)/\(file) --json") == 0)
    return try JSON(parsing: other.output)
  }

  /// The digits without metadata, as `bare.tflite`.
  private func bare() throws -> CapturedConsole {
    let console = CapturedConsole()
    #expect(console.run("metadata strip \(Self.model) -o DIR/bare.tflite") == 0)
    #expect(console.text == "")
    return console
  }

  @Test func `every bundled model names its license, which packages state`() throws {
    let folder = Goldens.folder + "/../../Models"
    let files = try #require(FileManager.default.enumerator(atPath: folder))
    let models = files.compactMap { $0 as? String }.filter { $0.hasSuffix(".tflite") }
    #expect(models.count >= 9)
    for model in models {
      let console = CapturedConsole()
      #expect(console.run("metadata show \(folder)/\(model) --json") == 0)
      let license = try JSON(parsing: console.output)["metadata"]?["license"]
      #expect(license == "Apache-2.0", "\(model)")
    }
  }

  @Test func `a model's own metadata is shown`() throws {
    let console = CapturedConsole()
    #expect(console.run("metadata show \(Self.model)") == 0)
    for part in [
      "metadata\n  name: Martlet digits\n", "\n  license: Apache-2.0\n",
      "\n  input 0: picture, image rgb, mean 0.0, std 255.0, ", ", labels labels.txt",
      "\nfiles\n  labels.txt  20 B, 10 lines\n", "\n  min_runtime_version  16 B, 1.",
    ] {
      #expect(console.text.contains(part), "\(part)")
    }
    let json = CapturedConsole()
    #expect(json.run("metadata show \(Self.model) --json") == 0)
    let document = try JSON(parsing: json.output)
    #expect(document["schema"] == "martlet/metadata/1")
    #expect(document["entries"]?.array?.first?["name"] == "min_runtime_version")
  }

  @Test func `what is added is shown, and the model computes the same`() throws {
    let console = try bare()
    try console.put(Array("{}".utf8), "license.txt")
    let line = "metadata add DIR/bare.tflite -o DIR/x.tflite --name Digits --author Me"
    let options = " --license MIT --version 2 --description Ten --file DIR/license.txt"
    let image = " --input-name photo --mean 1,2,3 --std 4 --score-threshold 0.5"
    let labels = " --labels \(Self.digits)/labels.txt --locale en"
    #expect(console.run(line + options + image + labels) == 0)
    #expect(console.errors == "")
    let metadata = try #require(try document(console, "x.tflite")["metadata"])
    for (key, value) in [
      ("name", "Digits"), ("author", "Me"), ("license", "MIT"), ("version", "2"),
      ("description", "Ten"), ("minimum_parser_version", "1.0.0"),
    ] {
      #expect(metadata[key] == .string(value))
    }
    let graph = metadata["subgraphs"]?.array?.first
    let input = graph?["inputs"]?.array?.first
    #expect(input?["name"] == "photo")
    #expect(input?["content"] == "image rgb")
    #expect(input?["process_units"]?.array?.first?["mean"]?.array?.map(\.number) == [1, 2, 3])
    #expect(input?["process_units"]?.array?.first?["std"]?.array?.map(\.number) == [4, 4, 4])
    let output = graph?["outputs"]?.array?.first
    #expect(output?["name"] == "probability")
    #expect(output?["files"]?.array?.first?["locale"] == "en")
    #expect(output?["process_units"]?.array?.first?["threshold"] == .number(0.5))

    var outputs: [JSON?] = []
    for file in ["bare", "x"] {
      let run = CapturedConsole()
      #expect(run.run("run \(console.folder)/\(file).tflite --fill random --json") == 0)
      outputs.append(try JSON(parsing: run.output)["outputs"])
    }
    #expect(outputs[0] == outputs[1])
    #expect(console.run("metadata strip DIR/x.tflite -o DIR/again.tflite") == 0)
    #expect(
      try InputFile.bytes(at: console.folder + "/again.tflite")
        == InputFile.bytes(at: console.folder + "/bare.tflite"))
  }

  @Test func `what is extracted can be added again`() throws {
    let console = try bare()
    #expect(console.run("metadata extract \(Self.model) --output-dir DIR/out") == 0)
    #expect(
      console.text == "\(console.folder)/out/labels.txt\n\(console.folder)/out/metadata.json\n")
    let add = "metadata add DIR/bare.tflite -o DIR/x.tflite --json-file DIR/out/metadata.json"
    #expect(console.run(add) == 0)
    let (old, new) = (CapturedConsole(), try document(console, "x.tflite"))
    #expect(old.run("metadata show \(Self.model) --json") == 0)
    let expected = try JSON(parsing: old.output)
    #expect(new["metadata"] == expected["metadata"])
    #expect(new["files"] == expected["files"])
  }

  @Test func `--json says what was written`() throws {
    let console = CapturedConsole()
    #expect(console.run("metadata add \(Self.model) -o DIR/x.tflite --name N --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/metadata/1")
    #expect(document["output"] == .string("\(console.folder)/x.tflite"))
    #expect(document["metadata"]?["name"] == "N")
    #expect(document["metadata"]?["author"] == "Martlet contributors")
  }

  static let bad: [(json: String, location: String)] = [
    (#"{"schema": "martlet/run/1"}"#, "schema"), (#"{"schema": "martlet/metadata/1"}"#, "metadata"),
    (#"{"schema": "martlet/metadata/1", "metadata": {"nam": 1}}"#, "metadata"),
    (#"{"schema": "martlet/metadata/1", "metadata": {"name": 1}}"#, "metadata.name"),
    (
      #"{"schema": "martlet/metadata/1", "metadata": {"name": "a", "name": "b"}}"#, "metadata"
    ),
    (
      #"""
      {"schema": "martlet/metadata/1", "metadata": {"subgraphs": [{"inputs":
      [{"process_units": [{"kind": "normalization", "mean": ["x"]}]}]}]}}
      """#, "metadata.subgraphs[0].inputs[0].process_units[0].mean[0]"
    ),
    (
      #"{"schema": "martlet/metadata/1", "metadata": {"files": [{"name": "x", "kind": "y"}]}}"#,
      "metadata.files[0].kind"
    ),
  ]

  @Test(arguments: bad)
  func `a document that is none is refused with the member's location`(
    json: String, location: String
  ) throws {
    let console = CapturedConsole()
    try console.put(Array(json.utf8), "m.json")
    #expect(
      console.run("metadata add \(Self.model) -o DIR/x.tflite --json-file DIR/m.json") == 65)
    #expect(console.errors.contains("m.json, \(location))\n"), "\(console.errors)")
    #expect(Folder.kind(of: console.folder + "/x.tflite") == nil)
  }

  @Test func `files that are named but missing or lead elsewhere are refused`() throws {
    for (name, words) in [("gone.txt", "is not there"), ("../x", "no path inside a folder")] {
      let console = CapturedConsole()
      let json = """
        {"schema": "martlet/metadata/1",
         "metadata": {"files": [{"name": "\(name)", "kind": "file"}]}}
        """
      try console.put(Array(json.utf8), "m.json")
      try console.put([1], "x.tflite")
      #expect(
        console.run("metadata add \(Self.model) -o DIR/x.tflite --json-file DIR/m.json") == 65)
      #expect(console.errors.contains(words), "\(console.errors)")
      #expect(try InputFile.bytes(at: console.folder + "/x.tflite") == [1])
    }
  }

  /// A zip archive of one stored file without contents, behind other bytes.
  private func archive(_ names: [String]) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var (local, central): ([UInt8], [UInt8]) = ([], [])
    for name in names {
      let sizes = [UInt8](repeating: 0, count: 22) + bytes(name.utf8.count, 2) + bytes(0, 2)
      central += bytes(0x0201_4b50, 4) + bytes(20, 2) + sizes + [UInt8](repeating: 0, count: 10)
      central += bytes(local.count, 4) + name.utf8
      local += bytes(0x0403_4b50, 4) + sizes + name.utf8
    }
    let counts = bytes(names.count, 2) + bytes(names.count, 2)
    return local + central + bytes(0x0605_4b50, 4) + bytes(0, 4) + counts
      + bytes(central.count, 4) + bytes(local.count, 4) + bytes(0, 2)
  }

  static let hostile: [[String]] = [
    ["../evil"], ["/evil"], ["good", "a/../../evil"], ["a\\evil"], ["a\0b"], ["a", "a/b"],
    ["metadata.json"], ["metadata.json/x"], ["./metadata.json"],
  ]

  @Test(arguments: hostile)
  func `archives with names that lead elsewhere write nothing`(names: [String]) throws {
    let console = try bare()
    let model = try InputFile.bytes(at: console.folder + "/bare.tflite")
    try console.put(model + archive(names), "m.tflite")
    #expect(console.run("metadata extract DIR/m.tflite --output-dir DIR/out/in") == 65)
    #expect(console.errors.hasPrefix("error: "))
    #expect(Folder.kind(of: console.folder + "/out") == nil)
    // They are no part of the model, which is rid of them.
    #expect(console.run("metadata strip DIR/m.tflite -o DIR/m.tflite") == 0)
    #expect(try InputFile.bytes(at: console.folder + "/m.tflite") == model)
  }

  @Test func `files in folders are extracted into folders, folders themselves are not files`()
    throws
  {
    let console = try bare()
    let model = try InputFile.bytes(at: console.folder + "/bare.tflite")
    try console.put(model + archive(["a/", "a/b.txt", "c", "c"]), "m.tflite")
    #expect(console.run("metadata extract DIR/m.tflite --output-dir DIR/out") == 0)
    #expect(Folder.kind(of: console.folder + "/out/a/b.txt") == .file)
    #expect(try Folder.names(in: console.folder + "/out") == ["a", "c", "metadata.json"])
  }

  static let usage: [(String, Int32)] = [
    ("add MODEL", 64), ("strip MODEL", 64), ("extract MODEL", 64), ("show", 64),
    ("add MODEL -o DIR/x --locale de", 64), ("add MODEL -o DIR/x --default-score 1", 64),
    ("add MODEL -o DIR/x --mean a", 64), ("add MODEL -o - --json", 64),
    ("add MODEL -o DIR/x --mean 1 --std 0", 65), ("add MODEL -o DIR/x --labels LABELS2", 65),
    ("add MODEL -o DIR/x --json-file DIR/none.json", 66), ("show DIR/none.tflite", 66),
    ("strip LABELS2 -o DIR/x", 65), ("add MODEL -o DIR/no/x --name n", 74),
  ]

  @Test(arguments: usage)
  func `what cannot be done ends with the code for it`(line: String, code: Int32) throws {
    let console = CapturedConsole()
    try console.put(Array("a\nb\n".utf8), "two.txt")
    let words = line.replacing("MODEL", with: Self.model)
      .replacing("LABELS2", with: "\(console.folder)/two.txt")
    #expect(console.run("metadata \(words)") == code, "\(console.errors)")
    #expect(Folder.kind(of: console.folder + "/x") == nil)
    #expect(console.errors.hasPrefix("error: "))
  }
}
