// SPDX-License-Identifier: Apache-2.0

/// A host that speaks the protocol of Firebase ML: Google's own, or one's own that
/// `martlet publish` wrote.
///
/// `GET {base}/v1beta2/projects/{project}/models/{name}:download?key={key}`, with the known hash
/// in `If-None-Match`, gives 304 or a JSON document with `downloadUri`, `expireTime` and
/// `sizeBytes`; the `ETag` is the model's hash. A member `sha256` of the document, which
/// Firebase's clients pass over, is checked. No other request is made, and none that counts
/// downloads or users.
public struct FirebaseMLHost: ModelHost {
  /// Gives a token of Firebase Installations.
  public typealias TokenProvider = @Sendable () async throws -> String

  /// Where Firebase ML itself is; it shuts down on 15 June 2027.
  public static let defaultBaseURL = "https://firebaseml.googleapis.com"

  /// The address before `/v1beta2`.
  public let baseURL: String
  /// The project's identifier.
  public let project: String
  /// The key of the project's API, if the host wants one.
  public var apiKey: String?
  /// What goes as `x-ios-bundle-identifier`; nil sends no such header.
  public var bundleIdentifier: String?
  /// Gives what goes as `x-goog-firebase-installations-auth`; nil sends no such header.
  public var installationsToken: TokenProvider?
  /// Further headers, such as `Host` or one that a proxy asks for.
  public var headers: [String: String]

  /// A host with the models of a project.
  public init(
    baseURL: String = FirebaseMLHost.defaultBaseURL, project: String, apiKey: String? = nil,
    bundleIdentifier: String? = nil, installationsToken: TokenProvider? = nil,
    headers: [String: String] = [:]
  ) {
    self.baseURL = baseURL
    self.project = project
    self.apiKey = apiKey
    self.bundleIdentifier = bundleIdentifier
    self.installationsToken = installationsToken
    self.headers = headers
  }
}
