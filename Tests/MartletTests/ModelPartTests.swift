// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import GoldenCases
import Martlet
import Npy
import TestSupport
import Testing

/// Nodes cut out of models compute what they compute in a run of the whole.
@Suite struct ModelPartTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static let operators = Goldens.operators
  /// Shared models of a few operators each, and some networks that are quick to run.
  static let shared: [String] = {
    guard let folder = PublishedModels.folder else { return [] }
    let fixtures = GoldenTests.names(in: URL(fileURLWithPath: "\(folder)/fixtures"))
    return fixtures.map { "\(folder)/fixtures/\($0)" }
  }()

  /// The first golden case in a folder, run as a whole; nil where it is refused.
  private static func run(_ folder: String) throws -> Interpreter? {
    guard let path = try GoldenCase.folders(in: folder).first else { return nil }
    let golden = try GoldenCase(in: path)
    var options = Interpreter.Options()
    options.keepsAllTensors = true
    guard let model = try? Model.ofGoldens(at: golden.model) else { return nil }
    let interpreter = try Interpreter(model, signature: golden.signature, options: options)
    for (name, shape) in golden.shapes {
      try interpreter.resizeInput(
        try #require(interpreter.inputPosition(named: name)), to: shape)
    }
    try interpreter.setInputs(
      try interpreter.inputs.enumerated().compactMap { position, info in
        let files = [info.argument, "\(position)"].compactMap(\.self).map { "\(path)/in_\($0).npy" }
        return try files.first { Folder.kind(of: $0) != nil }.map {
          (position, try NpyArray(contentsOf: $0))
        }
      })
    try interpreter.invoke()
    return interpreter
  }

  private static func values(_ tensors: [Int], _ run: Interpreter) -> [NpyArray]? {
    let arrays = tensors.compactMap { tensor -> NpyArray? in
      run.tensor(tensor).flatMap { try? NpyArray($0.type, tensorBytes: $0.bytes) }
    }
    return arrays.count == tensors.count ? arrays : nil
  }

  /// What a part by itself makes of the inputs that it has in the run.
  private static func alone(
    _ part: ModelPart, _ run: Interpreter, _ inputs: [NpyArray]
  ) throws -> [NpyArray] {
    let model = try Model(bytes: try run.model.bytes(of: part, named: "the whole"))
    let interpreter = try Interpreter(model)
    #expect(interpreter.inputs.count == part.inputs.count)
    try interpreter.setInputs(inputs.enumerated().map { ($0.offset, $0.element) })
    try interpreter.invoke()
    return try part.outputs.indices.map { try interpreter.outputArray($0) }
  }

  /// Operators that depend on more than their inputs: state that earlier nodes left, or chance.
  private static let stateful: Set = [
    "READ_VARIABLE", "HASHTABLE_FIND", "HASHTABLE_SIZE", "HASHTABLE_LOOKUP", "IF", "WHILE",
    "CALL_ONCE", "RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL", "MULTINOMIAL",
  ]

  /// Whether tensors have the element types that the file says, which not all files are right
  /// about.
  private static func isAsDeclared(_ tensors: [Int], _ run: Interpreter) -> Bool {
    let declared = run.model.file.subgraphs[0].tensors
    return tensors.allSatisfy {
      run.tensor($0)?.type.elementType == declared[$0].type.elementType
    }
  }

  /// Compares every node of a run with its own model; returns how many there were.
  @discardableResult
  private static func compareNodes(_ run: Interpreter, _ name: String) throws -> Int {
    var count = 0
    for part in try run.model.singleNodes() where !part.outputs.isEmpty {
      let node = run.model.file.subgraphs[0].nodes[part.chosenNodes[0]]
      guard !stateful.contains(node.identity.name), isAsDeclared(part.inputs, run),
        let inputs = values(part.inputs, run), let expected = values(part.outputs, run)
      else { continue }
      let outputs = try alone(part, run, inputs)
      #expect(outputs == expected, "\(name): \(part.title) \(node.identity.name)")
      count += 1
    }
    return count
  }

  @Test(arguments: operators)
  func `a golden model's nodes compute the same by themselves`(name: String) throws {
    // There, one node decides how the products of all are rounded.
    for path in try Goldens.cases(of: name) where !path.hasSuffix("beyond_reference") {
      let folder = Goldens.path("\(name)/\(path)")
      guard let run = try Self.run(folder), run.signatureFreeSubgraph else { continue }
      try Self.compareNodes(run, folder)
    }
  }

  @Test(arguments: GoldenTests.formats)
  func `the digits' nodes compute the same by themselves`(format: String) throws {
    let run = try #require(
      try Self.run(GoldenTests.digits.appendingPathComponent(format).path))
    #expect(try Self.compareNodes(run, format) > 8)
  }

  @Test(.enabled(if: !shared.isEmpty, "MARTLET_TEST_MODELS is not set"), arguments: shared)
  func `shared models' nodes compute the same by themselves`(folder: String) throws {
    guard let run = try? Self.run(folder), run.signatureFreeSubgraph else { return }
    try Self.compareNodes(run, folder)
  }

  @Test(arguments: GoldenTests.formats)
  func `a whole graph written anew gives the same outputs`(format: String) throws {
    let run = try #require(
      try Self.run(GoldenTests.digits.appendingPathComponent(format).path))
    let part = try run.model.part()
    let inputs = try #require(Self.values(part.inputs, run))
    #expect(try Self.alone(part, run, inputs) == Self.values(part.outputs, run))
  }

  @Test(arguments: GoldenTests.formats)
  func `halves of a graph meet in the middle`(format: String) throws {
    let run = try #require(
      try Self.run(GoldenTests.digits.appendingPathComponent(format).path))
    let graph = run.model.file.subgraphs[0]
    let half = graph.nodes.count / 2
    let front = try run.model.part(nodes: Array(0..<half))
    let back = try run.model.part(nodes: Array(half..<graph.nodes.count))
    #expect(Set(back.inputs).subtracting(graph.inputs).isSubset(of: front.outputs))
    let between = try run.model.part(from: back.inputs)
    #expect(between.nodes == back.nodes && between.outputs == graph.outputs)
    let inputs = try #require(Self.values(back.inputs, run))
    #expect(try Self.alone(between, run, inputs) == Self.values(graph.outputs, run))
  }
}

extension Interpreter {
  /// Whether the main subgraph is the one that runs.
  fileprivate var signatureFreeSubgraph: Bool { subgraphIndex == 0 }
}
