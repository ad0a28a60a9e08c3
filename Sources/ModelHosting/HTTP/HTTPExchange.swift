// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Synchronization

/// One request on its way: its receiver, its time, and its end, which comes exactly once.
///
/// The receiver is called under the lock, so that once the end is reported it is left alone.
final class HTTPExchange: Sendable {
  typealias Outcome = Result<Void, HostingError>

  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
    var lastActivity = ContinuousClock.now
  }

  private let request: HTTPRequest
  private let receiver: any HTTPReceiver
  private let state = Mutex(State())

  init(_ request: HTTPRequest, _ receiver: any HTTPReceiver) {
    self.request = request
    self.receiver = receiver
  }

  /// Begins with `resume` and waits for the end.
  func outcome(resume: () -> Void) async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.continuation = continuation }
        return state.outcome
      }
      guard let outcome else { return resume() }
      continuation.resume(returning: outcome)
    }
  }

  /// Takes status and headers; nil is an answer that is not HTTP.
  func start(_ head: HTTPHead?) -> Bool {
    guard let head else {
      finish(HostingError(.malformedAnswer, request.stage, "the answer is not HTTP"))
      return false
    }
    return pass { $0.start(head) }
  }

  /// Takes the next bytes of the body.
  func receive(_ bytes: Data) -> Bool {
    pass { $0.receive(bytes) }
  }

  private func pass(_ call: (any HTTPReceiver) -> Bool) -> Bool {
    let proceeds = state.withLock { state in
      guard state.outcome == nil else { return false }
      state.lastActivity = .now
      return call(receiver)
    }
    if !proceeds { finish(nil) }
    return proceeds
  }

  /// The transport's own end, with an error that it met.
  func complete(_ failure: (reason: HostingError.Reason, message: String)?) {
    finish(failure.map { HostingError($0.reason, request.stage, $0.message) })
  }

  /// Ends the exchange, unless it has ended.
  func finish(_ error: HostingError?) {
    let outcome: Outcome = error.map { .failure($0) } ?? .success(())
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: outcome)
  }

  /// Ends the exchange when its time is up; cancelled when it has ended otherwise.
  func watch() async {
    while !Task.isCancelled {
      let idle = state.withLock { $0.lastActivity } + request.idleTimeout
      let now = ContinuousClock.now
      if now >= request.deadline {
        return finish(
          HostingError(.timedOut, request.stage, "the answer was not complete in time"))
      }
      if now >= idle {
        return finish(
          HostingError(
            .timedOut, request.stage, "nothing arrived for \(request.idleTimeout)"))
      }
      try? await Task.sleep(until: min(idle, request.deadline), clock: .continuous)
    }
  }
}
