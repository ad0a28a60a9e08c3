// SPDX-License-Identifier: Apache-2.0

import Martlet
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
}
