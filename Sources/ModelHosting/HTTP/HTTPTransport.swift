// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A request for a document or a file.
package struct HTTPRequest: Sendable {
  /// What is asked for.
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
  }

  package var url: URL
  package var method = Method.get
  package var headers: [String: String] = [:]
  /// What errors of the request belong to.
  package var stage = HostingError.Stage.information
  package var allowsCellularAccess = true
  /// When the answer must be complete.
  package var deadline: ContinuousClock.Instant
  /// The longest time in which nothing arrives.
  package var idleTimeout: Duration
}

/// Status and headers of an answer.
package struct HTTPHead: Sendable {
  package let status: Int
  private let headers: [String: String]

  package init(status: Int, headers: [String: String]) {
    self.status = status
    self.headers = Dictionary(
      headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of the header called `name`, in whichever case it was sent.
  package subscript(name: String) -> String? { headers[name.lowercased()] }

  /// The announced length of the body, where it is a number.
  package var contentLength: Int? {
    self["Content-Length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// Whether the body's bytes are the file's own, and not packed for the way.
  package var isPlain: Bool {
    guard let encoding = self["Content-Encoding"]?.lowercased() else { return true }
    return encoding.isEmpty || encoding == "identity"
  }
}

/// What takes an answer in, piece by piece.
///
/// Calls come one at a time, and none comes after the transport has returned.
package protocol HTTPReceiver: AnyObject, Sendable {
  /// Takes status and headers; false ends the exchange.
  func start(_ head: HTTPHead) -> Bool

  /// Takes the next bytes of the body; false ends the exchange.
  func receive(_ bytes: Data) -> Bool
}

/// Sends requests over a network; redirects are left to the caller.
package protocol HTTPTransport: Sendable {
  /// Sends `request` and hands the answer to `receiver`.
  ///
  /// Returns when the answer is complete or the receiver has ended the exchange.
  func send(_ request: HTTPRequest, to receiver: any HTTPReceiver) async throws(HostingError)
}

/// The transport of a build without network access.
struct AbsentTransport: HTTPTransport {
  func send(_ request: HTTPRequest, to receiver: any HTTPReceiver) async throws(HostingError) {
    throw HostingError(
      .networkingUnavailable, request.stage,
      "this build has no network access; the package trait Networking is off")
  }
}

/// The transport of this build.
func defaultTransport() -> any HTTPTransport {
  #if Networking
    SessionTransport()
  #else
    AbsentTransport()
  #endif
}
