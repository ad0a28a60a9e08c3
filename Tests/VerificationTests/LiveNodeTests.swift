// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import LiveKernels
import Martlet
import ModelFormat
import ReferenceKernels
import Tensors
import Testing

/// Nodes that travel to a page, computed here by the functions that the page's module exports.
@Suite struct LiveNodeTests {
  @Test(arguments: LiveProblem.all)
  func `a record holds all of the node`(problem: LiveProblem) throws {
    let record = problem.node.record
    #expect(try LiveNode(record: record).record == record)
    let outputs = try problem.node.evaluate()
    #expect(outputs.count == 1)
    #expect(outputs[0].bytes.contains { $0 != outputs[0].bytes[0] }, "all elements are the same")
    let answer = LiveNode.answer(to: record)
    #expect(answer.prefix(8) == [0, 0, 0, 0, 1, 0, 0, 0])
    #expect(
      answer.suffix(outputs[0].bytes.count + padding(outputs[0].bytes.count)).prefix(
        outputs[0].bytes.count) == outputs[0].bytes[...])
  }

  private func padding(_ count: Int) -> Int { (4 - count % 4) % 4 }

  @Test(arguments: LiveProblem.all.filter { $0.node.inputs.count == 3 })
  func `the last step is the stored value`(problem: LiveProblem) throws {
    let output = try problem.node.evaluate()[0]
    for element in [0, output.type.shape.elementCount / 2, output.type.shape.elementCount - 1] {
      let text = String(
        decoding: LiveNode.derivation(of: element, in: problem.node.record), as: UTF8.self)
      let lines = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
      #expect(lines.contains { $0[0] == "term" } && lines.contains { $0[0] == "bias" })
      let result = try #require(lines.last { $0[0] == "step" }?.last)
      switch output.type.elementType {
      case .int8: #expect(Int8(result) == Int8(bitPattern: output.bytes[element]))
      case .uint8: #expect(UInt8(result) == output.bytes[element])
      case _:
        let bits = (0..<4).reduce(UInt32(0)) {
          $0 | UInt32(output.bytes[4 * element + $1]) << UInt32(8 * $1)
        }
        #expect(Float(result)?.bitPattern == bits)
      }
    }
  }

  @Test func `an error comes as its text`() throws {
    let node = try #require(LiveProblem.all.first { $0.node.code == .conv2D }).node
    let damaged = LiveNode(.conv2D, inputs: node.inputs, outputs: node.outputs)
    let answer = LiveNode.answer(to: damaged.record)
    #expect(answer.first == 1)
    #expect(String(decoding: answer.dropFirst(8), as: UTF8.self).contains("stride 0"))
    let derivation = LiveNode.derivation(of: 0, in: damaged.record)
    #expect(String(decoding: derivation, as: UTF8.self).hasPrefix("error\tstride 0"))
  }

  @Test(arguments: LiveProblem.all.filter { $0.name.hasSuffix("seed 7919") })
  func `damaged records are answered`(problem: LiveProblem) {
    let record = problem.node.record
    for length in stride(from: 0, to: record.count, by: 3) {
      #expect(LiveNode.answer(to: Array(record.prefix(length))).first == 1)
    }
    for position in 0..<min(record.count, 160) {
      for byte: UInt8 in [0, 0x7F, 0x80, 0xFF] where record[position] != byte {
        var damaged = record
        damaged[position] = byte
        #expect([0, 1].contains(LiveNode.answer(to: damaged).first))
      }
    }
  }
}

/// A layer of a real run as a section of a page.
@Suite struct LiveLayerTests {
  private func layer(_ kernels: KernelSet) throws -> LiveLayer {
    var options = Interpreter.Options()
    options.kernels = kernels
    options.keepsAllTensors = true
    let model = try Model(path: BundledModels.path(of: BundledModels.digits))
    let interpreter = try Interpreter(model, options: options)
    try interpreter.prepare()
    let count = try #require(interpreter.inputs[0].type?.byteCount)
    try interpreter.setInput(0, bytes: (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 % 251) })
    try interpreter.invoke()
    return try #require(LiveLayer.best(of: interpreter))
  }

  @Test(arguments: [KernelSet.reference, .optimized])
  func `the digits' first convolution is computed again`(kernels: KernelSet) throws {
    let layer = try layer(kernels)
    #expect(layer.operatorName == "CONV_2D")
    #expect(try layer.node.evaluate()[0].bytes == layer.output.bytes)
  }

  @Test func `the section needs nothing else`() throws {
    let section = try LiveSection(layer(.reference))
    #expect(section.html.contains("CONV_2D") && section.html.contains("live-layer-kernels"))
    for text in [section.html, section.script, section.style] {
      #expect(!text.contains("http:") && !text.contains("https:") && !text.contains("fetch("))
    }
    #expect(!section.script.contains("</script") && !section.script.contains("eval("))
  }
}

/// The JavaScript engine outside of browsers.
private let node = ["/usr/bin/node", "/usr/local/bin/node"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// The page's module against the engine.
@Suite(.enabled(if: node != nil, "there is no node"))
struct LiveModuleTests {
  private struct Problem: Encodable {
    let name: String
    let record: Data
    let answer: Data
    let element: Int
    let derivation: Data
    let isApproximate: Bool
  }

  @Test func `every kernel answers as the engine does`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let problems = LiveProblem.all.map { problem in
      let record = problem.node.record
      return Problem(
        name: problem.name, record: Data(record), answer: Data(LiveNode.answer(to: record)),
        element: 3, derivation: Data(LiveNode.derivation(of: 3, in: record)),
        isApproximate: problem.isApproximate)
    }
    #expect(problems.count == 3 * 4 * 11)
    try JSONEncoder().encode(problems).write(to: folder.appendingPathComponent("problems.json"))
    try Data(LiveSection.kernels().utf8).write(to: folder.appendingPathComponent("kernels.txt"))

    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(node))
    process.arguments = [
      root.appendingPathComponent("Sources/LiveKernels/compare.js").path, folder.path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
  }
}
