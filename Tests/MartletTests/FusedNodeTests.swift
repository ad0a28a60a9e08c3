// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Martlet
import SeededRandom
import Testing

/// Nodes that optimized kernels compute together.
@Suite struct FusedNodeTests {
  /// Notes what it is told; sees every node, or nodes as they are computed.
  final class Recorder: InferenceObserver {
    let seesEveryNode: Bool
    var members: [[Int]] = []

    init(seesEveryNode: Bool) { self.seesEveryNode = seesEveryNode }

    func didEvaluate(_ record: NodeRecord) {
      members.append(record.members)
      #expect(record.members.last == record.node)
    }
  }

  private static func prepared(
    _ model: Model, _ observers: [any InferenceObserver], keepsAllTensors: Bool = false
  ) throws -> Interpreter {
    var options = Interpreter.Options()
    options.keepsAllTensors = keepsAllTensors
    let interpreter = try Interpreter(model, options: options)
    interpreter.observers = observers
    let byteCount = interpreter.inputs[0].type?.byteCount ?? 0
    var random = SeededRandom(seed: 11)
    // Floats between 1 and 2, or quantized values.
    let isFloat = interpreter.inputs[0].type?.elementType == .float32
    let bytes = (0..<byteCount).map { location in
      isFloat && location % 4 == 3 ? 0x3F : UInt8(truncatingIfNeeded: random.next())
    }
    try interpreter.setInput(0, bytes: bytes)
    return interpreter
  }

  @Test(arguments: ["float32", "int8", "uint8"])
  func `each node is told of once, by itself or with others`(format: String) throws {
    let model = try TestModels.digits(format)
    let (every, some) = (Recorder(seesEveryNode: true), Recorder(seesEveryNode: false))
    try Self.prepared(model, [every]).invoke()
    try Self.prepared(model, [some]).invoke()
    let nodes = every.members.flatMap(\.self)
    #expect(every.members.allSatisfy { $0.count == 1 })
    #expect(nodes == Array(0..<nodes.count))
    #expect(some.members.contains { $0.count > 1 })
    #expect(some.members.flatMap(\.self).sorted() == nodes)
  }

  @Test(arguments: ["float32", "int8", "uint8", "dynamic", "float16", "int16x8"])
  func `results are those of nodes one by one`(format: String) throws {
    let model = try TestModels.digits(format)
    func outputs(keepsAllTensors: Bool) throws -> [UInt8] {
      let interpreter = try Self.prepared(model, [], keepsAllTensors: keepsAllTensors)
      try interpreter.invoke()
      return try interpreter.outputBytes(0)
    }
    #expect(try outputs(keepsAllTensors: false) == outputs(keepsAllTensors: true))
  }

  @Test func `observers may come and go between setting inputs and runs`() throws {
    let model = try TestModels.digits("int8")
    let interpreter = try Self.prepared(model, [])
    try interpreter.invoke()
    let expected = try interpreter.outputBytes(0)
    for observers in [[Recorder(seesEveryNode: true)], [], [Recorder(seesEveryNode: true)]] {
      // Inputs keep their values.
      interpreter.observers = observers
      #expect(try interpreter.outputBytes(0) == expected)
      try interpreter.invoke()
      #expect(try interpreter.outputBytes(0) == expected)
      #expect(observers.allSatisfy { $0.members.allSatisfy { $0.count == 1 } })
    }
  }

  /// Sums of the first input and what came before, each read by the next one alone.
  private static func chain(of count: Int32) -> [UInt8] {
    let tensors = (0...count).map { _ in FlatTable([0: .ints([Int32(2)]), 1: .int(Int8(0))]) }
    let nodes = (0..<count).map { FlatTable([1: .ints([$0, 0]), 2: .ints([$0 + 1])]) }
    let subgraph = FlatTable([
      0: .tables(tensors), 1: .ints([Int32(0)]), 2: .ints([count]), 3: .tables(nodes),
    ])
    let code = FlatTable([0: .int(Int8(0)), 2: .int(Int32(1)), 3: .int(Int32(0))])
    let root = FlatTable([
      0: .int(UInt32(3)), 1: .tables([code]), 2: .tables([subgraph]), 4: .tables([FlatTable()]),
    ])
    return root.serialized(identifier: "TFL3")
  }

  @Test func `a long chain becomes several steps`() throws {
    let count: Int32 = 5000
    let recorder = Recorder(seesEveryNode: false)
    let interpreter = try Interpreter(Model(bytes: Self.chain(of: count)))
    interpreter.observers = [recorder]
    try interpreter.setInput(0, [1, -0.5] as [Float])
    try interpreter.invoke()
    #expect(try interpreter.output(0, as: Float.self) == [5001, -2500.5])
    #expect(recorder.members.flatMap(\.self).sorted() == Array(0..<Int(count)))
    #expect(recorder.members.map(\.count).max() == 16)
  }
}
