// SPDX-License-Identifier: Apache-2.0

import Explanations
import Foundation
import GoldenCases
import Martlet
import SeededRandom
import TestSupport
import Testing

/// The listed products and steps of recurrent cells come to the stored values, bit for bit.
@Suite struct ExplainedCellTests {
  static let operators = [
    "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN", "LSTM", "RNN", "SVDF",
    "UNIDIRECTIONAL_SEQUENCE_LSTM", "UNIDIRECTIONAL_SEQUENCE_RNN",
  ]

  /// The explanation of an element of an output of the model's only node.
  private func node(
    _ golden: String, output: Int = 0, at index: [Int], invocations: Int = 1
  ) throws -> ExplainedNode {
    let explainer = try Explainer(goldenIn: Goldens.path(golden), invocations: invocations)
    let tensor = explainer.interpreter.model.file.subgraphs[0].nodes[0].outputs[output]
    let explanation = try explainer.explanation(ofTensor: tensor, at: index, recomputes: true)
    #expect(explanation.recomputation?.isEqual == true)
    guard case .node(let node) = explanation.origin else {
      throw CocoaError(.featureUnsupported)
    }
    return node
  }

  @Test(arguments: operators) func `elements of all outputs of every case`(name: String) throws {
    var generator = SeededRandom(seed: 22)
    var explained = 0
    for folder in try GoldenCase.folders(in: Goldens.path(name)) {
      // The states that the second invocation starts from are not zero.
      for invocations in 1...2 {
        let explainer = try Explainer(goldenIn: folder, invocations: invocations)
        for tensor in explainer.interpreter.model.file.subgraphs[0].nodes.flatMap(\.outputs) {
          let shape = try explainer.shape(ofTensor: tensor)
          guard shape.elementCount > 0 else { continue }
          for _ in 0..<3 {
            let at = shape.dimensions.map { Int.random(in: 0..<$0, using: &generator) }
            let explanation = try explainer.explanation(
              ofTensor: tensor, at: at, recomputes: true)
            explained += 1
            let location = "\(folder), invocation \(invocations), tensor \(tensor) \(at)"
            #expect(explanation.recomputation?.method == .steps, "\(location)")
            #expect(
              explanation.recomputation?.isEqual == true,
              "\(location): \(explanation.element.stored)")
            expectDerivation(explanation, location)
          }
        }
      }
    }
    #expect(explained > 100)
  }

  /// Integer products add up to the accumulator of their part, and the last step has the value.
  private func expectDerivation(_ explanation: Explanation, _ location: String) {
    guard case .node(let node) = explanation.origin else {
      Issue.record("\(location): no node")
      return
    }
    #expect(
      node.steps.last?.value.isIdentical(to: explanation.element.stored) == true, "\(location)")
    for (part, terms) in Dictionary(grouping: node.terms, by: \.part) {
      var sum = 0
      for case .integer(let product)? in terms.map(\.value) { sum += product }
      let accumulator = node.steps.first { $0.part == part && $0.name == "accumulator" }
      guard case .integer(let value)? = accumulator?.value, terms[0].value != nil else { continue }
      #expect(sum == value, "\(location), \(part ?? "")")
    }
  }

  @Test func `the parts of an LSTM with everything`() throws {
    let node = try node("UNIDIRECTIONAL_SEQUENCE_LSTM/f32_everything", at: [1, 2, 0])
    let gates = ["input", "forget", "cell", "output"].map { "\($0) gate" }
    func parts(_ gate: String) -> [String] {
      ["\(gate), input", "\(gate), state"]
        + (gate == "cell gate" ? [gate] : ["\(gate), cell state", gate])
    }
    var order: [String] = []
    for part in node.steps.compactMap(\.part) where order.last != part { order.append(part) }
    #expect(
      order == gates.dropLast().flatMap(parts) + ["cell state"] + parts(gates[3])
        + ["output", "projection"])
    let counts = Dictionary(grouping: node.terms) { $0.part ?? "" }.mapValues(\.count)
    for gate in gates {
      #expect(counts["\(gate), input"] == 5 && counts["\(gate), state"] == 3)
    }
    #expect(counts["projection"] == 6)
    // A later step reads what the step before it has written to the variable, and to the output.
    let state = node.terms.first { $0.part == "input gate, state" }
    #expect(state?.factors.map(\.source) == [.input(18), .input(5)])
    let before = try self.node("UNIDIRECTIONAL_SEQUENCE_LSTM/f32_everything", at: [1, 1, 0])
    #expect(state?.factors[0].element.stored == before.steps.last?.value)
    let projected = node.terms.first { $0.part == "projection" }
    #expect(projected?.factors.map(\.source) == [.computed("result"), .input(16)])
    #expect(projected?.factors[0].input == nil && projected?.factors[1].input == 16)
  }

  @Test func `the first step reads the variables as they were`() throws {
    let golden = "UNIDIRECTIONAL_SEQUENCE_LSTM/f32_plain"
    let explainer = try Explainer(goldenIn: Goldens.path(golden))
    let output = explainer.interpreter.model.file.subgraphs[0].nodes[0].outputs[0]
    let shape = try explainer.shape(ofTensor: output)
    let last = try explainer.explanation(ofTensor: output, at: [0, shape[1] - 1, 0])
    let node = try node(golden, at: [0, 0, 1], invocations: 2)
    let state = node.terms.first { $0.part == "forget gate, state" }
    #expect(state?.factors[0].source == .input(18))
    #expect(state?.factors[0].element.stored == last.element.stored)
    let before = node.steps.first { $0.part == "cell state" && $0.name == "before" }
    #expect(before?.text == "input 19 [0,1]" && before?.value != .float(0))
  }

  @Test(arguments: [
    ("UNIDIRECTIONAL_SEQUENCE_LSTM/f32_clipped", "clip"),
    ("BIDIRECTIONAL_SEQUENCE_LSTM/f32_none_crossed", "left out"),
    ("UNIDIRECTIONAL_SEQUENCE_LSTM/i8x8_16_q_cifg", "input gate"),
    ("UNIDIRECTIONAL_SEQUENCE_LSTM/f32_ln_plain", "inverse deviation"),
    ("LSTM/i8x8_8_q_plain", "distance"), ("LSTM/hybrid_i8_plain", "weight scale"),
  ])
  func `what a cell has besides`(golden: String, step: String) throws {
    let isStep = golden.hasPrefix("LSTM")
    let node = try node(golden, at: isStep ? [0, 0] : [0, 0, 0])
    #expect(node.steps.contains { $0.name == step })
  }

  @Test func `a byte of uint8 weights is read as signed`() throws {
    let node = try node("RNN/hybrid_u8_tanh", at: [0, 0])
    for term in node.terms {
      guard case .integer(let stored) = term.factors[1].element.stored else {
        Issue.record("no code")
        continue
      }
      #expect(term.factors[1].quantized == Int(Int8(truncatingIfNeeded: stored)))
    }
  }

  @Test func `the last one of several walks is told`() throws {
    let golden = "BIDIRECTIONAL_SEQUENCE_RNN/hybrid_i8_time_major"
    let first = try node(golden, at: [0, 0, 0])
    let state = first.terms.filter { $0.part == "state" }
    // The states start at zero, and the first walk has changed them.
    #expect(state.contains { $0.factors[0].element.stored.number != 0 })
    #expect(Set(first.terms.map(\.part)) == ["input", "state"])
    #expect(first.steps.count { $0.name == "bias" } == 1)
  }
}
