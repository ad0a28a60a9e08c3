// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import JSONDocuments
import Martlet
import TestSupport
import Testing

/// Martlet extract.
@Suite struct ExtractTests {
  private let digits: String
  private let image: String

  init() throws {
    digits = try BundledModels.path(of: BundledModels.digits)
    image = try BundledModels.path(of: BundledModels.digitSamples[3])
  }

  @Test func `every node becomes a model with a golden case that agrees`() throws {
    let console = CapturedConsole()
    #expect(
      console.run("extract \(digits) --all --output-dir DIR/parts --record -i \(image)") == 0)
    #expect(console.errors == "")
    let model = try Model(path: digits)
    let nodes = model.file.subgraphs[0].nodes
    let files = try Folder.names(in: "\(console.folder)/parts").filter { $0.hasSuffix(".tflite") }
    #expect(files.count == nodes.count && files[0] == "000_CONV_2D.tflite")
    let check = CapturedConsole()
    #expect(check.run("verify \(console.folder)/parts --json") == 0)
    let document = try JSON(parsing: check.output)
    #expect(document["cases"]?.integer == nodes.count)
    #expect(document["exact"]?.integer == nodes.count)
    let settings = try JSON(
      parsing: try InputFile.bytes(at: "\(console.folder)/parts/000_CONV_2D/case.json"))
    #expect(settings["model"] == "../000_CONV_2D.tflite")
    #expect(settings["source"] == "digits_int8.tflite" && settings["source_nodes"] == [0])
  }

  @Test func `one node, several, and the part between tensors`() throws {
    let console = CapturedConsole()
    #expect(console.run("extract \(digits) --nodes 0,2-3 -o DIR/some.tflite --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/extract/1")
    let part = try #require(document["parts"]?.array?.first)
    #expect(part["nodes"] == [0, 2, 3] && part["operators"]?.array?.count == 3)
    let some = try Model(path: "\(console.folder)/some.tflite")
    #expect(some.file.subgraphs[0].nodes.count == 3)
    #expect(
      some.file.description == "subgraph 0, nodes 0, 2-3, cut from \(Folder.lastName(of: digits))")
    let input = try Model(path: digits).file.subgraphs[0].inputs[0]
    let name = try Model(path: digits).file.subgraphs[0].tensors[input].name
    let whole = CapturedConsole()
    #expect(whole.run("extract \(digits) --inputs \(name) -o DIR/all.tflite") == 0)
    #expect(whole.text.contains("subgraph 0, nodes 0-"))
    let (old, new) = (CapturedConsole(), CapturedConsole())
    let options = "--fill random --seed 3 --json"
    #expect(old.run("run \(digits) \(options)") == 0)
    #expect(new.run("run \(whole.folder)/all.tflite \(options)") == 0)
    let values = [old, new].map { try? JSON(parsing: $0.output)["outputs"]?.array?[0]["values"] }
    #expect(values[0] != nil && values[0] == values[1])
  }

  @Test func `distinct nodes of an operator`() throws {
    func files(_ options: String) throws -> [String] {
      let console = CapturedConsole()
      #expect(console.run("extract \(digits) --all --output-dir DIR/p \(options)") == 0)
      return try Folder.names(in: "\(console.folder)/p")
    }
    let convolutions = try files("--operator CONV_2D")
    #expect(convolutions.count > 1 && convolutions.allSatisfy { $0.hasSuffix("_CONV_2D.tflite") })
    let all = try files("")
    let unique = try files("--unique")
    #expect(unique.count <= all.count && Set(unique).isSubset(of: all))
  }

  @Test(arguments: [
    ("-o DIR/x", "nothing to extract"), ("--node 0", "missing '--output'"),
    ("--node 0 --all --output-dir DIR", "only one of"), ("--all -o DIR/x", "--all without"),
    ("--node 99 -o DIR/x", "no node 99: subgraph 0 has"),
    ("--nodes 0-9999999999 -o DIR/x", "no node 9999999999"),
    ("--nodes 3-1 -o DIR/x", "'3-1' for '--nodes'"), ("--nodes 1, -o DIR/x", "'1,' for '--nodes'"),
    ("--node -1 -o DIR/x", "wanted a number"), ("--unique --node 0 -o DIR/x", "--unique and"),
    ("--node 0 --subgraph 4 -o DIR/x", "no subgraph 4: the model has 1"),
    ("--outputs nothing -o DIR/x", "no tensor 'nothing'"),
    ("--all --operator NOTHING --output-dir DIR", "no node is chosen"),
    ("--node 0 --record -o DIR/x", "no values for input"),
    ("--node 0 --record -o -", "--record beside"),
  ])
  func `command lines that name no part`(options: String, reason: String) throws {
    let console = CapturedConsole()
    #expect(console.run("extract \(digits) \(options)") == 64)
    #expect(console.errors.contains(reason), "\(console.errors)")
    #expect(try Folder.names(in: console.folder).isEmpty)
  }

  @Test func `an output that needs more than the inputs names the tensor`() throws {
    let graph = try Model(path: digits).file.subgraphs[0]
    let last = try #require(graph.nodes.last?.outputs.first)
    let unrelated = try #require(graph.nodes.first { !$0.outputs.contains(last) }?.outputs.first)
    let console = CapturedConsole()
    // The first node's output stands for what is behind it; what a second branch needs is missing.
    #expect(
      console.run("extract \(Goldens.add)/model.tflite --inputs 0 --outputs 2 -o DIR/x") == 64)
    #expect(console.errors.contains("tensor 1 "), "\(console.errors)")
    #expect(console.errors.contains("no given input or constant provides it"))
    let other = CapturedConsole()
    #expect(
      other.run("extract \(digits) --inputs \(last) --outputs \(unrelated) -o DIR/x") == 64)
    #expect(other.errors.contains("is needed"))
  }
}
