// SPDX-License-Identifier: Apache-2.0

import Commands
import JSONDocuments
import Npy
import TestSupport
import Testing

/// Martlet compare.
@Suite struct CompareTests {
  private static let models = Goldens.folder + "/../../Models/digits"
  private static let quantized = models + "/digits_int8.tflite"
  private static let float = models + "/digits_float32.tflite"

  @Test func `one model is computed by both kinds of kernels unless something else is said`() throws
  {
    let console = CapturedConsole()
    #expect(console.run("compare \(Self.quantized) --fill random --bisect") == 0)
    let lines = console.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("A  ") && lines[0].hasSuffix("int8.tflite"))
    #expect(lines[1].hasPrefix("   reference kernels"))
    #expect(lines[2].hasPrefix("B  ") && lines[3].hasPrefix("   optimized kernels"))
    #expect(
      console.text.hasSuffix("\n\nno difference beyond the tolerance\nno node errs by itself\n"))
    #expect(console.errors == "")
  }

  @Test func `the document has every tensor, and what was found`() throws {
    let console = CapturedConsole()
    let line = "compare \(Self.float) \(Self.quantized) --fill random --isolated --bisect --json"
    #expect(console.run(line) == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/compare/1")
    #expect(document["mode"] == "isolated")
    #expect(document["a"]?["model"] == .string(Self.float))
    #expect(document["b"]?["kernels"] == "optimized" && document["b"]?["threads"] == 1)
    #expect(document["unpaired"] == 0 && document["failures"] == [])
    let tensors = try #require(document["tensors"]?.array)
    #expect(tensors.count == 17)
    #expect(tensors[0]["type"] == "INT8" && tensors[0]["reference"]?["type"] == "FLOAT32")
    for key in ["max_abs", "mse", "snr", "psnr", "cosine", "kl", "differing", "elements"] {
      #expect(tensors[3]["isolated"]?[key]?.number != nil, "\(key)")
      #expect(tensors[3]["cumulative"]?[key]?.number != nil, "\(key)")
    }
    #expect(tensors[3]["isolated"]?["max_quanta"] == nil)
    #expect(document["first_difference"]?["node"] == 0)
    #expect(document["culprit"]?["node"] == 0 && document["culprit"]?["confirmed"] == true)
    #expect(document["worst"]?["operator"]?.string != nil)
  }

  @Test func `broken limits end in 1 and are named`() throws {
    let console = CapturedConsole()
    let line = "compare \(Self.float) \(Self.quantized) --fill random"
    #expect(console.run("\(line) --fail-on snr<-100 --fail-on max_quanta>0") == 0)
    #expect(!console.text.contains("failed: "))
    #expect(console.run("\(line) --fail-on differing>0 --fail-on cosine<-2") == 1)
    #expect(console.text.contains("\nfailed: differing>0.0: node 0 CONV_2D: "))
    #expect(!console.text.contains("failed: cosine"))
  }

  @Test func `a trace is the reference wherever it stands, and brings the inputs`() throws {
    let console = CapturedConsole()
    #expect(
      console.run("trace \(Self.quantized) --fill random --seed 5 -o DIR/t.npz --json") == 0)
    let loop = Goldens.path("WHILE/i32_rounds_7") + "/model.tflite"
    #expect(console.run("trace \(loop) --fill zeros -o DIR/loop.npz --json") == 0)
    for line in [
      "\(Self.quantized) DIR/t.npz", "DIR/t.npz \(Self.quantized) --kernels reference --isolated",
      "DIR/loop.npz \(loop) --bisect",
    ] {
      let console2 = CapturedConsole()
      let arguments = line.replacing("DIR", with: console.folder)
      #expect(console2.run("compare \(arguments)") == 0)
      #expect(console2.text.hasPrefix("A  \(console.folder)/"))
      #expect(console2.text.contains("no difference beyond the tolerance"))
      #expect(!console2.text.contains("have one to compare with"))
    }
  }

  @Test func `a value that another engine would not have is traced to its node`() throws {
    let console = CapturedConsole()
    #expect(console.run("trace \(Self.quantized) --fill random -o DIR/t.npz --json") == 0)
    let file = try NpzFile(contentsOf: console.folder + "/t.npz")
    // Node 6 writes tensor 30, which node 7 reads.
    let arrays = try file.names.map { name in
      let array = try #require(try file.array(name))
      guard name.hasPrefix("s0.0.t30.") else { return (name: name, array: array) }
      var bytes = array.bytes
      bytes[17] ^= 1
      return (name: name, array: try NpyArray(array.elementType, array.shape, bytes: bytes))
    }
    try console.put(try NpzArchive(arrays).encoded(), "other.npz")
    let console2 = CapturedConsole()
    #expect(
      console2.run("compare \(console.folder)/other.npz \(Self.quantized) --bisect --json") == 0)
    let document = try JSON(parsing: console2.output)
    #expect(document["culprit"]?["node"] == 6)
    let tensors = try #require(document["tensors"]?.array)
    #expect(tensors[6]["isolated"]?["differing"] == 1)
    #expect(tensors[6]["isolated"]?["max_quanta"] == 1)
    #expect(tensors[6]["isolated"]?["worst_element"]?["position"] == 17)
    #expect(tensors[7]["isolated"] == nil && tensors[7]["cumulative"]?["differing"] == 0)
  }

  static let wrongLines: [(String, Int32)] = [
    ("\(quantized)", 64), ("\(quantized) --kernels reference --fill zeros", 64),
    ("\(quantized) --kernels fast --fill zeros", 64),
    ("\(quantized) --kernels reference,optimized,reference --fill zeros", 64),
    ("\(quantized) --isolated --cumulative --fill zeros", 64),
    ("\(quantized) --fail-on snr --fill zeros", 64), ("\(quantized) DIR/none.npz", 66),
    ("\(quantized) \(models)/none.tflite --fill zeros", 66), ("a.npz b.npz", 64),
    ("a.npz", 64), ("\(quantized) a.npz --kernels reference,optimized", 64),
    ("\(quantized) DIR/text.npz", 65), ("\(quantized) DIR/other.npz", 64),
    ("\(quantized) DIR/other.npz --fill zeros", 65),
    ("\(quantized) \(Goldens.add)/model.tflite --fill zeros", 65),
  ]

  @Test(arguments: wrongLines)
  func `what is wrong is told`(line: String, code: Int32) throws {
    let console = CapturedConsole()
    try console.put(Array("no archive".utf8), "text.npz")
    let arrays = [(name: "x", array: try NpyArray([Float(1)]))]
    try console.put(try NpzArchive(arrays).encoded(), "other.npz")
    #expect(console.run("compare \(line)") == code)
    #expect(console.errors.hasPrefix("error: "), "\(console.errors)")
    #expect(console.text == "")
  }
}
