// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import Formatting
import JSONDocuments
import TestSupport
import Testing

/// Martlet inspect and ops.
@Suite struct InspectTests {
  private func document(_ folder: String, _ options: String = "") throws -> JSON {
    let console = CapturedConsole()
    #expect(console.run("inspect \(folder)/model.tflite --json \(options)") == 0)
    #expect(console.errors == "")
    return try JSON(parsing: console.output)
  }

  @Test func `the document describes operators, tensors and plan`() throws {
    let document = try document(Goldens.add, "--tensors --memory")
    #expect(document["schema"] == "martlet/inspect/1")
    #expect(document["runs"] == true)
    #expect(
      document["operators"] == [["name": "ADD", "version": 1, "count": 1, "supported": true]])
    #expect(document["macs"] == 0)
    #expect(document["plan"]?["folded"] == [])
    let graph = document["subgraphs"]?.array?.first
    #expect(graph?["inputs"]?.array?.count == 2)
    #expect(graph?["outputs"]?.array?.count == 1)
    #expect(graph?["tensors"]?.array?.count == 3)
    #expect(graph?["nodes"]?.array?.first?["state"] == "ready")
    #expect(graph?["tensors"]?.array?.first?["role"] == "input")
    #expect(document["memory"]?.array?.count == 3)
    let arena = try #require(document["plan"]?["arena_bytes"]?.integer)
    #expect(arena >= document["plan"]?["arena_lower_bound"]?.integer ?? 0)
  }

  @Test func `tensors and memory are left out unless asked for`() throws {
    let document = try document(Goldens.add)
    #expect(document["memory"] == nil)
    #expect(document["subgraphs"]?.array?.first?["tensors"] == nil)
  }

  @Test func `the text names file, inputs, outputs and operators`() throws {
    let console = CapturedConsole()
    #expect(console.run("inspect \(Goldens.add)/model.tflite -tm") == 0)
    let model = try InputFile.bytes(at: Goldens.add + "/model.tflite")
    #expect(console.text.contains("model.tflite\n\(model.count.byteText), schema 3\n"))
    for part in [
      "\ninputs\n  0  ", "\noutputs\n  0  ", "FLOAT32", "\n1 operator\n  ADD v1  1\n",
      "\ntensors of subgraph 0\n", "\narena\n",
    ] {
      #expect(console.text.contains(part), "\(part)")
    }
  }

  @Test func `nodes that are computed together are counted`() throws {
    let model = Goldens.folder + "/../../Models/digits/digits_int8.tflite"
    let console = CapturedConsole()
    #expect(console.run("inspect \(model)") == 0)
    #expect(console.text.contains("\nnodes computed with a later one  2\n  CONV_2D + ADD"))
    let other = CapturedConsole()
    #expect(other.run("inspect \(model) --json") == 0)
    let document = try JSON(parsing: other.output)
    #expect(document["plan"]?["joined"] == [2, 8])
    let nodes = document["subgraphs"]?.array?.first?["nodes"]?.array
    #expect(nodes?[2]["computed_with"] == 3)
    // Which kernel computes products depends on the processor.
    let kernel = try #require(nodes?[3]["kernel"]?.string)
    #expect(kernel.contains("Product") && kernel.hasSuffix(" + ByteBinary"))
  }

  @Test func `the tree has every table, and bytes that sum to the file`() throws {
    let model = Goldens.add + "/model.tflite"
    let byteCount = try InputFile.bytes(at: model).count
    let console = CapturedConsole()
    #expect(console.run("inspect \(model) --tree --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/tree/1" && document["complete"] == true)
    #expect(document["bytes"]?.integer == byteCount)
    let kinds = document["bytes_by_kind"]?.members?.compactMap(\.value.integer) ?? []
    #expect(kinds.count == 8 && kinds.reduce(0, +) == byteCount)
    let root = try #require(document["tree"])
    #expect(root["type"] == "Model" && root["children"]?.array?.first?["name"] == "version")
    let text = CapturedConsole()
    #expect(text.run("inspect \(model) --tree") == 0)
    for part in [
      "\nmodel  Model  at ", "\n  version  3\n", "\n      tensors  [Tensor] × 3  at ",
      "          builtin_options_type  AddOptions\n", "\nbytes by kind\n",
      "\n  file  ",
    ] {
      #expect(text.text.contains(part), "\(part)")
    }
    let short = CapturedConsole()
    #expect(short.run("inspect \(model) --tree --depth 1") == 0)
    #expect(!short.text.contains("SubGraph  at") && short.text.contains("[SubGraph] × 1  at "))
  }

  @Test func `the tree of a spoilt model says where it is broken and goes on`() throws {
    var bytes = try InputFile.bytes(at: Goldens.add + "/model.tflite")
    let whole = CapturedConsole()
    #expect(whole.run("inspect \(Goldens.add)/model.tflite --tree --json") == 0)
    let subgraphs = try JSON(parsing: whole.output)["tree"]?["children"]?.array?
      .first { $0["name"] == "subgraphs" }
    let tensors = subgraphs?["children"]?.array?[0]["children"]?.array?
      .first { $0["name"] == "tensors" }
    let element = try #require(tensors?["offset"]?.integer) + 4
    bytes[element + 3] = 0x7f
    let console = CapturedConsole()
    try console.put(bytes, "spoilt.tflite")
    #expect(console.run("inspect DIR/spoilt.tflite --tree") == 0)
    #expect(console.flowingText.contains(" [0] Tensor, broken: 4 bytes wanted but 0 left at "))
    #expect(console.text.contains("\n        [1]  Tensor  at "))
    #expect(console.run("inspect DIR/spoilt.tflite") == 65)
  }

  @Test(arguments: [
    ("--depth 1", "--depth without --tree"), ("--tree --tensors", "--tree beside"),
    ("--tree --depth x", "'x' for '--depth'"),
  ])
  func `options that do not fit together`(options: String, reason: String) {
    let console = CapturedConsole()
    #expect(console.run("inspect \(Goldens.add)/model.tflite \(options)") == 64)
    #expect(console.errors.contains(reason), "\(console.errors)")
  }

  @Test func `a file that is no model is refused`() {
    let console = CapturedConsole()
    #expect(console.run("inspect \(Goldens.add)/in_0.npy") == 65)
    #expect(console.text == "")
  }

  @Test func `operators are listed with code and variants`() throws {
    let console = CapturedConsole()
    #expect(console.run("ops --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/ops/1")
    let operators = try #require(document["operators"]?.array)
    let add = operators.first { $0["name"] == "ADD" }
    #expect(add?["code"] == 0)
    #expect(add?["variants"]?.array?.contains("f32") == true)
    #expect(add?["optimized"]?.array != nil)
    #expect(Set(operators.compactMap { $0["code"]?.integer }).count == operators.count)
    let text = CapturedConsole()
    #expect(text.run("ops") == 0)
    let lines = text.text.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("ADD  ") && $0.contains("  f32 i32 ") } == 1)
    #expect(lines.count == operators.count + (document["custom"]?.array?.count ?? 0) + 1)
    let one = CapturedConsole()
    #expect(one.run("ops add Conv_2D") == 0)
    #expect(one.text.contains("\nCONV_2D\n  code       3, up to version "))
    #expect(one.text.contains("/Elementwise/") && one.text.hasSuffix("/Conv2D.swift\n"))
    #expect(one.run("ops CONV2D") == 64)
    #expect(one.errors.hasSuffix("hint: did you mean 'CONV_2D'?\n"))
    #expect(one.run("ops ADD --markdown") == 64)
    let page = CapturedConsole()
    #expect(page.run("ops --markdown") == 0)
    #expect(page.text.hasPrefix("# Operators\n"))
    #expect(page.text.contains("\n| 3 | CONV_2D | 8 | **f32** "))
  }
}
