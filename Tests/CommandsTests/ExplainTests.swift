// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import JSONDocuments
import Npy
import Tensors
import TestSupport
import Testing

/// Martlet explain.
@Suite struct ExplainTests {
  private let digits: String
  private let image: String

  init() throws {
    digits = try BundledModels.path(of: BundledModels.digits)
    image = try BundledModels.path(of: BundledModels.digitSamples[3])
  }

  /// Tensors that nodes of an operator write, with their shapes.
  private func outputs(of name: String) throws -> [(tensor: Int, shape: [Int])] {
    let console = CapturedConsole()
    #expect(console.run("inspect \(digits) --tensors --json") == 0)
    let graph = try #require(
      try JSON(parsing: console.output)["subgraphs"]?.array?.first)
    let nodes = try #require(graph["nodes"]?.array)
    let tensors = try #require(graph["tensors"]?.array)
    return nodes.filter { $0["operator"]?.string == name || $0["name"]?.string == name }
      .compactMap { node in
        guard let tensor = node["outputs"]?.array?.first?.integer,
          let shape = tensors[tensor]["shape"]?.array
        else { return nil }
        return (tensor, shape.compactMap(\.integer))
      }
  }

  @Test func `a convolution's products, sum, multiplier and stored value`() throws {
    let output = try #require(try outputs(of: "CONV_2D").last)
    let at = output.shape.map { "\($0 / 2)" }.joined(separator: ",")
    let console = CapturedConsole()
    let line = "explain \(digits) --tensor \(output.tensor) --at \(at) -i \(image) --recompute"
    #expect(console.run("\(line) --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/explain/1")
    #expect(document["recomputation"]?["method"] == "steps")
    #expect(document["recomputation"]?["equal"] == true)
    let node = try #require(document["node"])
    #expect(node["operator"] == "CONV_2D")
    let terms = try #require(node["terms"]?.array)
    let steps = try #require(node["steps"]?.array)
    let products = terms.compactMap { $0["value"]?.integer }
    #expect(products.count == terms.count && products.count > 8)
    #expect(products.reduce(0, +) == steps.first?["value"]?.integer)
    #expect(steps.first?["name"] == "accumulator")
    #expect(node["bias"]?["input"] == 2)
    #expect(node["bias"]?["index"]?.array?.first == document["element"]?["index"]?.array?.last)
    #expect(steps.last?["value"] == document["element"]?["stored"])
    #expect(steps.contains { $0["name"] == "high product" && $0["value"]?.integer != nil })
    #expect(steps.contains { $0["significand"]?.integer != nil && $0["rounding"] == "double" })
    let files = node["sources"]?.array?.compactMap { $0["file"]?.string } ?? []
    #expect(
      files.contains("Sources/ReferenceKernels/Operators/Convolution/Conv2D.swift"))
    for term in terms {
      #expect(term["factors"]?.array?.count == 2)
      #expect(term["factors"]?.array?[0]["real"]?.number != nil)
    }
    let seen = CapturedConsole()
    #expect(seen.run(line) == 0)
    for part in [
      "CONV_2D", "y = clamp(zᵧ + m[c] · (Σ (x − zₓ)(w − z_w) + bias))", "Conv2D.swift",
      "more of \(terms.count), listed by --all", "accumulator", "high product", "zero point",
      "\nrecomputed: equal (from the numbers above)\n",
    ] {
      #expect(seen.text.contains(part), "\(part)")
    }
    let all = CapturedConsole()
    #expect(all.run("\(line) --all") == 0)
    #expect(!all.text.contains("listed by --all"))
    #expect(all.text.split(separator: "\n").count > terms.count)
  }

  @Test func `one rounding instead of two`() throws {
    let output = try #require(try outputs(of: "CONV_2D").first)
    let at = output.shape.map { "\($0 / 2)" }.joined(separator: ",")
    let console = CapturedConsole()
    let line = "explain \(digits) --tensor \(output.tensor) --at \(at) -i \(image)"
    #expect(console.run("\(line) --rounding single --recompute --json") == 0)
    let document = try JSON(parsing: console.output)
    let names = document["node"]?["steps"]?.array?.compactMap { $0["name"]?.string } ?? []
    #expect(names.contains("rounding") && !names.contains("high product"))
    #expect(document["recomputation"]?["equal"] == true)
  }

  @Test func `what no node computes`() throws {
    let console = CapturedConsole()
    let line = "explain \(digits) --tensor 0 --at 0,1,2,0 --fill ones --recompute"
    #expect(console.run("\(line) --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["origin"] == "input" && document["node"] == nil)
    #expect(document["recomputation"] == nil)
    #expect(document["element"]?["stored"]?.integer == 1)
    #expect(document["element"]?["flat_index"]?.integer == 3 * 34)
    let seen = CapturedConsole()
    #expect(seen.run(line) == 0)
    #expect(seen.text.contains("the caller gave it: an input"))
  }

  @Test func `floats, operand by operand`() throws {
    let console = CapturedConsole()
    let inputs = "-i \(Goldens.add)/in_0.npy -i \(Goldens.add)/in_1.npy"
    let model = Goldens.add + "/model.tflite"
    let at = try NpyArray(contentsOf: Goldens.add + "/out_0.npy").shape.dimensions
      .map { "\($0 - 1)" }.joined(separator: ",")
    #expect(
      console.run("explain \(model) --tensor 2 --at \(at) \(inputs) --recompute --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["node"]?["operator"] == "ADD")
    let terms = document["node"]?["terms"]?.array ?? []
    let values = terms.compactMap { $0["factors"]?.array?.first?["stored"]?.number }
    try #require(values.count == 2)
    #expect(
      document["element"]?["stored"]?.number.map { Float($0) }
        == Float(values[0]) + Float(values[1]))
  }

  @Test(arguments: [
    ("--tensor 0", "missing option '--at'"), ("--at 0", "missing option '--tensor'"),
    ("--tensor 0 --at 0", "for '--at', wanted an element of"),
    ("--tensor 0 --at 0,0,0,99", "of shape 1x32x32x3"),
    ("--tensor 0 --at 0,x", "'0,x' for '--at'"),
    ("--tensor nothing --at 0", "no tensor 'nothing' in subgraph 0"),
    ("--tensor 0 --at 0 --subgraph 3", "no subgraph 3: the model has 1"),
  ])
  func `command lines that name no element`(options: String, reason: String) {
    let console = CapturedConsole()
    #expect(console.run("explain \(digits) --fill zeros \(options)") == 64)
    #expect(console.errors.contains(reason), "\(console.errors)")
    #expect(console.output.isEmpty)
  }
}
