// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet
import SeededRandom
import Synchronization
import Testing

/// Runs are cancelled from other threads while further interpreters run on the same model.
@Suite struct CancellationTests {
  /// Holds a run behind its third node until somebody lets it go on.
  private final class Halt: InferenceObserver {
    let reached = DispatchSemaphore(value: 0)
    let released = DispatchSemaphore(value: 0)

    func didEvaluate(_ record: NodeRecord) {
      guard record.node == 2 else { return }
      reached.signal()
      released.wait()
    }
  }

  /// An interpreter that one thread runs and another one cancels.
  private final class Shared: Sendable {
    nonisolated(unsafe) let interpreter: Interpreter
    init(_ interpreter: Interpreter) { unsafe self.interpreter = interpreter }
  }

  private static func isCancelled(_ error: any Error) -> Bool {
    guard let error = error as? InferenceError, case .cancelled = error.reason else { return false }
    return true
  }

  @Test(arguments: [1, 3])
  func `a cancelled run leaves the others alone, and its interpreter runs again`(
    threads: Int
  ) throws {
    let model = try TestModels.digits("int8")
    let expected = try InterpreterTests.run(Interpreter(model))
    var options = Interpreter.Options()
    options.threadCount = threads
    let neighbors = try Neighbors(model, options, expected: expected)
    let shared = Shared(try Interpreter(model, options: options))
    for _ in 0..<20 {
      let halt = Halt()
      unsafe shared.interpreter.observers = [halt]
      try unsafe shared.interpreter.setInput(0, InterpreterTests.pixels)
      let (reached, released) = (halt.reached, halt.released)
      let canceller = Thread {
        reached.wait()
        unsafe shared.interpreter.cancel()
        released.signal()
      }
      canceller.start()
      #expect { try unsafe shared.interpreter.invoke() } throws: { Self.isCancelled($0) }
      unsafe shared.interpreter.observers = []
      #expect(try unsafe InterpreterTests.run(shared.interpreter) == expected)
    }
    let (runs, wrong) = neighbors.end()
    #expect(runs > 0 && wrong == 0)
  }

  @Test func `whenever it is cancelled, a run ends by that or with the right scores`() throws {
    let model = try TestModels.digits("int8")
    let expected = try InterpreterTests.run(Interpreter(model))
    let neighbors = try Neighbors(model, .init(), expected: expected)
    let shared = Shared(try Interpreter(model))
    let isDone = Mutex(false)
    let ended = DispatchSemaphore(value: 0)
    let canceller = Thread {
      var random = SeededRandom(seed: 11)
      while !isDone.withLock({ $0 }) {
        usleep(UInt32(random.next() % 1000))
        unsafe shared.interpreter.cancel()
      }
      ended.signal()
    }
    canceller.start()
    var (finished, cancelled) = (0, 0)
    while finished + cancelled < 5000, finished < 50 || cancelled < 50 {
      do {
        #expect(try unsafe InterpreterTests.run(shared.interpreter) == expected)
        finished += 1
      } catch {
        #expect(Self.isCancelled(error))
        cancelled += 1
      }
    }
    isDone.withLock { $0 = true }
    ended.wait()
    #expect(finished > 0 && cancelled > 0)
    #expect(try unsafe InterpreterTests.run(shared.interpreter) == expected)
    let (runs, wrong) = neighbors.end()
    #expect(runs > 0 && wrong == 0)
  }

  /// Further interpreters on the same model, which run on threads of their own all the while.
  private final class Neighbors: Sendable {
    private struct State {
      var (runs, wrong, isDone) = (0, 0, false)
    }
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)
    private static let count = 3

    init(_ model: Model, _ options: Interpreter.Options, expected: [Int8]) throws {
      for _ in 0..<Self.count {
        let shared = Shared(try Interpreter(model, options: options))
        Thread.detachNewThread { [self] in
          repeat {
            let scores = try? unsafe InterpreterTests.run(shared.interpreter)
            state.withLock { state in
              state.runs += 1
              if scores != expected { state.wrong += 1 }
            }
          } while !state.withLock { $0.isDone }
          ended.signal()
        }
      }
    }

    /// How many runs there were, and how many of them had other scores than expected.
    func end() -> (runs: Int, wrong: Int) {
      state.withLock { $0.isDone = true }
      for _ in 0..<Self.count { ended.wait() }
      return state.withLock { ($0.runs, $0.wrong) }
    }
  }
}
