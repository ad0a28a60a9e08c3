// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet
import ModelSchema
import OptimizedKernels
import ResourceLimits
import Tensors
import TestSupport
import Testing

/// What nodes, chains of them, constants, variables and invocations may cost is known before it is
/// paid, and is bounded.
@Suite struct ResourceTests {
  private static func error(_ body: () throws -> Void) -> InferenceError? {
    do {
      try body()
      return nil
    } catch {
      return error as? InferenceError
    }
  }

  private static func isMemoryLimit(_ error: InferenceError?) -> Bool {
    if case .memoryLimit = error?.reason { true } else { false }
  }

  private static func isWorkLimit(_ error: InferenceError?) -> Bool {
    if case .workLimit = error?.reason { true } else { false }
  }

  // Length.

  @Test(arguments: [10, 1000, 100_000])
  func `a chain of nodes of any length runs on a small stack`(count: Int) throws {
    let bytes = DrawnModel.chain(count).bytes
    nonisolated(unsafe) var results: [[Float]] = []
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      for kernels in [KernelSet.optimized, .reference] {
        var options = Interpreter.Options()
        options.kernels = kernels
        if let interpreter = try? Interpreter(Model(bytes: bytes), options: options) {
          try? interpreter.setInput(0, [1, 2, 3, 4] as [Float])
          try? interpreter.invoke()
          unsafe results.append((try? interpreter.output(0, as: Float.self)) ?? [])
        }
      }
      done.signal()
    }
    thread.stackSize = 256 << 10
    thread.start()
    done.wait()
    let computed = unsafe results
    #expect(computed == [[1, 2, 3, 4], [1, 2, 3, 4]])
  }

  /// What times of twice as much work are to each other, the best of three.
  private static func growth(_ size: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    func best(_ size: Int) throws -> Duration {
      var best = Duration.seconds(1000)
      for _ in 0..<3 { best = min(best, try clock.measure { try body(size) }) }
      return best
    }
    return try best(4 * size) / best(size)
  }

  /// Four times the size takes eight times as long at the most; quadratic work takes sixteen times.
  private static let mostGrowth = 9.0

  @Test func `the time to set inputs and join them grows with their number`() throws {
    let growth = try Self.growth(4000) { count in
      let interpreter = try Interpreter(DrawnModel.joined(count).loaded())
      for position in 0..<count { try interpreter.setInput(position, [Float(position)]) }
      try interpreter.invoke()
      #expect(try interpreter.output(0, as: Float.self).last == Float(count - 1))
    }
    #expect(growth < Self.mostGrowth)
  }

  @Test(arguments: [KernelSet.optimized, .reference])
  func `the time to plan a chain grows with its length`(kernels: KernelSet) throws {
    var options = Interpreter.Options()
    options.kernels = kernels
    let growth = try Self.growth(8000) { count in
      let interpreter = try Interpreter(DrawnModel.chain(count).loaded(), options: options)
      try interpreter.invoke()
    }
    #expect(growth < Self.mostGrowth)
  }

  /// All live at once, so that each is beside every other one.
  @Test func `the time to place tensors grows with their number`() throws {
    let growth = try Self.growth(10_000) { count in
      let requests = (0..<count).map { index in
        ArenaPlanner.Request(byteCount: 64 + index % 3, lifetime: index % 7...count)
      }
      let placement = try ArenaPlanner.location(requests)
      #expect(placement.byteCount >= 64 * count)
    }
    #expect(growth < Self.mostGrowth)
  }

  // Memory.

  @Test func `constants that nothing reads are not computed`() throws {
    let model = try DrawnModel.constants(12, length: 1 << 24, isRead: false).loaded(
      Limits(arenaByteCount: 65 << 20))
    let interpreter = try Interpreter(model)
    try interpreter.prepare()
    try interpreter.setInput(0, [3] as [Float])
    try interpreter.invoke()
    #expect(try interpreter.output(0, as: Float.self) == [-3])
  }

  @Test func `constants and everything else are taken from one budget of memory`() throws {
    let needed = DrawnModel.constants(12, length: 1 << 18, isRead: true)
    let error = Self.error {
      let interpreter = try Interpreter(needed.loaded(Limits(arenaByteCount: 8 << 20)))
      try interpreter.invoke()
    }
    #expect(Self.isMemoryLimit(error))
    let interpreter = try Interpreter(needed.loaded(Limits(arenaByteCount: 40 << 20)))
    try interpreter.invoke()
    let held = try #require(interpreter.plan?.heldByteCount)
    #expect(held > 12 << 20)
    #expect(held <= 40 << 20)
  }

  @Test func `variables of a run are taken from the same budget`() throws {
    let drawn = DrawnModel.variables(20, length: 1 << 18)
    let error = Self.error {
      let interpreter = try Interpreter(drawn.loaded(Limits(arenaByteCount: 8 << 20)))
      try interpreter.invoke()
    }
    #expect(Self.isMemoryLimit(error))
    #expect(error?.location.contains("ASSIGN_VARIABLE") == true)
    let interpreter = try Interpreter(drawn.loaded(Limits(arenaByteCount: 40 << 20)))
    // A variable that is assigned again gives back what it held.
    for _ in 0..<5 { try interpreter.invoke() }
  }

  @Test func `the default is larger for a model with a large file`() {
    let limits = Limits()
    #expect(limits.applied(toFileOf: 1000).arenaByteCount == Limits.usualArenaByteCount)
    #expect(limits.applied(toFileOf: 240 << 20).arenaByteCount == 1920 << 20)
    #expect(limits.applied(toFileOf: 60 << 20).workCount > 8 * limits.workCount - 1)
    #expect(Limits(arenaByteCount: 7).applied(toFileOf: 240 << 20).arenaByteCount == 7)
    var changed = Limits()
    (changed.arenaByteCount, changed.workCount) = (8, 9)
    #expect(changed.applied(toFileOf: 240 << 20) == changed)
  }

  @Test func `tools that look at values take small tensors, and the floats of a large file`() {
    var limits = Limits().forLookingAtValues
    #expect(limits.applied(toFileOf: 0).tensorByteCount == 24 << 20)
    #expect(limits.applied(toFileOf: 12 << 20).tensorByteCount == 24 << 20)
    #expect(limits.applied(toFileOf: 40 << 20).tensorByteCount == 80 << 20)
    #expect(limits.applied(toFileOf: 4 << 30).tensorByteCount == Limits.usualTensorByteCount)
    limits.tensorByteCount = Limits.usualTensorByteCount
    #expect(limits.applied(toFileOf: 0).tensorByteCount == Limits.usualTensorByteCount)
  }

  // Work.

  @Test func `the work of many operands is known before it is done`() throws {
    let drawn = DrawnModel.sum(of: 10_000, length: 1_000_000)
    let clock = ContinuousClock()
    let start = clock.now
    let error = Self.error { try Interpreter(drawn.loaded()).invoke() }
    #expect(Self.isWorkLimit(error))
    let perNode = Self.error {
      try Interpreter(drawn.loaded(Limits(nodeOperationCount: 1_000_000_000))).prepare()
    }
    #expect(perNode?.sentence == "10000000000 operations needed, the limit is 1000000000")
    #expect(clock.now - start < .seconds(5))
    try Interpreter(DrawnModel.sum(of: 100, length: 1000).loaded()).invoke()
  }

  @Test func `looked-up rows and compared strings count as work`() throws {
    var rows = DrawnModel()
    let ids = rows.tensor([30_000], .int32)
    let (indices, shape) = (rows.tensor([30_000, 1], .int32), rows.constant([1]))
    let (weights, table) = (rows.tensor([30_000]), rows.tensor([1, 3_000_000]))
    let output = rows.tensor([3_000_000])
    rows.node(.embeddingLookupSparse, [ids, indices, shape, weights, table], [output])
    (rows.graphs[0].inputs, rows.graphs[0].outputs) = ([ids, indices, weights, table], [output])
    #expect(Self.isWorkLimit(Self.error { try Interpreter(rows.loaded()).invoke() }))

    var strings = DrawnModel()
    let (left, right) = (strings.tensor([4096, 1], .string), strings.tensor([1, 4096], .string))
    let equal = strings.tensor([4096, 4096], .bool)
    strings.node(.equal, [left, right], [equal])
    (strings.graphs[0].inputs, strings.graphs[0].outputs) = ([left, right], [equal])
    let interpreter = try Interpreter(strings.loaded())
    let long = Array(repeating: Array(repeating: UInt8(ascii: "a"), count: 4096), count: 4096)
    for position in 0..<2 {
      try interpreter.setInput(position, bytes: StringTensor.bytes(of: long))
    }
    #expect(Self.isWorkLimit(Self.error { try interpreter.invoke() }))
    let short = Array(repeating: [UInt8(ascii: "a")], count: 4096)
    for position in 0..<2 {
      try interpreter.setInput(position, bytes: StringTensor.bytes(of: short))
    }
    try interpreter.invoke()
  }

  /// 4,000 additions of a million elements take seconds.
  @Test(arguments: [1, 2])
  func `time is looked at within a node`(threadCount: Int) throws {
    var options = Interpreter.Options()
    options.threadCount = threadCount
    options.limits = Limits(workCount: .max, duration: .milliseconds(200))
    let drawn = DrawnModel.sum(of: 4000, length: 1_000_000)
    let interpreter = try Interpreter(drawn.loaded(), options: options)
    try interpreter.prepare()
    let clock = ContinuousClock()
    let start = clock.now
    let error = Self.error { try interpreter.invoke() }
    guard case .timeLimit = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(clock.now - start < .seconds(2))
  }

  /// The body of the loop is cheap, but has many rounds.
  @Test func `the work of all rounds of a loop is counted together`() throws {
    var options = Interpreter.Options()
    options.limits = Limits(workCount: 1 << 26, callCount: .max)
    let interpreter = try Interpreter(Goldens.model("WHILE/i32_rounds_7"), options: options)
    try interpreter.setInput(0, [Int32.min])
    try interpreter.setInput(1, [1, 2, 3, 4] as [Int32])
    #expect(Self.isWorkLimit(Self.error { try interpreter.invoke() }))
  }

  @Test func `a branch that does not exist is refused whichever is taken`() throws {
    var drawn = DrawnModel()
    let (condition, value) = (drawn.tensor([1], .bool), drawn.tensor([1]))
    let output = drawn.tensor([1])
    drawn.node(
      .if, [condition, value], [output],
      options: (92, [0: .int(Int32(1)), 1: .int(Int32(7))]))
    (drawn.graphs[0].inputs, drawn.graphs[0].outputs) = ([condition, value], [output])
    drawn.graphs.append(DrawnModel.Graph())
    let (given, negated) = (drawn.tensor([1], graph: 1), drawn.tensor([1], graph: 1))
    drawn.node(.neg, [given], [negated], graph: 1)
    (drawn.graphs[1].inputs, drawn.graphs[1].outputs) = ([given], [negated])
    let error = Self.error { try Interpreter(drawn.loaded()).prepare() }
    #expect(error?.sentence == "subgraph 7 does not exist: the model has 2")
    #expect(error?.location == "subgraph 0 › operator 0 IF")
  }

  @Test func `an input beyond the bytes of a tensor is refused before it is made`() throws {
    var limits = Limits()
    limits.tensorByteCount = 1 << 10
    let model = try Model(bytes: DrawnModel.sum(of: 2, length: 1 << 9).bytes, limits: limits)
    #expect(Self.isMemoryLimit(Self.error { _ = try Interpreter(model).prepare() }))
  }

  @Test func `a published detector may be computed by reference kernels, a small file may not`() {
    // YOLOv8n for 640 × 640 pixels with 8-bit weights: what it needs, and the bytes of its file.
    let (needed, byteCount) = (111_965_593_344, 3_431_610)
    for limits in [Limits(), Limits().forLookingAtValues] {
      #expect(limits.applied(toFileOf: byteCount).workCount > needed)
      // A unit is an eighth of a nanosecond: ten seconds.
      #expect(limits.applied(toFileOf: 1 << 20).workCount < 80_000_000_000)
    }
  }

  @Test func `tools that run a model several times give a small file less work`() {
    let (plain, tools) = (Limits(), Limits().forLookingAtValues)
    #expect(tools.applied(toFileOf: 1000).workCount < plain.applied(toFileOf: 1000).workCount / 7)
    let large = 100 << 20
    #expect(
      tools.applied(toFileOf: large).workCount > plain.applied(toFileOf: large).workCount / 100 * 98
    )
    var set = Limits().forLookingAtValues
    set.workCount = 5
    #expect(set.applied(toFileOf: large).workCount == 5)
  }
}
