// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension FirebaseMLHost {
  /// What the host has under `name`.
  public func offer(
    _ name: String, known: KnownCopy?, client: HostClient
  ) async throws(HostingError) -> ModelOffer {
    let url = try informationURL(name)
    let response = try await client.get(url, headers: requestHeaders(known))
    switch response.status {
    case 200:
      guard let hash = response.header("ETag"), !hash.isEmpty else { throw Self.missingHash }
      return .version(try Self.version(response.body, hash: hash, from: url))
    case 304:
      guard let known else {
        throw HostingError(
          .missingCopy, .information, "the host says not modified, but there is no copy")
      }
      guard let hash = response.header("ETag") else { throw Self.missingHash }
      guard hash == known.hash else {
        throw HostingError(
          .unexpectedHash, .information, "the host says not modified, but gives another hash")
      }
      return .notModified
    case let status:
      throw HostingError(.status(status), .information, Self.message(status, response.body))
    }
  }

  private static let missingHash = HostingError(
    .missingHash, .information, "the host's answer has no ETag, which is the model's hash")

  private func informationURL(_ name: String) throws(HostingError) -> URL {
    var base = baseURL[...]
    while base.hasSuffix("/") { base = base.dropLast() }
    var text = "\(base)/v1beta2/projects/\(ModelFileName.encoded(project))"
    text += "/models/\(ModelFileName.encoded(name)):download"
    if let apiKey { text += "?key=\(ModelFileName.encoded(apiKey))" }
    guard let url = URL(string: text), url.host() != nil else {
      throw HostingError(.refusedAddress, .information, "no URL: \(baseURL.prefix(200))")
    }
    return url
  }

  private func requestHeaders(_ known: KnownCopy?) async throws(HostingError) -> [String: String] {
    var result = headers
    if let bundleIdentifier { result["x-ios-bundle-identifier"] = bundleIdentifier }
    if let installationsToken {
      do { result["x-goog-firebase-installations-auth"] = try await installationsToken() } catch {
        throw HostingError(.token, .information, "Error retrieving auth token.")
      }
    }
    // A copy that is not what its hash says came from a host that mixed two versions.
    if let known, Self.sha256(in: known.hash).map({ $0 == known.sha256 }) ?? true {
      result["if-none-match"] = known.hash
    }
    return result
  }

  /// What the host says of an error, or its status.
  private static func message(_ status: Int, _ body: Data) -> String {
    let answer = try? JSONDecoder().decode(ErrorDocument.self, from: body)
    guard let text = answer?.error.message, !text.isEmpty else {
      return "Model info retrieval failed with HTTP error code: \(status)"
    }
    return String(text.prefix(300))
  }

  /// The version that the document describes.
  package static func version(
    _ body: Data, hash: String, from url: URL
  ) throws(HostingError) -> ModelVersion {
    func refuse(_ problem: String) -> HostingError {
      HostingError(.malformedAnswer, .information, problem)
    }
    let document: InformationDocument
    do { document = try JSONDecoder().decode(InformationDocument.self, from: body) } catch {
      throw refuse("the host's answer is not the JSON document of the protocol")
    }
    guard let address = address(document.downloadUri, from: url) else {
      throw refuse("downloadUri is no URL: \(document.downloadUri.prefix(200))")
    }
    let digits = document.sizeBytes.utf8
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let size = Int(document.sizeBytes)
    else { throw refuse("sizeBytes is no size: \(document.sizeBytes.prefix(40))") }
    guard let expiry = try? Date(document.expireTime, strategy: .iso8601) else {
      throw refuse("expireTime is no time: \(document.expireTime.prefix(40))")
    }
    let (named, hashed) = (document.sha256?.lowercased(), sha256(in: hash))
    if let named, let hashed, named != hashed, Digest.isSHA256(named) {
      throw HostingError(
        .unexpectedHash, .information,
        "the host's ETag is another SHA-256 than its document's; its web server may need a reload")
    }
    return ModelVersion(
      url: address, hash: hash, size: size, sha256: named ?? hashed, expiry: expiry)
  }

  /// The file's address: a URL, or an absolute path on the same host.
  private static func address(_ text: String, from url: URL) -> URL? {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    if text.hasPrefix("/"), !text.hasPrefix("//") {
      return URL(string: text, relativeTo: url)?.absoluteURL
    }
    guard let result = URL(string: text), let scheme = result.scheme?.lowercased(),
      scheme == "https" || scheme == "http", let host = result.host(), !host.isEmpty
    else { return nil }
    return result
  }

  /// A hash that is a SHA-256 as hosts write it in an `ETag`; nil for any other.
  static func sha256(in hash: String) -> String? {
    var text = hash[...]
    if text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      text = text.dropFirst().dropLast()
    }
    return Digest.isSHA256(String(text)) ? String(text) : nil
  }
}

/// What the host says of a model; other members are passed over.
private struct InformationDocument: Decodable {
  let downloadUri: String
  let expireTime: String
  let sizeBytes: String
  let sha256: String?
}

/// What the host says of an error.
private struct ErrorDocument: Decodable {
  struct Content: Decodable { let message: String? }

  let error: Content
}
