// SPDX-License-Identifier: Apache-2.0

#if Networking
  import Foundation
  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif
  import Synchronization

  /// Requests over `URLSession`, without cache, cookies or stored credentials.
  final class SessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate = SessionDelegate()

    init() {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCredentialStorage = nil
      // A request that waits for others would seem to be stalled.
      configuration.httpMaximumConnectionsPerHost = 64
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    deinit { session.finishTasksAndInvalidate() }

    func send(_ request: HTTPRequest, to receiver: any HTTPReceiver) async throws(HostingError) {
      let task = session.dataTask(with: Self.urlRequest(request))
      let exchange = HTTPExchange(request, receiver)
      delegate.add(exchange, for: task)
      let watchdog = Task { await exchange.watch() }
      let outcome = await withTaskCancellationHandler {
        await exchange.outcome { task.resume() }
      } onCancel: {
        exchange.finish(HostingError(.cancelled, request.stage, "cancelled"))
      }
      watchdog.cancel()
      delegate.remove(task)
      task.cancel()
      try outcome.get()
    }

    private static func urlRequest(_ request: HTTPRequest) -> URLRequest {
      var result = URLRequest(url: request.url)
      result.httpMethod = request.method.rawValue
      result.allowsCellularAccess = request.allowsCellularAccess
      // The exchange watches over time itself: it has a deadline too.
      result.timeoutInterval = 86_400
      // The default says which program this is.
      result.setValue("martlet", forHTTPHeaderField: "User-Agent")
      // Packed bytes could be neither counted nor resumed.
      result.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
      for (name, value) in request.headers { result.setValue(value, forHTTPHeaderField: name) }
      return result
    }
  }

  /// Hands what a session reports to the exchanges.
  private final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: HTTPExchange]>([:])

    func add(_ exchange: HTTPExchange, for task: URLSessionTask) {
      exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func remove(_ task: URLSessionTask) {
      exchanges.withLock { $0[task.taskIdentifier] = nil }
    }

    private func exchange(_ task: URLSessionTask) -> HTTPExchange? {
      exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      // Where the exchange ends here, the task is cancelled with it, as at a redirect.
      if exchange(dataTask)?.start(Self.head(response)) ?? false { completionHandler(.allow) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping (URLRequest?) -> Void
    ) {
      // The receiver ends the exchange at a redirect; the client decides whether to follow.
      // The completion handler is left alone: the task is cancelled when the exchange ends, and
      // a handler that is called after that stops the program.
      let exchange = exchange(task)
      _ = exchange?.start(Self.head(response))
      exchange?.finish(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let exchange = exchange(dataTask), exchange.receive(data) else {
        return dataTask.cancel()
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      exchange(task)?.complete(error.map { Self.failure($0) })
    }

    private static func head(_ response: URLResponse) -> HTTPHead? {
      guard let response = response as? HTTPURLResponse else { return nil }
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        if let name = name as? String, let value = value as? String { headers[name] = value }
      }
      return HTTPHead(status: response.statusCode, headers: headers)
    }

    private static func failure(_ error: any Error) -> (HostingError.Reason, String) {
      guard let error = error as? URLError else { return (.interrupted, "\(error)") }
      let reason: HostingError.Reason =
        switch error.code {
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
          .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
          .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot,
          .clientCertificateRejected, .clientCertificateRequired:
          .unreachable
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        // What libcurl says of an answer that is not HTTP: the address was checked before.
        case .badURL, .unsupportedURL, .badServerResponse, .cannotParseResponse: .malformedAnswer
        case _: .interrupted
        }
      return (reason, error.localizedDescription)
    }
  }
#endif
