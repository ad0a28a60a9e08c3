// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Formatting
import Foundation
import Martlet
import ModelFormat
import Tensors
import TestSupport
import Testing

/// Limits hold, and what keeps to them is taken.
@Suite struct LimitTests {
  private static func digits(_ limits: Limits) throws -> Model {
    try Model(path: TestModels.path("Models/digits/digits_int8.tflite"), limits: limits)
  }

  /// The error of loading and running a model with `limits`.
  private static func refusal(_ limits: Limits) -> InferenceError? {
    do {
      let interpreter = try Interpreter(digits(limits))
      try interpreter.invoke()
      return nil
    } catch {
      return error as? InferenceError
    }
  }

  @Test func `a model keeps to the default limits`() { #expect(Self.refusal(Limits()) == nil) }

  @Test func `a file may be no larger`() throws {
    let size = try Self.digits(Limits()).storage.byteCount
    #expect(Self.refusal(Limits(fileByteCount: size)) == nil)
    let error = try #require(Self.refusal(Limits(fileByteCount: size - 1)))
    #expect(error.sentence.contains("File too large"))
  }

  @Test func `a file may have no more tables and nodes`() throws {
    let file = try Self.digits(Limits()).file
    let nodeCount = file.subgraphs[0].nodes.count
    #expect(Self.refusal(Limits(nodeCount: nodeCount)) == nil)
    let nodes = try #require(Self.refusal(Limits(nodeCount: nodeCount - 1)))
    #expect(nodes.description.contains("\(nodeCount) nodes, of which the limit leaves"))
    #expect(nodes.location.hasPrefix("subgraph 0"))
    #expect(Self.refusal(Limits(tableCount: 20)) != nil)
    #expect(Self.refusal(Limits(tableDepth: 2)) != nil)
  }

  @Test func `tensors and arenas may be no larger`() throws {
    let interpreter = try Interpreter(Self.digits(Limits()))
    try interpreter.prepare()
    let plan = try #require(interpreter.plan)
    let arena = plan.memory.arenaByteCount
    #expect(Self.refusal(Limits(arenaByteCount: arena)) == nil)
    #expect(Self.refusal(Limits(arenaByteCount: arena - 1))?.sentence.contains("memory") == true)
    let largest = try #require(interpreter.table).types.compactMap { $0?.byteCount }.max() ?? 0
    #expect(Self.refusal(Limits(tensorByteCount: largest)) == nil)
    let error = try #require(Self.refusal(Limits(tensorByteCount: 1000)))
    #expect(error.location.contains("tensor"))
  }

  @Test func `a node may take no more operations`() throws {
    let interpreter = try Interpreter(Self.digits(Limits()))
    try interpreter.prepare()
    let tensors = GraphTensors(try #require(interpreter.table))
    let counts = interpreter.model.file.subgraphs[0].nodes.map { node in
      let cost = NodeCost(node, tensors)
      return max(cost.multiplyAdds ?? 0, cost.elementOperations ?? 0)
    }
    let most = try #require(counts.max())
    #expect(Self.refusal(Limits(nodeOperationCount: most)) == nil)
    let error = try #require(Self.refusal(Limits(nodeOperationCount: most - 1)))
    #expect(error.sentence == "\(most) operations needed, the limit is \(most - 1)")
    let node = try #require(counts.firstIndex(of: most))
    #expect(error.location.contains("operator \(node) "))
  }

  @Test func `a node whose shapes only a run tells may take no more operations either`() throws {
    let bytes = try InputFile.bytes(at: Goldens.path("RANGE/i32_up/model.tflite"))
    func run(_ limit: Int) throws {
      let interpreter = try Interpreter(
        Model(bytes: bytes, limits: Limits(nodeOperationCount: limit)))
      for (position, value) in [Int32(0), 100, 1].enumerated() {
        try interpreter.setInput(position, [value])
      }
      try interpreter.invoke()
    }
    try run(100)
    let error = #expect(throws: InferenceError.self) { try run(99) }
    #expect(error?.sentence == "100 operations needed, the limit is 99")
  }

  /// Loops over the other axes would take hours.
  @Test func `axes of an empty tensor may be no longer than those of a full one`() throws {
    let bytes = try InputFile.bytes(at: Goldens.path("MAX_POOL_2D/f32_valid/model.tflite"))
    let interpreter = try Interpreter(Model(bytes: bytes))
    try interpreter.resizeInput(0, to: [31, 5, 3, 0])
    try interpreter.invoke()
    try interpreter.resizeInput(0, to: [31, 5, 50_331_654, 0])
    let error = #expect(throws: InferenceError.self) { try interpreter.prepare() }
    #expect(error?.sentence.contains("is empty, but its axes (31x5x50331654x0)") == true)
    #expect(error?.location.contains("MAX_POOL_2D › input 0") == true)
    let limited = try Interpreter(Model(bytes: bytes, limits: Limits(nodeOperationCount: 1000)))
    try limited.resizeInput(0, to: [1, 50, 50, 0])
    let excess = #expect(throws: InferenceError.self) { try limited.prepare() }
    #expect(excess?.sentence.hasSuffix("operations needed, the limit is 1000") == true)
  }

  /// A damaged file can declare variables of any size, and they are allocated before nodes look at
  /// them.
  @Test func `variables may be no larger`() throws {
    let golden = "SVDF/f32_no_bias"
    #expect(throws: Never.self) { try Interpreter(Goldens.model(golden)).prepare() }
    var options = Interpreter.Options()
    options.limits = Limits(arenaByteCount: 7)
    let model = try Goldens.model(golden)
    let error = #expect(throws: InferenceError.self) {
      try Interpreter(model, options: options).prepare()
    }
    #expect(error?.sentence.contains("the limit is 7") == true)
    #expect(error?.location.contains("tensor") == true)
  }

  /// Variables and the arena are taken from one budget: neither is above the limit alone.
  @Test func `variables and the arena together may be no larger`() throws {
    let model = try Goldens.model("SVDF/f32_no_bias")
    func refusal(_ limit: Int) -> InferenceError? {
      var options = Interpreter.Options()
      options.limits = Limits(arenaByteCount: limit)
      do throws(InferenceError) { try Interpreter(model, options: options).prepare() } catch {
        return error
      }
      return nil
    }
    let interpreter = try Interpreter(model)
    try interpreter.prepare()
    let arena = try #require(interpreter.plan).memory.arenaByteCount
    let table = try #require(interpreter.table)
    let variables = zip(table.types, table.sources).reduce(0) { sum, tensor in
      sum + (tensor.1 == .variable ? tensor.0?.byteCount ?? 0 : 0)
    }
    #expect(refusal(max(arena, variables)) != nil)
    #expect(refusal(arena + variables) == nil)
  }

  /// A damaged file can declare gigabytes of them, and is refused for something else later.
  @Test func `variables take memory when they are written`() {
    let type = TensorType(.float32, [1 << 24])
    let bytes = TensorBytes(zeroOf: type, byteCount: 1 << 26)
    #expect(bytes.residentPageCount < 16)
    bytes.fillWithZero(of: type)
    #expect(bytes.residentPageCount == (1 << 26) / 4096)
    let codes = TensorType(.int8, [1 << 16], quantization: Quantization(scale: 1, zeroPoint: -3))
    let filled = TensorBytes(zeroOf: codes, byteCount: 1 << 16).span(as: Int8.self)
    #expect(filled.indices.allSatisfy { filled[$0] == -3 })
  }

  @Test func `errors stay short whatever tensors hold`() {
    let list = [Int](repeating: 0, count: 100_000)
    let error = InferenceError(.kernel(.invalid("repetitions \(list)")))
    #expect(error.description.hasPrefix("repetitions [0, 0"))
    #expect(error.description.count < 500)
  }

  @Test func `an interpreter's own limits come before the model's`() throws {
    let model = try Self.digits(Limits(arenaByteCount: 10))
    #expect(throws: InferenceError.self) { try Interpreter(model).invoke() }
    var options = Interpreter.Options()
    options.limits = Limits()
    try Interpreter(model, options: options).invoke()
  }

  /// The loop runs as long as its input says: for half an hour at least.
  @Test func `a loop ends when its time is over`() throws {
    var options = Interpreter.Options()
    options.limits = Limits(callCount: .max, duration: .milliseconds(50))
    let interpreter = try Interpreter(
      Goldens.model("WHILE/i32_rounds_7"), options: options)
    try interpreter.setInput(0, [Int32.min])
    try interpreter.setInput(1, [1, 2, 3, 4] as [Int32])
    let clock = ContinuousClock()
    let start = clock.now
    let error = #expect(throws: InferenceError.self) { try interpreter.invoke() }
    #expect(clock.now - start < .seconds(20))
    guard case .timeLimit(.milliseconds(50)) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("0.05 seconds") == true)
  }

  @Test func `time is counted for each invocation`() throws {
    let model = try Self.digits(Limits(duration: .seconds(600)))
    let interpreter = try Interpreter(model)
    for _ in 0..<3 { try interpreter.invoke() }
  }
}

extension TensorBytes {
  /// How many pages of 4 KiB the system has given to the bytes.
  fileprivate var residentPageCount: Int {
    var pages = [UInt8](repeating: 0, count: byteCount / 4096)
    let span = span(as: UInt8.self)
    unsafe span.withUnsafeBytes { bytes in
      _ = unsafe mincore(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, &pages)
    }
    return pages.count { $0 & 1 == 1 }
  }
}
