// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import JSONDocuments
import Npy
import Tensors
import TestSupport
import Testing

/// Martlet run.
@Suite struct RunTests {
  private let model = Goldens.add + "/model.tflite"

  private func expectGolden(_ folder: String) throws {
    let output = try NpyArray(contentsOf: folder + "/out_0.npy")
    let expected = try NpyArray(contentsOf: Goldens.add + "/out_0.npy")
    #expect(output.agreement(with: expected).isAgreement)
  }

  @Test func `files give the inputs in the model's order, outputs are stored`() throws {
    let console = CapturedConsole()
    let inputs = "--input \(Goldens.add)/in_0.npy --input \(Goldens.add)/in_1.npy"
    #expect(console.run("run \(model) \(inputs) --output-dir DIR/a/b") == 0)
    try expectGolden(console.folder + "/a/b")
    #expect(try Folder.names(in: console.folder + "/a/b") == ["out_0.npy"])
  }

  @Test(arguments: ["optimized", "reference"])
  func `both kernel sets agree with the golden case`(name: String) throws {
    let console = CapturedConsole()
    let inputs = "-i \(Goldens.add)/in_0.npy -i \(Goldens.add)/in_1.npy"
    #expect(console.run("run \(model) \(inputs) -o DIR --kernels \(name)") == 0)
    #expect(console.errors.hasPrefix("\(name) kernels, double rounding, 1 thread, "))
    try expectGolden(console.folder)
  }

  /// A model of one node, whose output the model gives `count` times.
  private func modelOfOutputs(_ count: Int) -> [UInt8] {
    var model = DrawnModel.chain(1)
    model.graphs[0].outputs = Array(repeating: 1, count: count)
    return model.bytes
  }

  @Test func `a thousand outputs are shown, the rest is counted`() throws {
    let console = CapturedConsole()
    try console.put(modelOfOutputs(1003), "m.tflite")
    #expect(console.run("run DIR/m.tflite --fill zeros") == 0, "\(console.errors)")
    #expect(console.text.contains("output 999\n"))
    #expect(console.text.hasSuffix("… and 3 more outputs: --output-dir stores them all\n"))
  }

  @Test func `documents list so many outputs that they can be read`() throws {
    let console = CapturedConsole()
    try console.put(modelOfOutputs(1003), "m.tflite")
    #expect(console.run("run DIR/m.tflite --fill zeros --json") == 0)
    #expect(try JSON(parsing: console.output)["outputs"]?.array?.count == 1003)
    try console.put(modelOfOutputs(300_000), "m.tflite")
    #expect(console.run("run DIR/m.tflite --fill zeros --json") == 65)
    #expect(console.errors.contains("300000 outputs, more than the 262144 that --json lists"))
  }

  @Test func `an archive gives inputs by name or by position`() throws {
    let first = try NpyArray(contentsOf: Goldens.add + "/in_0.npy")
    let second = try NpyArray(contentsOf: Goldens.add + "/in_1.npy")
    let console = CapturedConsole()
    #expect(console.run("run \(model) --fill zeros --json") == 0)
    for names in [["arr_0", "arr_1"], try inputNames()] {
      let archive = NpzArchive([(names[1], second), (names[0], first)])
      try console.put(try archive.encoded(), "in.npz")
      #expect(console.run("run \(model) --input DIR/in.npz -o DIR/out") == 0)
      try expectGolden(console.folder + "/out")
    }
  }

  private func inputNames() throws -> [String] {
    let console = CapturedConsole()
    console.run("run \(model)")
    let parts = console.errors.split(separator: "'")
    return [String(parts[1]), String(parts[3])]
  }

  @Test func `names give inputs in any order, raw files too`() throws {
    let names = try inputNames()
    let console = CapturedConsole()
    try console.put(try NpyArray(contentsOf: Goldens.add + "/in_1.npy").bytes, "second.raw")
    let inputs = "-i \(names[1])=DIR/second.raw -i \(names[0])=\(Goldens.add)/in_0.npy"
    #expect(console.run("run \(model) \(inputs) -o DIR") == 0)
    try expectGolden(console.folder)
  }

  @Test func `an array of another shape resizes its input`() throws {
    let console = CapturedConsole()
    try NpyArray([Float(1), 2, 3], shape: [1, 3]).write(to: console.folder + "/a.npy")
    try NpyArray([Float(10), 20, 30], shape: [1, 3]).write(to: console.folder + "/b.npy")
    #expect(console.run("run \(model) -i DIR/a.npy -i DIR/b.npy -o DIR") == 0)
    let output = try NpyArray(contentsOf: console.folder + "/out_0.npy")
    #expect(output.shape == [1, 3])
    #expect(output.values(as: Float.self) == [11, 22, 33])
  }

  @Test func `the document names what was computed and its values`() throws {
    let console = CapturedConsole()
    let names = try inputNames()
    let shapes = names.map { "--resize \($0)=1x2" }.joined(separator: " ")
    #expect(console.run("run \(model) --fill ones --json \(shapes) --threads 2") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/run/1")
    #expect(document["kernels"] == "optimized")
    #expect(document["rounding"] == "double")
    #expect(document["threads"] == 2)
    let output = document["outputs"]?.array?.first
    #expect(output?["type"] == "FLOAT32")
    #expect(output?["shape"] == [1, 2])
    #expect(output?["values"] == [.number(2), .number(2)])
    #expect(console.errors == "")
  }

  @Test func `random values depend on the seed alone`() throws {
    func output(_ options: String) throws -> [UInt8] {
      let console = CapturedConsole()
      #expect(console.run("run \(model) --fill random -o DIR \(options)") == 0)
      return try NpyArray(contentsOf: console.folder + "/out_0.npy").bytes
    }
    #expect(try output("") == output("--seed 0"))
    #expect(try output("--seed 1") != output("--seed 0"))
  }

  @Test func `the model and an input may come from standard input`() throws {
    let console = CapturedConsole()
    console.input = try InputFile.bytes(at: model)
    #expect(console.run("run - --fill zeros") == 0)
    console.input = try InputFile.bytes(at: Goldens.add + "/in_0.npy")
    #expect(console.run("run \(model) -i - -i \(Goldens.add)/in_1.npy -o DIR") == 0)
    try expectGolden(console.folder)
  }

  @Test func `all tensors of the run are stored`() throws {
    let console = CapturedConsole()
    #expect(console.run("run \(model) --fill ones --keep-all -o DIR") == 0)
    let names = try Folder.names(in: console.folder)
    #expect(names.count == 2)
    #expect(names[1].hasPrefix("tensor_"))
  }

  @Test func `values that do not fit are refused`() throws {
    let console = CapturedConsole()
    let names = try inputNames()
    try NpyArray([Int32(1)]).write(to: console.folder + "/a.npy")
    try console.put([1, 2, 3], "b.raw")
    try console.put([1, 2, 3], "c.npy")
    try console.put(Array("PK\u{3}\u{4}".utf8), "d.npz")
    func error(_ input: String) -> String {
      let console = CapturedConsole()
      #expect(console.run("run \(model) --fill zeros --input \(input)") == 65)
      return console.errors
    }
    let folder = console.folder
    #expect(
      error("\(folder)/a.npy")
        == "error: type int32 for a tensor of FLOAT32, input '\(names[0])' (\(folder)/a.npy)\n")
    #expect(error("\(folder)/b.raw").hasPrefix("error: 3 bytes for input '\(names[0])' of FLOAT32"))
    #expect(
      error("\(folder)/c.npy")
        == "error: not an npy file: wrong magic number (\(folder)/c.npy, byte 0)\n")
    #expect(
      error("\(folder)/d.npz")
        == "error: no npz file: not a zip archive, or cut off (\(folder)/d.npz)\n")
  }

  @Test func `wrong inputs are errors of usage`() throws {
    let names = try inputNames()
    let file = Goldens.add + "/in_0.npy"
    for (line, error) in [
      ("", "no values for input '\(names[0])', '\(names[1])' (martlet run)"),
      ("-i \(file)", "no values for input '\(names[1])' (martlet run)"),
      ("-i \(file) -i \(file) -i \(file)", "3 input files for 2 inputs (martlet run)"),
      ("-i nobody=\(file)", "no input 'nobody' (martlet run)"),
      ("--resize nobody=1", "no input 'nobody' (martlet run)"),
      (
        "-i \(names[0])=\(file) -i \(names[0])=\(file)",
        "input '\(names[0])' is given twice (martlet run)"
      ),
      ("--signature main", "no signature 'main' in \(model) (martlet run)"),
    ] {
      let console = CapturedConsole()
      #expect(console.run("run \(model) \(line)") == 64, "\(line)")
      #expect(console.errors.hasPrefix("error: \(error)\nhint: "), "\(console.errors)")
    }
  }

  @Test func `files that are no models are refused`() throws {
    let console = CapturedConsole()
    try console.put(Array("PK\u{3}\u{4}zip archive".utf8), "zip.tflite")
    try console.put(Array(try InputFile.bytes(at: model).prefix(100)), "short.tflite")
    for (path, code, error) in [
      ("zip.tflite", 65, "error: not a TensorFlow Lite model but a zip archive ("),
      ("short.tflite", 65, "error: "), ("", 65, "error: cannot read: Is a directory ("),
      ("none.tflite", 66, "error: cannot read: No such file or directory ("),
      ("zip.tflite/x", 66, "error: cannot read: Not a directory ("),
    ] {
      let other = CapturedConsole()
      #expect(other.run("run \(console.folder)/\(path)") == Int32(code), "\(path)")
      #expect(other.errors.hasPrefix(error), "\(other.errors)")
      #expect(other.errors.hasSuffix(")\n"))
      #expect(other.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `an image is prepared as the metadata says`() throws {
    let model = try BundledModels.path(of: BundledModels.digits)
    for (digit, name) in BundledModels.digitSamples.enumerated() {
      let console = CapturedConsole()
      let image = try BundledModels.path(of: name)
      #expect(console.run("run \(model) -i \(image) -o DIR") == 0)
      let output = try NpyArray(contentsOf: console.folder + "/out_0.npy")
      let scores = try #require(output.values(as: Int8.self))
      #expect(scores.firstIndex(of: scores.max() ?? 0) == digit)
    }
    let console = CapturedConsole()
    let image = try BundledModels.path(of: BundledModels.digitSamples[0])
    #expect(console.run("run \(self.model) --fill zeros -i \(image)") == 65)
    #expect(console.errors.contains("error: the input takes no image: "))
  }

  @Test func `strings that nobody gives are empty`() throws {
    let console = CapturedConsole()
    let model = Goldens.path("RESHAPE/str_operand") + "/model.tflite"
    guard Folder.kind(of: model) == .file else { return }
    #expect(console.run("run \(model) --json") == 0)
    let output = try JSON(parsing: console.output)["outputs"]?.array?.first
    #expect(output?["type"] == "STRING")
    #expect(output?["values"]?.array?.allSatisfy { $0 == "" } == true)
  }

  @Test func `what cannot be written is told, and an older output stays`() throws {
    let console = CapturedConsole()
    try console.put([1], "file")
    #expect(console.run("run \(model) --fill zeros -o DIR/file") == 74)
    #expect(
      console.errors.hasSuffix(
        "error: cannot make folder: Not a directory (\(console.folder)/file)\n")
    )
    #expect(try InputFile.bytes(at: console.folder + "/file") == [1])
  }
}
