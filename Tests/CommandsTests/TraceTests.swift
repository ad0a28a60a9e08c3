// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import JSONDocuments
import Npy
import TestSupport
import Testing

/// Martlet trace.
@Suite struct TraceTests {
  private static let digits = Goldens.folder + "/../../Models/digits/digits_int8.tflite"
  private static let loop = Goldens.path("WHILE/i32_rounds_7") + "/model.tflite"

  @Test func `the document has nodes and statistics, the file the values`() throws {
    let console = CapturedConsole()
    #expect(console.run("trace \(Self.digits) --fill random -o DIR/trace.npz --json") == 0)
    #expect(console.errors == "")
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/trace/1")
    #expect(document["kernels"] == "optimized")
    #expect(document["file"]?.string == console.folder + "/trace.npz")
    #expect(document["histogram_edges"]?.array?.count == 66)
    #expect(
      document["subgraphs"]
        == [["subgraph": 0, "name": "main", "invocations": 1, "recorded": 1]])
    let nodes = try #require(document["nodes"]?.array)
    #expect(nodes.count == 17)
    #expect(nodes[0]["operator"] == "CONV_2D" && nodes[0]["outputs"] == [24])
    #expect(try #require(nodes[0]["ms"]?.number) > 0)
    let tensors = try #require(document["tensors"]?.array)
    #expect(tensors.count == 18)
    #expect(tensors[0]["node"] == nil && tensors[1]["node"] == 0)
    #expect(tensors[1]["shape"] == [1, 16, 16, 24])
    let statistics = try #require(tensors[1]["statistics"])
    #expect(statistics["elements"] == 6144)
    let counts = try #require(statistics["histogram"]?["counts"]?.array)
    #expect(counts.compactMap(\.integer).reduce(0, +) == 6144)

    let file = try NpzFile(contentsOf: console.folder + "/trace.npz")
    #expect(file.names == tensors.compactMap { $0["array"]?.string })
  }

  @Test func `the text has two lines for each tensor, and says what is left out`() {
    let console = CapturedConsole()
    #expect(console.run("trace \(Self.loop) --fill zeros --invocations 2") == 0)
    let lines = console.text.split(separator: "\n")
    #expect(lines.count == 2 * (1 + 18) + 2 * 2)
    #expect(lines[9].hasPrefix("2:1     ADD"))
    #expect(lines[15].hasPrefix("2:0 #1  ADD"))
    #expect(lines[19].hasPrefix("node    ") && lines[28].hasPrefix("2:1  "))
    #expect(
      console.flowingText.contains("subgraph 1 ran 8 times, of which the first 2 are recorded"))
    #expect(console.errors == "optimized kernels, double rounding, 1 thread\n")
  }

  @Test func `the file may be standard output, and nothing else then`() throws {
    let console = CapturedConsole()
    #expect(console.run("trace \(Self.loop) --fill zeros -o -") == 0)
    #expect(try NpzFile(parsing: console.output).names.count == 2 + 8 * 3 + 7 * 4 + 2)
  }

  @Test(arguments: [
    ("", 64), ("--fill zeros --invocations 0", 64), ("--fill zeros -o DIR/no/trace.npz", 74),
    ("--fill zeros --signature nothing", 64), ("--fill zeros -o DIR", 74),
    ("--fill zeros -o - --json", 64),
  ])
  func `what is wrong is told`(options: String, code: Int32) throws {
    let console = CapturedConsole()
    #expect(console.run("trace \(Self.digits) \(options)") == code)
    #expect(console.errors.hasPrefix("error: "))
    #expect(console.text == "")
    #expect(try Folder.names(in: console.folder).isEmpty)
  }
}
