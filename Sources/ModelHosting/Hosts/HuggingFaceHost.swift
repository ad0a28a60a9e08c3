// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A repository in the layout of the Hugging Face Hub:
/// `{endpoint}/{repository}/resolve/{revision}/{file}`.
///
/// A `HEAD` request tells the commit (`X-Repo-Commit`), size and hash; for files in large-file
/// storage the hash (`X-Linked-Etag`) is the SHA-256, and is checked. The file is then fetched
/// from that commit, so that hash and bytes go together.
public struct HuggingFaceHost: ModelHost {
  /// Where the Hub itself is.
  public static let defaultEndpoint = "https://huggingface.co"

  /// The address before the repository.
  public let endpoint: String
  /// The repository: `owner/name`.
  public let repository: String
  /// A branch, tag or commit.
  public let revision: String
  /// The access token, if the repository needs one.
  public var token: String?
  /// The path in the repository of the model with a name.
  public let file: @Sendable (String) -> String

  /// A repository.
  ///
  /// - Parameters:
  ///   - endpoint: the address before the repository.
  ///   - repository: `owner/name`.
  ///   - revision: a branch, tag or commit.
  ///   - token: the access token, if the repository needs one.
  ///   - file: the path of the model with a name; by default the name and `.tflite`.
  public init(
    endpoint: String = HuggingFaceHost.defaultEndpoint, repository: String,
    revision: String = "main", token: String? = nil,
    file: @escaping @Sendable (String) -> String = { "\($0).tflite" }
  ) {
    self.endpoint = endpoint
    self.repository = repository
    self.revision = revision
    self.token = token
    self.file = file
  }

  /// What the host has under `name`.
  public func offer(
    _ name: String, known: KnownCopy?, client: HostClient
  ) async throws(HostingError) -> ModelOffer {
    let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    let response = try await client.head(
      url(name, at: revision), headers: headers, endingAt: "X-Linked-Etag")
    let linked = response.header("X-Linked-Etag")
    guard response.status == 200 || linked != nil else {
      let code = response.header("X-Error-Message") ?? response.header("X-Error-Code")
      throw HostingError(
        .status(response.status), .information,
        code.map { String($0.prefix(300)) }
          ?? "Model info retrieval failed with HTTP error code: \(response.status)")
    }
    guard let hash = linked ?? response.header("ETag"), !hash.isEmpty else {
      throw HostingError(.missingHash, .information, "the host's answer has no ETag")
    }
    if let known, known.hash == hash { return .notModified }
    let commit = response.header("X-Repo-Commit") ?? revision
    let length = response.header(linked == nil ? "Content-Length" : "X-Linked-Size")
    return .version(
      ModelVersion(
        url: try url(name, at: commit), hash: hash, size: length.flatMap { Int($0) },
        sha256: FirebaseMLHost.sha256(in: hash), headers: headers))
  }

  private func url(_ name: String, at revision: String) throws(HostingError) -> URL {
    try URL.joining(
      endpoint,
      repository.split(separator: "/").map { String($0) } + ["resolve", revision]
        + file(name).split(separator: "/").map { String($0) })
  }
}

extension URL {
  /// `base` followed by `components`, each percent-encoded as a whole.
  static func joining(
    _ base: String, _ components: [String]
  ) throws(HostingError) -> URL {
    var text = base[...]
    while text.hasSuffix("/") { text = text.dropLast() }
    let path = components.map { "/" + ModelFileName.encoded($0) }.joined()
    guard !components.contains(".."), !components.contains("."), let url = URL(string: text + path),
      url.host() != nil
    else {
      throw HostingError(.refusedAddress, .information, "no URL: \((text + path).prefix(200))")
    }
    return url
  }
}
