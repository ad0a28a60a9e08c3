// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Martlet
import SeededRandom
import TestSupport
import Testing

/// Loops of drawn bodies, against the same rounds computed here.
@Suite struct LoopTests {
  /// How a body makes a value of its state's values.
  private enum Rule {
    /// The value of this index is passed on.
    case same(Int)
    /// It is given another shape, which moves no bytes.
    case reshaped(Int)
    case sum(Int, Int)
    case difference(Int, Int)
    case negation(Int)
  }

  /// A loop with a counter and several vectors for its state.
  private struct Loop {
    let rules: [Rule]
    /// The vector that gets the sum of 0 ..< max(counter, 3) in each round.
    ///
    /// The length of this range, which is one more value of the state, begins to change in the round
    /// of counter 4.
    let counted: Int?
    let length = 5

    init(_ random: inout SeededRandom, countsOne: Bool) {
      let count = Int.random(in: 1...6, using: &random)
      rules = (0..<count).map { _ in
        let (first, second) = (
          Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)
        )
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: return .same(first)
        case 3...4: return .reshaped(first)
        case 5: return .sum(first, second)
        case 6: return .difference(first, second)
        default: return .negation(first)
        }
      }
      counted = countsOne ? Int.random(in: 0..<count, using: &random) : nil
    }

    /// The model: the counter's start, its end, and the vectors.
    func model() throws -> Model {
      var model = DrawnModel()
      var values: [[Int]] = []
      for graph in 0...2 {
        if graph > 0 { model.graphs.append(DrawnModel.Graph()) }
        values.append(
          [model.tensor([], .int32, graph: graph), model.tensor([], .int32, graph: graph)]
            + rules.map { _ in model.tensor([length], graph: graph) }
            + (counted == nil ? [] : [model.tensor([3], .int32, graph: graph)]))
        model.graphs[graph].inputs = values[graph]
      }
      let outputs =
        [model.tensor([], .int32), model.tensor([], .int32)]
        + rules.map { _ in model.tensor([length]) }
        + (counted == nil ? [] : [model.tensor([3], .int32)])
      model.node(
        .while, values[0], outputs, options: (93, [0: .int(Int32(1)), 1: .int(Int32(2))]))
      model.graphs[0].outputs = outputs
      let answer = model.tensor([], .bool, graph: 1)
      model.node(.less, Array(values[1].prefix(2)), [answer], graph: 1)
      model.graphs[1].outputs = [answer]
      addBody(to: &model, values[2])
      return try model.loaded()
    }

    private func addBody(to model: inout DrawnModel, _ values: [Int]) {
      let one = model.tensor([], .int32, bytes: [1, 0, 0, 0], graph: 2)
      let next = model.tensor([], .int32, graph: 2)
      model.node(.add, [values[0], one], [next], graph: 2)
      var (results, ranges) = ([next, values[1]], [Int]())
      for (index, rule) in rules.enumerated() {
        let vectors = values.dropFirst(2).map(\.self)
        let made = model.tensor([length], graph: 2)
        switch rule {
        case .same(let first):
          if index != counted {
            results.append(vectors[first])
            continue
          }
          model.node(.abs, [vectors[first]], [made], graph: 2)
        case .reshaped(let first):
          let shape = model.tensor([1], .int32, bytes: [UInt8(length), 0, 0, 0], graph: 2)
          model.node(.reshape, [vectors[first], shape], [made], graph: 2)
        case .sum(let first, let second):
          model.node(.add, [vectors[first], vectors[second]], [made], graph: 2)
        case .difference(let first, let second):
          model.node(.sub, [vectors[first], vectors[second]], [made], graph: 2)
        case .negation(let first): model.node(.neg, [vectors[first]], [made], graph: 2)
        }
        guard index == counted else {
          results.append(made)
          continue
        }
        let (result, range) = addCount(to: &model, made, values[0], one)
        results.append(result)
        ranges.append(range)
      }
      model.graphs[2].outputs = results + ranges
    }

    /// Adds the sum of 0 ..< max(counter, 3) to a vector; gives that range, too.
    private func addCount(
      to model: inout DrawnModel, _ vector: Int, _ counter: Int, _ one: Int
    ) -> (result: Int, range: Int) {
      let zero = model.tensor([], .int32, bytes: [0, 0, 0, 0], graph: 2)
      let three = model.tensor([], .int32, bytes: [3, 0, 0, 0], graph: 2)
      let axes = model.tensor([1], .int32, bytes: [0, 0, 0, 0], graph: 2)
      let (end, range) = (
        model.tensor([], .int32, graph: 2), model.tensor([3], .int32, graph: 2)
      )
      let (sum, real) = (model.tensor([], .int32, graph: 2), model.tensor([], graph: 2))
      let result = model.tensor([length], graph: 2)
      model.node(.maximum, [counter, three], [end], graph: 2)
      model.node(.range, [zero, end, one], [range], graph: 2)
      model.node(.sum, [range, axes], [sum], graph: 2)
      model.node(.cast, [sum], [real], graph: 2)
      model.node(.add, [vector, real], [result], graph: 2)
      return (result, range)
    }

    /// The state after all rounds.
    func state(from start: Int, to end: Int, _ vectors: [[Float]]) -> [[Float]] {
      var state = vectors
      var rangeLength = 3
      for counter in start..<max(start, end) {
        let old = state
        // Results that are inputs are those that the results before them have overwritten, unless the
        // round changes a shape.
        let keepsShapes = counted == nil || rangeLength == max(counter, 3)
        rangeLength = max(counter, 3)
        for (index, rule) in rules.enumerated() {
          switch rule {
          case .same(let first):
            state[index] =
              index == counted ? old[first].map(abs) : (keepsShapes ? state : old)[first]
          case .reshaped(let first): state[index] = old[first]
          case .sum(let first, let second):
            state[index] = zip(old[first], old[second]).map { $0 + $1 }
          case .difference(let first, let second):
            state[index] = zip(old[first], old[second]).map { $0 - $1 }
          case .negation(let first): state[index] = old[first].map { -$0 }
          }
          if index == counted {
            let sum = Float((0..<max(counter, 3)).reduce(0, +))
            state[index] = state[index].map { $0 + sum }
          }
        }
      }
      return state
    }
  }

  private final class Watcher: InferenceObserver {
    func didEvaluate(_ record: NodeRecord) {}
  }

  @Test(arguments: [KernelSet.optimized, .reference], [false, true])
  func `loops give what their rounds give, watched or not`(
    kernels: KernelSet, countsOne: Bool
  ) throws {
    var random = SeededRandom(seed: 11)
    var options = Interpreter.Options()
    options.kernels = kernels
    for _ in 0..<60 {
      let loop = Loop(&random, countsOne: countsOne)
      let interpreter = try Interpreter(loop.model(), options: options)
      for (run, (start, end)) in [(0, 7), (0, 7), (3, 2), (1, 9), (2, 12), (0, 1)].enumerated() {
        let vectors = loop.rules.map { _ in
          (0..<loop.length).map { _ in Float(Int.random(in: -9...9, using: &random)) }
        }
        interpreter.observers = run == 3 ? [Watcher()] : []
        try interpreter.setInput(0, [Int32(start)])
        try interpreter.setInput(1, [Int32(end)])
        for (index, vector) in vectors.enumerated() { try interpreter.setInput(2 + index, vector) }
        if countsOne { try interpreter.setInput(2 + vectors.count, [7, 8, 9] as [Int32]) }
        try interpreter.invoke()
        #expect(try interpreter.output(0) == [Int32(max(start, end))])
        if countsOne {
          let range: [Int32] = start < end ? Array(0..<Int32(max(end - 1, 3))) : [7, 8, 9]
          #expect(try interpreter.output(2 + vectors.count) == range)
        }
        for (index, vector) in loop.state(from: start, to: end, vectors).enumerated() {
          #expect(try interpreter.output(2 + index) == vector)
        }
      }
    }
  }
}
