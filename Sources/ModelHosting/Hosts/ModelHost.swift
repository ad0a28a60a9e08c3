// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Somewhere models can be downloaded from.
///
/// A host answers one question: is there a newer version than the one known, and where is it?
/// ``ModelFetcher`` does the rest.
public protocol ModelHost: Sendable {
  /// What the host has under `name`.
  ///
  /// - Parameters:
  ///   - name: a model's name; never empty, without path separators or control characters.
  ///   - known: the copy on disk, whose bytes were just checked; nil where there is none.
  ///   - client: makes the requests, within the caller's deadline.
  /// - Returns: that the known copy is the latest version, or where another one is.
  /// - Throws: `HostingError` where the host does not say.
  func offer(
    _ name: String, known: KnownCopy?, client: HostClient
  ) async throws(HostingError) -> ModelOffer
}

/// The version of a model that is on disk.
public struct KnownCopy: Hashable, Sendable {
  /// The hash that the host gave for it.
  public let hash: String
  /// The SHA-256 of its bytes, as 64 lowercase hexadecimal digits.
  public let sha256: String
  /// Its size in bytes.
  public let size: Int

  /// A copy on disk.
  public init(hash: String, sha256: String, size: Int) {
    self.hash = hash
    self.sha256 = sha256
    self.size = size
  }
}

/// A host's answer to what it has.
public enum ModelOffer: Hashable, Sendable {
  /// The copy on disk is the latest version.
  case notModified
  /// There is another version.
  case version(ModelVersion)
}

/// A version of a model on a host: where it is, and how to know it.
public struct ModelVersion: Hashable, Sendable {
  /// The address of the file.
  public var url: URL
  /// What tells this version from others: mostly an `ETag`, as it was received.
  public var hash: String
  /// The size in bytes; nil where the host does not say.
  public var size: Int?
  /// The SHA-256 of the file, as 64 lowercase hexadecimal digits; nil where the host does not say.
  public var sha256: String?
  /// When the address stops working; nil where it does not.
  public var expiry: Date?
  /// What the request for the file needs; sent to the address's own host only.
  public var headers: [String: String]

  /// A version of a model.
  public init(
    url: URL, hash: String, size: Int? = nil, sha256: String? = nil, expiry: Date? = nil,
    headers: [String: String] = [:]
  ) {
    self.url = url
    self.hash = hash
    self.size = size
    self.sha256 = sha256
    self.expiry = expiry
    self.headers = headers
  }
}
