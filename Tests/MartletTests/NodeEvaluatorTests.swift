// SPDX-License-Identifier: Apache-2.0

import Martlet
import SeededRandom
import Testing

/// Single nodes, computed outside of a run.
@Suite struct NodeEvaluatorTests {
  /// Keeps what a run gives to its subgraphs and nodes.
  final class Recorder: InferenceObserver {
    var begun: [Int] = []
    var inputs: [[Int]] = []
    var values: [Int: TensorValue] = [:]

    func willRun(_ record: SubgraphRecord) {
      begun.append(record.subgraph)
      inputs.append(record.inputs.map(\.tensor))
      keep(record.inputs)
    }

    func didEvaluate(_ record: NodeRecord) { keep(record.outputs) }

    private func keep(_ tensors: [(tensor: Int, type: TensorType, bytes: TensorBytes)]) {
      for (tensor, type, bytes) in tensors {
        values[tensor] = TensorValue(type, bytes).copied()
      }
    }
  }

  private static func recorded(_ model: Model, _ options: Interpreter.Options) throws -> Recorder {
    let interpreter = try Interpreter(model, options: options)
    let recorder = Recorder()
    interpreter.observers = [recorder]
    var random = SeededRandom(seed: 3)
    let pixels = (0..<3072).map { _ in Int8(truncatingIfNeeded: random.next()) }
    try interpreter.setInput(0, pixels)
    try interpreter.invoke()
    return recorder
  }

  @Test(arguments: [1, 2])
  func `a node by itself computes what it computes in a run`(threadCount: Int) throws {
    let model = try TestModels.digits("int8")
    var options = Interpreter.Options()
    options.threadCount = threadCount
    let recorder = try Self.recorded(model, options)
    #expect(recorder.begun == [0] && recorder.inputs == [[0]])
    let evaluator = NodeEvaluator(model, options: options)
    let nodes = model.file.subgraphs[0].nodes
    // In any order: nothing but the inputs that are given matters.
    for (index, node) in nodes.enumerated().reversed() {
      let inputs = node.inputs.map { recorder.values[$0] }
      for (tensor, output) in zip(
        node.outputs, try evaluator.evaluate(index, of: 0, inputs: inputs))
      {
        let expected = try #require(recorder.values[tensor])
        #expect(output.type == expected.type)
        #expect(output.bytes.array() == expected.bytes.array(), "node \(index)")
      }
    }
  }

  @Test func `what does not fit is refused`() throws {
    let model = try TestModels.digits("int8")
    let evaluator = NodeEvaluator(model, options: .init())
    let type = try #require(try Interpreter(model).inputs[0].type)
    let right = TensorValue(type, TensorBytes(zeroed: type.byteCount ?? 0))
    _ = try evaluator.evaluate(0, of: 0, inputs: [right, nil, nil])
    let wide = type.with(shape: [1, 64, 32, 3])
    let float = TensorType(.float32, type.shape)
    for value in [wide, float].map({ TensorValue($0, TensorBytes(zeroed: $0.byteCount ?? 0)) }) {
      let error = #expect(throws: InferenceError.self) {
        _ = try evaluator.evaluate(0, of: 0, inputs: [value, nil, nil])
      }
      #expect(error?.location == "subgraph 0 › operator 0 CONV_2D › input 0")
    }
    #expect(throws: InferenceError.self) { _ = try evaluator.evaluate(17, of: 0, inputs: []) }
    #expect(throws: InferenceError.self) { _ = try evaluator.evaluate(0, of: 1, inputs: []) }
    #expect(throws: InferenceError.self) { try evaluator.prepare(-1, inputShapes: [:]) }
    // A subgraph that was prepared for another shape takes values of that shape.
    try evaluator.prepare(0, inputShapes: [0: wide.shape])
    let bytes = TensorBytes(zeroed: wide.byteCount ?? 0)
    let outputs = try evaluator.evaluate(0, of: 0, inputs: [TensorValue(wide, bytes), nil, nil])
    #expect(outputs[0].type.shape == [1, 32, 16, 24])
  }
}
