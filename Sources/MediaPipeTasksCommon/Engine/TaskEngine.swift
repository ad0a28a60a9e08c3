// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// What a task runs, used by one thread at a time, and the times of its inputs.
package final class TaskEngine<Engine>: @unchecked Sendable {
  private let engine: Engine
  private let lock = NSLock()
  /// The time of the latest input, in milliseconds; only touched under the lock.
  private var latest: Int?

  /// A task that has had no input.
  package init(_ engine: Engine) { self.engine = engine }

  /// What `body` makes of an input without a time, which gets one.
  ///
  /// The first has the time 0, each other one that is a second after the latest, as `TaskRunner`
  /// gives them.
  package func run<Output>(
    _ body: (Engine, _ timestampInMilliseconds: Int) throws(NSError) -> Output
  ) throws(NSError) -> Output {
    lock.lock()
    defer { lock.unlock() }
    let (time, overflows) = (latest ?? -1000).addingReportingOverflow(1000)
    guard !overflows else { throw TasksErrorCode.timesMustIncrease }
    latest = time
    return try body(engine, time)
  }

  /// What `body` makes of an input with a time.
  ///
  /// - Throws: `NSError` where the time is not after that of the latest input.
  package func run<Output>(
    timestampInMilliseconds: Int, _ body: (Engine) throws(NSError) -> Output
  ) throws(NSError) -> Output {
    lock.lock()
    defer { lock.unlock() }
    try advance(to: timestampInMilliseconds)
    return try body(engine)
  }

  /// What `body` makes of the engine, whatever the time.
  package func use<Output>(
    _ body: (Engine) throws(NSError) -> Output
  ) throws(NSError) -> Output {
    lock.lock()
    defer { lock.unlock() }
    return try body(engine)
  }

  private func advance(to time: Int) throws(NSError) {
    if let latest, time <= latest { throw TasksErrorCode.timesMustIncrease }
    latest = time
  }

  /// What `body` reads from the engine.
  package func read<Value>(_ body: (Engine) -> Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return body(engine)
  }
}

extension TasksErrorCode {
  /// The error of an input whose time is not after that of the latest.
  package static var timesMustIncrease: NSError {
    invalidArgumentError.status("Input timestamp must be monotonically increasing.")
  }
}
