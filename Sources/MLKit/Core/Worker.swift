// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Something that is made when it is first needed and used by one thread at a time.
final class Worker<Value>: @unchecked Sendable {
  private let queue: DispatchQueue
  private let make: () throws(NSError) -> Value
  /// Only touched on the queue.
  private var value: Value?

  /// What `make` makes when it is first needed, and again where it failed.
  init(_ label: String, make: @escaping () throws(NSError) -> Value) {
    queue = DispatchQueue(label: "martlet.\(label)")
    self.make = make
  }

  /// What `body` makes of the value, on this thread.
  func perform<Result>(_ body: (Value) throws(NSError) -> Result) throws(NSError) -> Result {
    let outcome: Swift.Result<Result, NSError> = queue.sync { attempt(body) }
    return try outcome.get()
  }

  /// What `body` makes of the value, on another thread; then `completion`, where such run.
  func start<Result>(
    _ body: @escaping (Value) throws(NSError) -> Result,
    completion: @escaping (Swift.Result<Result, NSError>) -> Void
  ) {
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) let completion = completion
    queue.async { [self] in
      nonisolated(unsafe) let outcome = unsafe attempt(body)
      MLKitSettings.complete { unsafe completion(outcome) }
    }
  }

  /// What `body` makes of the value, on another thread.
  nonisolated(nonsending) func value<Result>(
    _ body: @escaping (Value) throws(NSError) -> Result
  ) async throws -> Result {
    nonisolated(unsafe) let body = body
    let outcome = await withCheckedContinuation {
      (done: CheckedContinuation<Swift.Result<Result, NSError>, Never>) in
      queue.async { [self] in
        nonisolated(unsafe) let outcome = unsafe attempt(body)
        unsafe done.resume(returning: outcome)
      }
    }
    return try outcome.get()
  }

  private func current() throws(NSError) -> Value {
    if let value { return value }
    return try make()
  }

  private func attempt<Result>(
    _ body: (Value) throws(NSError) -> Result
  ) -> Swift.Result<Result, NSError> {
    do throws(NSError) {
      let value = try current()
      self.value = value
      return .success(try body(value))
    } catch {
      return .failure(error)
    }
  }
}

extension Generation {
  /// Refuses the main thread, where the originals raise an exception, to keep it free for handlers.
  func checkThread(_ function: String) throws(NSError) {
    guard MainQueue.isCurrent, MLKitSettings.completesOnMain else { return }
    throw error(
      .failedPrecondition,
      "\(function) must not be called on the main thread unless MLKitSettings.completionQueue is another queue"
    )
  }
}

/// The main thread, or what runs the main queue in its location after `dispatchMain()`.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) == true || Thread.isMainThread
  }
}
