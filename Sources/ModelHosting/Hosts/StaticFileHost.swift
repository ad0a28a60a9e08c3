// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder on any web server: `{base}/{name}.tflite`, and beside it `{name}.tflite.sha256`.
///
/// The second file is what `sha256sum` prints: 64 hexadecimal digits, then possibly a file name.
/// It is read each time, and the digits are the model's hash.
public struct StaticFileHost: ModelHost {
  /// The address of the folder.
  public let baseURL: String
  /// What requests carry, such as `Authorization`.
  public var headers: [String: String]

  /// A folder on a web server.
  public init(baseURL: String, headers: [String: String] = [:]) {
    self.baseURL = baseURL
    self.headers = headers
  }

  /// What the host has under `name`.
  public func offer(
    _ name: String, known: KnownCopy?, client: HostClient
  ) async throws(HostingError) -> ModelOffer {
    let sidecar = try URL.joining(baseURL, ["\(name).tflite.sha256"])
    let response = try await client.get(sidecar, headers: headers, limit: 4096)
    guard response.status == 200 else {
      throw HostingError(
        .status(response.status), .information,
        "Model info retrieval failed with HTTP error code: \(response.status)")
    }
    let text = String(decoding: response.body, as: UTF8.self).drop { $0.isWhitespace }
    // sha256sum marks names that it had to escape with a backslash before the digits.
    let digits = text.drop { $0 == "\\" }.prefix { !$0.isWhitespace }.lowercased()
    guard Digest.isSHA256(digits) else {
      throw HostingError(
        .malformedAnswer, .information, "no SHA-256 in \(AddressPolicy.shown(sidecar))")
    }
    if let known, known.sha256 == digits { return .notModified }
    return .version(
      ModelVersion(
        url: try URL.joining(baseURL, ["\(name).tflite"]), hash: digits, sha256: digits,
        headers: headers))
  }
}
