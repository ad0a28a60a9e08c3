// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Interpreters of one model that the tasks of a server share: a bounded number, lent in turn.
///
/// ```swift
/// let pool = try InterpreterPool(Model(path: "digits_int8.tflite"), capacity: 4)
/// let scores = try await pool.withInterpreter { interpreter in
///   try interpreter.setInput(0, pixels)            // [Int8]
///   try await interpreter.invoke()
///   return try interpreter.output(0, as: Int8.self)
/// }
/// ```
///
/// The interpreters share the model's weights as they are packed for the kernels, so that one more
/// costs the memory of its activations only; that comes with its first run. While all are
/// lent, further tasks wait, and are served in the order in which they came; a task that is
/// cancelled stops waiting at once.
///
/// A body that asks the same pool for a second interpreter may wait for ever: lend both in one.
public final class InterpreterPool: Sendable {
  /// The model that the interpreters run.
  public let model: Model
  /// The signature whose inputs and outputs are meant; nil for those of the main subgraph.
  public let signature: String?
  /// How the interpreters compute.
  public let options: Interpreter.Options
  /// The most interpreters that are lent at a time.
  public let capacity: Int

  private let state: Mutex<State>

  /// A pool of interpreters of `model`.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - signature: the key of the signature whose inputs and outputs are meant; nil for those of
  ///     the main subgraph.
  ///   - options: how to compute; `threadCount` is that of each interpreter.
  ///   - capacity: the most interpreters that are lent at a time; at least 1.
  /// - Throws: `InferenceError` where the model has no such signature or the capacity is none.
  public init(
    _ model: Model, signature: String? = nil, options: Interpreter.Options = .init(), capacity: Int
  ) throws(InferenceError) {
    guard capacity > 0 else {
      throw .invalidRequest("a pool of \(capacity) interpreters: it needs at least 1")
    }
    self.model = model
    self.signature = signature
    self.options = options
    self.capacity = capacity
    // Cheap: plans and memory come with the first run.
    var loans: [Loan] = []
    for _ in 0..<capacity {
      loans.append(Loan(try Interpreter(model, signature: signature, options: options)))
    }
    state = Mutex(State(idle: loans))
  }

  /// Lends an interpreter to `body`, once one is free.
  ///
  /// The interpreter's variables are zero, as in a new one; its inputs have the values and shapes
  /// that the borrower before gave them. It comes back when `body` ends, also by an error, and must
  /// not be used afterwards.
  ///
  /// - Parameters:
  ///   - isolation: the actor that `body` runs on; the caller's.
  ///   - body: what is done with the interpreter.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws; `InferenceError` with the reason `cancelled` where the task is
  ///   cancelled while it waits, and with `invalidRequest` where the pool is closed.
  public func withInterpreter<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Interpreter) async throws -> Result
  ) async throws -> Result {
    let loan = try await borrow()
    defer { giveBack(loan) }
    return try await body(unsafe loan.interpreter)
  }

  /// How many tasks wait for an interpreter.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// How many interpreters are lent.
  public var lentCount: Int { state.withLock { $0.lentCount } }

  /// Lends no more interpreters: tasks that wait, and those that come, get an error.
  ///
  /// Interpreters that are lent stay with their borrowers until these are done.
  public func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      state.idle = []
      defer { state.waiting = [] }
      return state.waiting
    }
    for location in waiting { location.continuation.resume(throwing: Self.closed) }
  }

  private static var closed: InferenceError { .invalidRequest("the pool is closed") }

  private func borrow() async throws -> Loan {
    let ticket = Ticket()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Loan, any Error>? in
          // Whoever is cancelled from here on is in the queue when the handler looks for it.
          if Task.isCancelled { return .failure(InferenceError(.cancelled)) }
          if state.isClosed { return .failure(Self.closed) }
          if let loan = state.lend() { return .success(loan) }
          state.waiting.append(State.Location(ticket: ticket, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let location = state.withLock { state in
        state.waiting.firstIndex { $0.ticket === ticket }.map { state.waiting.remove(at: $0) }
      }
      location?.continuation.resume(throwing: InferenceError(.cancelled))
    }
  }

  private func giveBack(_ loan: Loan) {
    unsafe loan.interpreter.resetVariables()
    state.withLock { $0.takeBack(loan) }?.continuation.resume(returning: loan)
  }

  /// Tells one task that waits from the others.
  private final class Ticket: Sendable {}

  /// An interpreter that one borrower at a time has.
  private final class Loan: Sendable {
    // The pool gives it to one task after the other, its lock between them.
    nonisolated(unsafe) let interpreter: Interpreter

    init(_ interpreter: Interpreter) { unsafe self.interpreter = interpreter }
  }

  private struct State {
    /// A task's location in the queue.
    struct Location {
      let ticket: Ticket
      let continuation: CheckedContinuation<Loan, any Error>
    }

    var idle: [Loan]
    var lentCount = 0
    /// The tasks that wait, in the order in which they came; none while an interpreter is idle.
    var waiting: [Location] = []
    var isClosed = false

    mutating func lend() -> Loan? {
      // The one that was used last has its memory in the caches.
      guard let loan = idle.popLast() else { return nil }
      lentCount += 1
      return loan
    }

    /// The location that gets the interpreter next; without one, it is idle.
    mutating func takeBack(_ loan: Loan) -> Location? {
      if !waiting.isEmpty { return waiting.removeFirst() }
      lentCount -= 1
      if !isClosed { idle.append(loan) }
      return nil
    }
  }
}
