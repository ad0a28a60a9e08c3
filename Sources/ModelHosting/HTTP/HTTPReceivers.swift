// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Synchronization

/// Keeps an answer in memory, up to a limit.
final class DocumentReceiver: HTTPReceiver {
  private struct State {
    var head: HTTPHead?
    var body = Data()
    var isTooLong = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  func start(_ head: HTTPHead) -> Bool {
    state.withLock { $0.head = head }
    return true
  }

  func receive(_ bytes: Data) -> Bool {
    state.withLock { state in
      state.isTooLong = bytes.count > limit - state.body.count
      if !state.isTooLong { state.body.append(bytes) }
      return !state.isTooLong
    }
  }

  func response() throws(HostingError) -> HostClient.Response {
    let state = state.withLock { $0 }
    guard let head = state.head else {
      throw HostingError(.interrupted, .information, "the host gave no answer")
    }
    guard !state.isTooLong else {
      throw HostingError(
        .malformedAnswer, .information, "a document of more than \(limit) bytes")
    }
    return HostClient.Response(body: state.body, head: head)
  }
}

/// Lets an answer through, and stops at redirects that are to be followed.
final class RedirectReceiver: HTTPReceiver {
  private let receiver: any HTTPReceiver
  private let isAnswer: @Sendable (HTTPHead) -> Bool
  private let target = Mutex<String?>(nil)

  init(_ receiver: any HTTPReceiver, isAnswer: @escaping @Sendable (HTTPHead) -> Bool) {
    self.receiver = receiver
    self.isAnswer = isAnswer
  }

  /// Where the answer redirects to; nil where it was let through.
  var location: String? { target.withLock { $0 } }

  func start(_ head: HTTPHead) -> Bool {
    guard [301, 302, 303, 307, 308].contains(head.status), let location = head["Location"],
      !isAnswer(head)
    else { return receiver.start(head) }
    target.withLock { $0 = location }
    return false
  }

  func receive(_ bytes: Data) -> Bool { receiver.receive(bytes) }
}
