// SPDX-License-Identifier: Apache-2.0

import Foundation
public import ModelHosting
import Synchronization

/// Where the models of apps come from and go to (an addition).
public enum ModelHosts {
  private struct State {
    var hosts: [String: any ModelHost] = [:]
    var root: String?
    var options = ModelFetcher.Options()
    var fetchers: [String: (host: any ModelHost, fetcher: ModelFetcher)] = [:]
  }

  private static let state = Mutex(State())

  /// Makes all models of an app come from `host`, whatever its `FirebaseOptions` say.
  ///
  /// - Parameters:
  ///   - host: speaks the protocol of Firebase ML, that of the Hugging Face Hub, or any other; nil
  ///     for the one that the app's options name.
  ///   - app: the app's name.
  public static func use(_ host: (any ModelHost)?, forApp app: String = ModelStore.defaultApp) {
    state.withLock {
      $0.hosts[app] = host
      $0.fetchers[app] = nil
    }
  }

  /// The folder that models are kept in; that of `ModelStore` unless set.
  public static var storeRoot: String {
    get { state.withLock { $0.root } ?? ModelStore.defaultRoot }
    set {
      state.withLock {
        $0.root = newValue
        $0.fetchers = [:]
      }
    }
  }

  /// The limits that requests have.
  public static var options: ModelFetcher.Options {
    get { state.withLock { $0.options } }
    set {
      state.withLock {
        $0.options = newValue
        $0.fetchers = [:]
      }
    }
  }

  static func store(ofApp app: String) -> ModelStore { ModelStore(root: storeRoot, app: app) }

  /// What downloads an app's models, always the same, so that requests are merged; nil where no
  /// host was named and no such app is configured.
  static func fetcher(ofApp app: String) -> ModelFetcher? {
    let configured = FirebaseApp.app(name: app).flatMap { host(of: $0.options) }
    return state.withLock { state in
      if let known = state.fetchers[app] { return known.fetcher }
      guard let host = state.hosts[app] ?? configured else { return nil }
      let store = ModelStore(root: state.root ?? ModelStore.defaultRoot, app: app)
      let fetcher = ModelFetcher(host: host, store: store, options: state.options)
      state.fetchers[app] = (host, fetcher)
      return fetcher
    }
  }

  /// Forgets what was made for an app that no longer exists.
  static func forget(app: String) { state.withLock { $0.fetchers[app] = nil } }

  private static func host(of options: FirebaseOptions) -> (any ModelHost)? {
    guard let project = options.projectID else { return nil }
    return FirebaseMLHost(
      baseURL: options.modelHostURL ?? FirebaseMLHost.defaultBaseURL, project: project,
      apiKey: options.apiKey, bundleIdentifier: options.bundleID)
  }

  static func missingApp(_ name: String) -> String {
    name == FirebaseApp.defaultName
      ? "Default Firebase app not configured." : "Firebase app \(name) not configured."
  }
}

extension Generation {
  /// What went wrong with a download.
  func error(_ error: HostingError) -> NSError {
    let code: MLKitErrorCode
    switch error.downloadError {
    case .notFound: code = .notFound
    case .permissionDenied: code = .permissionDenied
    case .failedPrecondition: code = .failedPrecondition
    case .resourceExhausted, .notEnoughSpace: code = .resourceExhausted
    case .invalidArgument, .emptyModelName: code = .invalidArgument
    case .internalError: code = error.reason == .cancelled ? .cancelled : .unknown
    }
    return self.error(
      code, "Failed to download the model from the server. (\(error.message))")
  }
}
