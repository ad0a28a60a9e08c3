// SPDX-License-Identifier: Apache-2.0

import Martlet
import Synchronization
import TestSupport
import Testing

@Suite struct InterpreterPoolTests {
  /// What tasks noted, in the order in which they did.
  private final class Notes<Note: Sendable>: Sendable {
    private let notes = Mutex<[Note]>([])
    var all: [Note] { notes.withLock { $0 } }
    func add(_ note: Note) { notes.withLock { $0.append(note) } }
  }

  /// A gate that tasks wait at until it is opened.
  private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
      guard !isOpen else { return }
      await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
      isOpen = true
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private struct BodyError: Error {}

  private static func pool(capacity: Int) throws -> InterpreterPool {
    try InterpreterPool(TestModels.digits("int8"), capacity: capacity)
  }

  /// Waits until the pool is as `condition` says.
  private static func wait(_ pool: InterpreterPool, _ condition: (InterpreterPool) -> Bool) async {
    while !condition(pool) { await Task.yield() }
  }

  /// A task that holds an interpreter until the gate is opened.
  private static func holder(of pool: InterpreterPool, _ gate: Gate) -> Task<Void, any Error> {
    Task { try await pool.withInterpreter { _ in await gate.pass() } }
  }

  @Test(arguments: [1, 3]) func `many tasks share few interpreters`(capacity: Int) async throws {
    let pool = try Self.pool(capacity: capacity)
    let expected = try InterpreterTests.run(Interpreter(pool.model))
    let lent = Notes<Int>()
    try await withThrowingTaskGroup(of: [Int8].self) { group in
      for number in 0..<60 {
        group.addTask {
          try await pool.withInterpreter { interpreter in
            lent.add(pool.lentCount)
            guard number % 2 == 0 else { return try InterpreterTests.run(interpreter) }
            try interpreter.setInput(0, InterpreterTests.pixels)
            try await interpreter.invoke()
            return try interpreter.output(0, as: Int8.self)
          }
        }
      }
      for try await scores in group { #expect(scores == expected) }
    }
    #expect(lent.all.count == 60)
    #expect(lent.all.allSatisfy { (1...capacity).contains($0) })
    #expect(pool.lentCount == 0 && pool.waitingCount == 0)
  }

  @Test func `tasks are served in the order in which they came`() async throws {
    let pool = try Self.pool(capacity: 1)
    let gate = Gate()
    let served = Notes<Int>()
    let first = Self.holder(of: pool, gate)
    await Self.wait(pool) { $0.lentCount == 1 }
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      tasks.append(Task { try await pool.withInterpreter { _ in served.add(number) } })
      await Self.wait(pool) { $0.waitingCount == number + 1 }
    }
    #expect(served.all == [])
    await gate.open()
    try await first.value
    for task in tasks { try await task.value }
    #expect(served.all == Array(0..<20))
  }

  @Test func `a task that is cancelled stops waiting, the others do not`() async throws {
    let pool = try Self.pool(capacity: 1)
    let gate = Gate()
    let served = Notes<Int>()
    let first = Self.holder(of: pool, gate)
    await Self.wait(pool) { $0.lentCount == 1 }
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<3 {
      tasks.append(Task { try await pool.withInterpreter { _ in served.add(number) } })
      await Self.wait(pool) { $0.waitingCount == number + 1 }
    }
    tasks[1].cancel()
    // The interpreter is still lent, so only the cancellation can end the wait.
    let error = await #expect(throws: InferenceError.self) { try await tasks[1].value }
    #expect(error?.sentence == "cancelled")
    #expect(pool.waitingCount == 2 && pool.lentCount == 1)
    await gate.open()
    try await first.value
    try await tasks[0].value
    try await tasks[2].value
    #expect(served.all == [0, 2])
    await Self.wait(pool) { $0.lentCount == 0 }
  }

  @Test func `a task that was cancelled before gets nothing`() async throws {
    let pool = try Self.pool(capacity: 1)
    let gate = Gate()
    let task = Task {
      await gate.pass()
      try await pool.withInterpreter { _ in _ = Issue.record("lent to a cancelled task") }
    }
    task.cancel()
    await gate.open()
    await #expect(throws: InferenceError.self) { try await task.value }
    #expect(pool.lentCount == 0)
  }

  @Test func `an error in the body returns the interpreter`() async throws {
    let pool = try Self.pool(capacity: 1)
    for _ in 0..<5 {
      await #expect(throws: BodyError.self) {
        try await pool.withInterpreter { _ -> Void in throw BodyError() }
      }
    }
    #expect(pool.lentCount == 0)
    let scores = try await pool.withInterpreter { try InterpreterTests.run($0) }
    #expect(scores.count == 10)
  }

  @Test func `a closed pool lends nothing, and what is lent comes back`() async throws {
    let pool = try Self.pool(capacity: 1)
    let gate = Gate()
    let first = Self.holder(of: pool, gate)
    await Self.wait(pool) { $0.lentCount == 1 }
    let waiting = Task { try await pool.withInterpreter { _ in } }
    await Self.wait(pool) { $0.waitingCount == 1 }
    pool.close()
    let error = await #expect(throws: InferenceError.self) { try await waiting.value }
    #expect(error?.sentence == "the pool is closed")
    await gate.open()
    try await first.value
    #expect(pool.lentCount == 0)
    await #expect(throws: InferenceError.self) { try await pool.withInterpreter { _ in } }
  }

  @Test func `variables do not pass from borrower to borrower`() async throws {
    let model = try Goldens.model("SVDF/f32_rank_1")
    let pool = try InterpreterPool(model, capacity: 1)
    func run(_ interpreter: Interpreter) throws -> [UInt8] {
      let count = interpreter.inputs[0].type?.shape.elementCount ?? 0
      try interpreter.setInput(0, [Float](repeating: 0.5, count: count))
      try interpreter.invoke()
      return try interpreter.outputBytes(0)
    }
    let expected = try run(Interpreter(model))
    for _ in 0..<3 {
      let bytes = try await pool.withInterpreter { try run($0) }
      #expect(bytes == expected)
    }
  }

  @Test func `wrong requests are refused`() throws {
    let model = try TestModels.digits("int8")
    #expect(throws: InferenceError.self) { try InterpreterPool(model, capacity: 0) }
    #expect(throws: InferenceError.self) {
      try InterpreterPool(model, signature: "none", capacity: 1)
    }
  }
}
