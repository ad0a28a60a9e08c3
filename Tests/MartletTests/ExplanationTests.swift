// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Explanations
import Foundation
import GoldenCases
import Martlet
import SeededRandom
import TestSupport
import Testing

/// Explanations of randomly chosen elements come to the stored values, bit for bit.
@Suite struct ExplanationTests {
  /// What came of the explanations of one model.
  private struct Tally {
    var explained = 0
    /// Explanations whose steps come to the value, without the kernel being run again.
    var bySteps = 0
    var failures: [String] = []
    /// Explanations that leave something out, or come to a value by other means than their steps.
    var incomplete: [String] = []

    /// Notes an explanation of the element called `name`.
    mutating func add(_ explanation: Explanation, _ name: String) {
      explained += 1
      let again = explanation.recomputation
      if again?.method == .steps { bySteps += 1 }
      if again?.isEqual != true {
        failures.append(
          "\(name): \(explanation.element.stored), \(String(describing: again))")
      }
      guard case .node(let node) = explanation.origin,
        ExplanationTests.unexplained[node.operatorName] == nil
      else {
        return
      }
      let isWhole =
        node.remark == nil || ExplanationTests.partlyShown.contains(node.operatorName)
      guard again?.method == .steps, isWhole, let last = node.steps.last,
        again?.value?.isIdentical(to: last.value) == true
      else {
        incomplete.append("\(name), \(node.kernel ?? node.operatorName)")
        return
      }
    }
  }

  /// Operators that compute more than is shown: of cells that are projected together one is, and
  /// of walks along the sequence the last one.
  private static let partlyShown: Set = [
    "LSTM", "UNIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_LSTM",
    "BIDIRECTIONAL_SEQUENCE_RNN",
  ]

  /// Operators whose explanations may be incomplete, and why.
  private static let unexplained: [String: String] = [
    "READ_VARIABLE": "the variable may have been assigned again since it was read"
  ]

  /// Explains `count` elements of each operator of the subgraphs that ran.
  private func explain(
    _ explainer: Explainer, perOperator count: Int, seed: UInt64
  ) throws -> Tally {
    var tally = Tally()
    var generator = SeededRandom(seed: seed)
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
          guard let node = chosen.randomElement(using: &generator) else { continue }
          for tensor in node.outputs {
            guard let shape = table.types[tensor]?.shape, shape.elementCount > 0,
              Self.isReadable(table.types[tensor]?.elementType)
            else { continue }
            let at = shape.dimensions.map { Int.random(in: 0..<$0, using: &generator) }
            let explanation = try explainer.explanation(
              ofTensor: tensor, inSubgraph: index, at: at, recomputes: true)
            tally.add(explanation, "\(nodes.key) tensor \(tensor) \(at)")
          }
        }
      }
    }
    return tally
  }

  @Test func `operators without steps are known ones`() {
    #expect(Self.unexplained.keys.allSatisfy { Goldens.operators.contains($0) })
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

  @Test(arguments: Goldens.operators)
  func `elements of an operator's golden cases`(name: String) throws {
    var models: Set<String> = []
    var explained = 0
    for (number, folder) in try GoldenCase.folders(in: Goldens.path(name)).enumerated() {
      guard models.insert(try GoldenCase(in: folder).model).inserted else { continue }
      let tally = try explain(Explainer(goldenIn: folder), perOperator: 10, seed: UInt64(number))
      explained += tally.explained
      for failure in tally.failures { Issue.record("\(folder): \(failure)") }
      for gap in tally.incomplete { Issue.record("\(folder): no complete steps: \(gap)") }
    }
    // Handles are all that this operator gives.
    #expect(explained > 0 || name == "VAR_HANDLE")
  }

  /// The explanation of an element of an output of a golden case.
  private func node(_ golden: String, tensor: String, at index: [Int]) throws -> ExplainedNode? {
    let explainer = try Explainer(goldenIn: Goldens.path(golden))
    let explanation = try explainer.explanation(
      ofTensor: explainer.tensor(called: tensor), at: index)
    guard case .node(let node) = explanation.origin else { return nil }
    return node
  }

  @Test func `a detector's box tells its code, its overlaps and its edges`() throws {
    let node = try #require(
      try node("TFLite_Detection_PostProcess/f32_regular", tensor: "output_0", at: [0, 4, 2]))
    #expect(
      node.steps.map(\.name) == [
        "box", "class", "score", "rank", "overlap", "overlap", "dropped", "center y",
        "center x", "half height", "half width", "top", "left", "bottom", "right", "stored",
      ])
    let values = Dictionary(
      node.steps.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    #expect(values["box"] == .integer(6) && values["rank"] == .integer(2))
    // The quantized value, the anchor and the score.
    #expect(node.terms.map { $0.factors[0].input } == [0, 0, 0, 0, 2, 2, 2, 2, 1])
    #expect(node.terms.last?.factors[0].element.stored == values["score"])
    guard case .float(let overlap)? = values["overlap"] else {
      Issue.record("no overlap")
      return
    }
    #expect(overlap > 0 && overlap <= 0.5)
  }

  @Test func `a loop tells its rounds and the tensor to go on with`() throws {
    let node = try #require(
      try node("WHILE/f32_rounds_7", tensor: "tensor_3", at: [0, 0]))
    #expect(node.steps.map(\.name) == ["rounds", "subgraph", "tensor", "moved"])
    #expect(node.steps[0].value == .integer(7))
  }

  @Test(arguments: GoldenTests.formats, Rounding.allCases)
  func `elements of the bundled classifiers`(format: String, rounding: Rounding) throws {
    let folder = GoldenTests.digits.appendingPathComponent(format).path
    let golden = try #require(try GoldenCase.folders(in: folder).first)
    let tally = try explain(
      Explainer(goldenIn: golden, rounding: rounding), perOperator: 20, seed: 7)
    #expect(tally.failures == [])
    #expect(tally.incomplete == [] && tally.explained >= 100)
  }

  @Test func `elements of the bundled localizer`() throws {
    let folder = GoldenTests.tests.deletingLastPathComponent()
      .appendingPathComponent("Models/localizer/goldens").path
    let golden = try #require(try GoldenCase.folders(in: folder).first)
    let tally = try explain(Explainer(goldenIn: golden), perOperator: 20, seed: 8)
    #expect(tally.failures == [])
    #expect(tally.incomplete == [])
  }

  @Test(.enabled(if: SharedNetworkTests.folder != nil), arguments: SharedNetworkTests.networks)
  func `elements of a network`(name: String) throws {
    let folder = try #require(SharedNetworkTests.folder).appendingPathComponent(name)
    let golden = try #require(try GoldenCase.folders(in: folder.path).first)
    let tally = try explain(Explainer(goldenIn: golden), perOperator: 20, seed: 9)
    #expect(tally.failures == [])
    #expect(tally.incomplete == [])
    #expect(tally.explained > 0)
  }
}
