// SPDX-License-Identifier: Apache-2.0

import Martlet
import SeededRandom
import TestSupport
import Testing

/// Loops, branches and variables; what they compute is told by the golden cases.
@Suite struct ControlFlowTests {
  private func makeInterpreter(_ name: String, callLimit: Int? = nil) throws -> Interpreter {
    var options = Interpreter.Options()
    if let callLimit { options.limits = Limits(callCount: callLimit) }
    return try Interpreter(Goldens.model(name), options: options)
  }

  /// Counts from a start up to 7.
  private func count(from start: Int32, callLimit: Int? = nil) throws -> [Int32] {
    let interpreter = try makeInterpreter("WHILE/i32_rounds_7", callLimit: callLimit)
    try interpreter.setInput(0, [start])
    try interpreter.setInput(1, [1, 2, 3, 4] as [Int32])
    try interpreter.invoke()
    return try interpreter.output(1, as: Int32.self)
  }

  @Test func `a loop runs as long as its condition holds`() throws {
    #expect(try count(from: 7) == [1, 2, 3, 4])
    #expect(try count(from: 6) == [2, 4, 6, 8])
    #expect(try count(from: 0) == [128, 256, 384, 512])
    // 32 doublings of 32-bit numbers leave nothing.
    #expect(try count(from: -25) == [0, 0, 0, 0])
  }

  @Test func `a loop that takes too many rounds is stopped, and says where`() throws {
    // 15 calls: 8 of the condition, 7 of the body.
    #expect(throws: Never.self) { try count(from: 0, callLimit: 15) }
    for (start, limit) in [(Int32(0), 14), (Int32.min, 5000)] {
      do {
        _ = try count(from: start, callLimit: limit)
        Issue.record("a loop went on")
      } catch let error as InferenceError {
        #expect(error.description.contains("more than \(limit) calls"))
        #expect(error.location.contains("operator 0 WHILE"))
      }
    }
  }

  @Test func `a loop can be cancelled between its rounds`() throws {
    let interpreter = try makeInterpreter("WHILE/i32_rounds_7", callLimit: Int.max)
    try interpreter.setInput(0, [Int32.min])
    final class Canceller: InferenceObserver {
      unowned let interpreter: Interpreter
      var nodeCount = 0
      init(_ interpreter: Interpreter) { self.interpreter = interpreter }
      func didEvaluate(_ record: NodeRecord) {
        nodeCount += 1
        if nodeCount == 1000 { interpreter.cancel() }
      }
    }
    let canceller = Canceller(interpreter)
    interpreter.observers = [canceller]
    do {
      try interpreter.invoke()
      Issue.record("an endless loop ended")
    } catch {
      guard case .cancelled = error.reason else { throw error }
    }
    #expect(canceller.nodeCount == 1000)
  }

  @Test func `observers see the nodes of subgraphs that are called`() throws {
    final class Recorder: InferenceObserver {
      var nodes: [String] = []
      func didEvaluate(_ record: NodeRecord) {
        nodes.append("\(record.subgraph) \(record.operatorName)")
      }
    }
    let interpreter = try makeInterpreter("IF/f32_then")
    let recorder = Recorder()
    interpreter.observers = [recorder]
    try interpreter.setInput(0, [BoolByte(true)])
    try interpreter.invoke()
    #expect(recorder.nodes == ["1 ADD", "0 IF"])
    try interpreter.setInput(0, [BoolByte(false)])
    try interpreter.invoke()
    #expect(recorder.nodes.suffix(2) == ["2 MUL", "0 IF"])
  }

  @Test func `variables last as long as the interpreter, and are not shared with others`() throws {
    let first = try makeInterpreter("READ_VARIABLE/loop_counter")
    for expected in [[Float(1), 0], [2, 1], [3, 2]] {
      try first.setInput(0, [1, 1] as [Float])
      try first.invoke()
      #expect(try first.output(0, as: Float.self) == expected)
    }
    let second = try makeInterpreter("READ_VARIABLE/loop_counter")
    try second.setInput(0, [1, 1] as [Float])
    try second.invoke()
    #expect(try second.output(0, as: Float.self) == [1, 0])
  }

  @Test func `outputs of branches may have different shapes`() throws {
    let interpreter = try makeInterpreter("IF/dynamic_shape_long")
    try interpreter.setInput(1, [1, -2, 3] as [Float])
    for (condition, expected) in [(true, [Float(1), 2, 3, 1, 2, 3]), (false, [1, 2, 3])] {
      try interpreter.setInput(0, [BoolByte(condition)])
      try interpreter.invoke()
      #expect(try interpreter.output(0, as: Float.self) == expected)
      #expect(try interpreter.outputType(0).shape.dimensions == [expected.count])
    }
  }

  /// Two branches of one subgraph, which multiplies by the weights that are passed to it: the first
  /// calls pass `weights`, two matrices of a constant in turn, or one alone.
  private static func passingWeights(_ weights: [[Int8]]) throws -> Model {
    var model = DrawnModel()
    let (condition, input) = (model.tensor([1], .bool), model.tensor([2, 4]))
    var outputs: [Int] = []
    for matrix in weights {
      let bytes = matrix.flatMap { value in
        let bits = Float(value).bitPattern
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
      }
      let passed = model.tensor([3, 4], bytes: bytes)
      outputs.append(model.tensor([2, 3]))
      model.node(
        .if, [condition, input, passed], [outputs[outputs.count - 1]],
        options: (92, [0: .int(Int32(1)), 1: .int(Int32(2))]))
    }
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([condition, input], outputs)
    for graph in 1...2 {
      model.graphs.append(DrawnModel.Graph())
      let (given, matrix) = (
        model.tensor([2, 4], graph: graph), model.tensor([3, 4], graph: graph)
      )
      let (product, result) = (
        model.tensor([2, 3], graph: graph), model.tensor([2, 3], graph: graph)
      )
      model.node(
        .fullyConnected, [given, matrix, -1], [product], options: (8, [:]), graph: graph)
      model.node(graph == 1 ? .neg : .abs, [product], [result], graph: graph)
      (model.graphs[graph].inputs, model.graphs[graph].outputs) = ([given, matrix], [result])
    }
    return try model.loaded()
  }

  private static func matrices(_ seed: Int, _ count: Int) -> [[Int8]] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in
      (0..<12).map { _ in Int8.random(in: -9...9, using: &random) }
    }
  }

  @Test(arguments: [KernelSet.optimized, .reference], [1, 2, 3])
  func `weights that are passed to branches are those of each call`(
    kernels: KernelSet, count: Int
  ) throws {
    let weights = Self.matrices(count, count)
    var options = Interpreter.Options()
    options.kernels = kernels
    let interpreter = try Interpreter(Self.passingWeights(weights), options: options)
    for round in 0..<4 {
      let takesFirst = round % 2 == 0
      let rows = (0..<2).map { row in (0..<4).map { Float($0 * 3 - row - round) } }
      try interpreter.setInput(0, [BoolByte(takesFirst)])
      try interpreter.setInput(1, rows.flatMap(\.self))
      try interpreter.invoke()
      for (position, matrix) in weights.enumerated() {
        let expected = rows.flatMap { row in
          (0..<3).map { column -> Float in
            let sum = (0..<4).reduce(Float(0)) { $0 + row[$1] * Float(matrix[column * 4 + $1]) }
            return takesFirst ? -sum : abs(sum)
          }
        }
        #expect(try interpreter.output(position) == expected)
      }
    }
  }

  @Test func `weights that all calls pass alike are multiplied as constants are`() throws {
    final class Names: InferenceObserver {
      var kernels: Set<String> = []
      func didEvaluate(_ record: NodeRecord) {
        if record.operatorName == "FULLY_CONNECTED" { kernels.insert(record.kernelName ?? "") }
      }
    }
    for (count, kernel) in [(1, "FloatProduct"), (2, "UnpackedRows")] {
      let model = try Self.passingWeights(Self.matrices(5, count))
      let interpreter = try Interpreter(model)
      let names = Names()
      try interpreter.setInput(0, [BoolByte(true)])
      // The first call of two cannot know of the second.
      try interpreter.invoke()
      interpreter.observers = [names]
      try interpreter.invoke()
      #expect(names.kernels == [kernel])
    }
  }
}
