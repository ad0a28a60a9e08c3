// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import Martlet
import Testing
import Verification

/// Explanations of randomly chosen elements come to the stored values, bit for bit.
@Suite struct ExplanationTests {
  /// A generator whose numbers depend on the seed alone.
  private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var mixed = state ^ (state >> 33)
      mixed = mixed &* 0xFF51_AFD7_ED55_8CCD
      return mixed ^ (mixed >> 33)
    }
  }

  /// What came of the explanations of one model.
  private struct Tally {
    var explained = 0
    /// Explanations whose steps come to the value, without the kernel being run again.
    var bySteps = 0
    var failures: [String] = []
  }

  /// Explains `count` elements of each operator of the subgraphs that ran.
  private func explain(
    _ explainer: Explainer, perOperator count: Int, seed: UInt64
  ) throws -> Tally {
    var tally = Tally()
    var generator = SeededGenerator(state: seed)
    for (index, subgraph) in explainer.interpreter.model.file.subgraphs.enumerated() {
      guard let table = explainer.interpreter.table(ofSubgraph: index) else { continue }
      let tensors = GraphTensors(table)
      let written = subgraph.nodes.filter { node in
        node.outputs.allSatisfy { table.bytes[$0] != nil && table.types[$0] != nil }
      }
      for nodes in Dictionary(grouping: written, by: \.identity.name).sorted(by: { $0.key < $1.key }
      ) {
        let chosen = Self.cheap(nodes.value, tensors)
        for _ in 0..<count {
          guard let node = chosen.randomElement(using: &generator),
            let tensor = node.outputs.randomElement(using: &generator),
            let shape = table.types[tensor]?.shape, shape.elementCount > 0,
            Self.isReadable(table.types[tensor]?.elementType)
          else { continue }
          let at = shape.dimensions.map { Int.random(in: 0..<$0, using: &generator) }
          let explanation = try explainer.explanation(
            ofTensor: tensor, inSubgraph: index, at: at, recomputes: true)
          tally.explained += 1
          if explanation.recomputation?.method == .steps { tally.bySteps += 1 }
          guard explanation.recomputation?.isEqual != true else { continue }
          tally.failures.append(
            "\(nodes.key) tensor \(tensor) \(at): \(explanation.element.stored), "
              + "\(String(describing: explanation.recomputation))")
        }
      }
    }
    return tally
  }

  /// Handles have no values to look at.
  private static func isReadable(_ type: ElementType?) -> Bool {
    type != .resource && type != .variant
  }

  /// The nodes of few multiply-adds; the one of the fewest where all have many.
  private static func cheap(
    _ nodes: [ModelFile.Node], _ tensors: GraphTensors
  ) -> [ModelFile.Node] {
    func products(_ node: ModelFile.Node) -> Int { NodeCost(node, tensors).multiplyAdds ?? 0 }
    let few = nodes.filter { products($0) <= 4_000_000 }
    return few.isEmpty ? [nodes.min { products($0) < products($1) }].compactMap(\.self) : few
  }

  /// An explainer of the model of a golden case, which has run on the case's inputs.
  private func explainer(
    _ folder: String, rounding: Rounding = .double
  ) throws -> Explainer {
    let golden = try GoldenCase(in: folder)
    var options = Interpreter.Options()
    options.rounding = golden.rounding ?? rounding
    let explainer = try Explainer(
      try Model(path: golden.model), signature: golden.signature, options: options)
    for (name, shape) in golden.shapes {
      let position = try #require(explainer.interpreter.inputPosition(named: name))
      try explainer.interpreter.resizeInput(position, to: shape)
    }
    var arrays: [(position: Int, array: NpyArray)] = []
    for (position, info) in explainer.interpreter.inputs.enumerated() {
      for name in [info.argument, "\(position)"].compactMap(\.self) {
        let file = "\(golden.steps[0])/in_\(name).npy"
        guard FileManager.default.fileExists(atPath: file) else { continue }
        arrays.append((position, try NpyArray(contentsOf: file)))
        break
      }
    }
    try explainer.interpreter.setInputs(arrays)
    try explainer.run()
    return explainer
  }

  @Test(arguments: GoldenTests.operators)
  func `elements of an operator's golden cases`(name: String) throws {
    let folder = GoldenTests.tests.appendingPathComponent("Goldens/\(name)")
    var models: Set<String> = []
    var explained = 0
    for (number, folder) in try GoldenCase.folders(in: folder.path).enumerated() {
      guard models.insert(try GoldenCase(in: folder).model).inserted else { continue }
      let tally = try explain(explainer(folder), perOperator: 3, seed: UInt64(number))
      explained += tally.explained
      for failure in tally.failures { Issue.record("\(folder): \(failure)") }
    }
    // Handles are all that this operator gives.
    #expect(explained > 0 || name == "VAR_HANDLE")
  }

  @Test(arguments: GoldenTests.formats, Rounding.allCases)
  func `elements of the bundled classifiers`(format: String, rounding: Rounding) throws {
    let folder = GoldenTests.digits.appendingPathComponent(format).path
    let golden = try #require(try GoldenCase.folders(in: folder).first)
    let tally = try explain(
      explainer(golden, rounding: rounding), perOperator: 20, seed: 7)
    #expect(tally.failures == [])
    // Every operator of these networks tells its steps, but for the table of int16 SOFTMAX.
    let untold = format == "int16x8" ? 20 : 0
    #expect(tally.bySteps == tally.explained - untold && tally.explained >= 100)
  }

  @Test func `elements of the bundled localizer`() throws {
    let folder = GoldenTests.tests.deletingLastPathComponent()
      .appendingPathComponent("Models/localizer/goldens").path
    let golden = try #require(try GoldenCase.folders(in: folder).first)
    let tally = try explain(explainer(golden), perOperator: 20, seed: 8)
    #expect(tally.failures == [])
    #expect(tally.bySteps * 10 > tally.explained * 8)
  }

  @Test(.enabled(if: SharedNetworkTests.folder != nil), arguments: SharedNetworkTests.networks)
  func `elements of a network`(name: String) throws {
    let folder = try #require(SharedNetworkTests.folder).appendingPathComponent(name)
    let golden = try #require(try GoldenCase.folders(in: folder.path).first)
    let tally = try explain(explainer(golden), perOperator: 20, seed: 9)
    #expect(tally.failures == [])
    #expect(tally.explained > 0)
  }
}
