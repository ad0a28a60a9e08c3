// SPDX-License-Identifier: Apache-2.0

import CommandCore
import FileAccess

/// How many records a worker answered.
struct WorkerTally: Equatable {
  /// The answers that were written, errors included.
  var answered = 0
  /// The errors among them.
  var failed = 0
  /// Records that an earlier run has answered.
  var passedOver = 0
}

/// Puts the answers of several threads into order, and keeps the threads from running ahead.
///
/// Records are numbered as they are begun. At most `window` of them are without a written answer at
/// a time, so a slow record, or a slow reader of the answers, holds up everything before memory
/// fills. The lowest record that is not written is always in some thread's hands, so the wait ends.
final class AnswerSequence: Sendable {
  /// What becomes of answers.
  struct Rules {
    /// The most records that have been begun and not been written.
    var window: Int
    /// Whether answers keep the order of the records.
    var isOrdered = true
    /// Whether the first error ends the run.
    var endsAtFailure = true
  }

  /// The answer to one record.
  struct Answer {
    /// The line to write; nil where an earlier run has written it.
    let line: [UInt8]?
    let isFailure: Bool
  }

  private struct State {
    /// How many records have been begun, and how many are finished.
    var (begun, finished) = (0, 0)
    /// Answers that wait for those of earlier records.
    var pending: [Int: Answer] = [:]
    /// The first record whose error ends the run.
    var failed: Int?
    var error: FileSystemError?
    var isEnded = false
    var tally = WorkerTally()
  }

  private let rules: Rules
  private let write: @Sendable ([UInt8], WorkerTally) throws(FileSystemError) -> Void
  private let stop: @Sendable () -> Void
  private let state = Condition(State())

  /// A sequence without records.
  ///
  /// - Parameters:
  ///   - rules: what becomes of answers.
  ///   - write: writes the line of an answer; one thread at a time calls it.
  ///   - stop: stops the input where the run ends early; any thread calls it.
  init(
    _ rules: Rules,
    write: @escaping @Sendable ([UInt8], WorkerTally) throws(FileSystemError) -> Void,
    stop: @escaping @Sendable () -> Void
  ) {
    self.rules = rules
    self.write = write
    self.stop = stop
  }

  /// Waits until there is room for one more record; false where there shall be no more.
  func waitForRoom() -> Bool {
    state.withLock(
      waitingWhile: { !$0.isEnded && $0.begun - $0.finished >= rules.window },
      { !$0.isEnded })
  }

  /// The number of a record that is begun now; one thread at a time begins records.
  func begin() -> Int {
    state.withLock { state in
      defer { state.begun += 1 }
      return state.begun
    }
  }

  /// Gives the answer to a record.
  func finish(_ number: Int, _ answer: Answer) {
    state.withLock { state in
      if rules.isOrdered {
        state.pending[number] = answer
        while let next = state.pending.removeValue(forKey: state.finished) {
          put(next, state.finished, &state)
          state.finished += 1
        }
      } else {
        put(answer, number, &state)
        state.finished += 1
      }
    }
    state.broadcast()
  }

  /// Begins no more records: the input has ended, or cannot be read.
  func end(_ error: FileSystemError? = nil) {
    state.withLock { state in
      state.error = state.error ?? error
      state.isEnded = true
    }
    state.broadcast()
  }

  /// What was written, once all threads are done.
  var tally: WorkerTally { state.withLock { $0.tally } }

  /// Whether an error ended the run.
  var hasFailed: Bool { state.withLock { $0.failed != nil } }

  /// What kept the run from reading or writing.
  var error: FileSystemError? { state.withLock { $0.error } }

  private func put(_ answer: Answer, _ number: Int, _ state: inout State) {
    // Records before the one that failed are answered, those behind it are not.
    if let failed = state.failed, number > failed { return }
    guard state.error == nil else { return }
    guard let line = answer.line else {
      state.tally.passedOver += 1
      return
    }
    state.tally.answered += 1
    if answer.isFailure { state.tally.failed += 1 }
    do throws(FileSystemError) { try write(line, state.tally) } catch {
      state.error = error
    }
    if answer.isFailure, rules.endsAtFailure { state.failed = number }
    guard state.error != nil || state.failed != nil else { return }
    state.isEnded = true
    stop()
  }
}
