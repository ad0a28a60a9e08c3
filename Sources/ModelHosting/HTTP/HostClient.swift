// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Makes the requests of a ``ModelHost``: bounded in time, size, redirects and retries.
public struct HostClient: Sendable {
  /// An answer as a whole.
  public struct Response: Sendable {
    /// The HTTP status.
    public var status: Int { head.status }
    /// The body.
    public let body: Data
    let head: HTTPHead

    /// The value of the header called `name`, in whichever case it was sent.
    public func header(_ name: String) -> String? { head[name] }
  }

  let transport: any HTTPTransport
  let policy: AddressPolicy
  let retries: RetryPolicy
  let maximumRedirects: Int
  let idleTimeout: Duration
  let allowsCellularAccess: Bool
  /// When everything must be done.
  let deadline: ContinuousClock.Instant

  /// The document at `url`.
  ///
  /// Requests that fail for the moment are repeated; an answer with any status is returned.
  ///
  /// - Parameters:
  ///   - url: `https`, or `http` to this machine.
  ///   - headers: sent to the address's own host only, and not to where it redirects.
  ///   - limit: the most bytes that the document may have.
  /// - Returns: the answer, whatever its status.
  /// - Throws: `HostingError` where there is no answer, or none that may be had.
  public func get(
    _ url: URL, headers: [String: String] = [:], limit: Int = 1 << 20
  ) async throws(HostingError) -> Response {
    try await respond(request(url, headers), limit: limit) { _ in false }
  }

  /// The headers at `url`, without the document.
  ///
  /// - Parameters:
  ///   - url: `https`, or `http` to this machine.
  ///   - headers: sent to the address's own host only, and not to where it redirects.
  ///   - header: a redirect that has this header is the answer, and is not followed.
  /// - Returns: the answer, whatever its status; its body is empty.
  /// - Throws: `HostingError` where there is no answer, or none that may be had.
  public func head(
    _ url: URL, headers: [String: String] = [:], endingAt header: String? = nil
  ) async throws(HostingError) -> Response {
    var request = request(url, headers)
    request.method = .head
    return try await respond(request, limit: 1 << 20) { head in
      header.map { head[$0] != nil } ?? false
    }
  }

  func request(_ url: URL, _ headers: [String: String]) -> HTTPRequest {
    HTTPRequest(
      url: url, headers: headers, allowsCellularAccess: allowsCellularAccess,
      deadline: deadline, idleTimeout: idleTimeout)
  }

  private func respond(
    _ request: HTTPRequest, limit: Int, isAnswer: @escaping @Sendable (HTTPHead) -> Bool
  ) async throws(HostingError) -> Response {
    var attempt = 0
    while true {
      attempt += 1
      let document = DocumentReceiver(limit: limit)
      do throws(HostingError) {
        try await send(request, to: document, isAnswer: isAnswer)
        let response = try document.response()
        let failure = HostingError(.status(response.status), request.stage, "")
        guard failure.isTemporary,
          let pause = retries.pause(
            after: attempt, retryAfter: RetryPolicy.retryAfter(response.head)),
          ContinuousClock.now + pause < deadline
        else { return response }
        try await rest(pause, request.stage)
      } catch {
        guard error.isTemporary, let pause = retries.pause(after: attempt) else { throw error }
        try await rest(pause, request.stage, after: error)
      }
    }
  }

  /// Sends a request and follows redirects; `isAnswer` says which redirects are not followed.
  func send(
    _ request: HTTPRequest, to receiver: any HTTPReceiver,
    isAnswer: @escaping @Sendable (HTTPHead) -> Bool = { _ in false }
  ) async throws(HostingError) {
    var request = request
    let original = request.url
    try policy.check(request.url, stage: request.stage)
    for _ in 0...max(0, maximumRedirects) {
      let follower = RedirectReceiver(receiver, isAnswer: isAnswer)
      try await transport.send(request, to: follower)
      guard let location = follower.location else { return }
      guard let next = URL(string: location, relativeTo: request.url)?.absoluteURL else {
        throw HostingError(.refusedAddress, request.stage, "a redirect to no URL")
      }
      try policy.check(next, after: request.url, stage: request.stage)
      if !AddressPolicy.haveSameOrigin(original, next) {
        request.headers = request.headers.filter {
          Self.publicHeaders.contains($0.key.lowercased())
        }
      }
      request.url = next
    }
    throw HostingError(
      .refusedAddress, request.stage, "more than \(maximumRedirects) redirects")
  }

  /// The headers that say nothing about who asks.
  private static let publicHeaders: Set<String> = [
    "range", "if-range", "if-none-match", "accept",
  ]

  /// Waits, but not beyond the deadline; then `error` is the answer.
  func rest(
    _ pause: Duration, _ stage: HostingError.Stage, after error: HostingError? = nil
  ) async throws(HostingError) {
    guard ContinuousClock.now + pause < deadline else {
      throw error ?? HostingError(.timedOut, stage, "the deadline is too near")
    }
    do { try await Task.sleep(for: pause) } catch {
      throw HostingError(.cancelled, stage, "cancelled")
    }
  }
}
