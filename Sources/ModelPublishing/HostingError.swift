// SPDX-License-Identifier: Apache-2.0

/// Why a model could not be had from a host.
public struct HostingError: Error, Hashable, Sendable {
  /// What kind of thing went wrong.
  public enum Reason: Hashable, Sendable {
    /// The model's name is empty.
    case emptyModelName
    /// The model's name cannot be a file's.
    case invalidModelName
    /// This build has no network access (the package trait `Networking` is off).
    case networkingUnavailable
    /// No token for the host.
    case token
    /// An address is no URL, or one that must not be asked: an unknown scheme, plain `http` to
    /// another machine, from `https` back to `http`, too many redirects.
    case refusedAddress
    /// No connection to the host.
    case unreachable
    /// The connection broke.
    case interrupted
    /// The deadline passed, or nothing arrived for too long.
    case timedOut
    /// The host answered with this HTTP status.
    case status(Int)
    /// The answer lacks the model's hash.
    case missingHash
    /// "Not modified", with another hash than that of the copy on disk.
    case unexpectedHash
    /// "Not modified", though there is no copy on disk.
    case missingCopy
    /// The answer is not what the protocol says.
    case malformedAnswer
    /// The file is not the one that was announced: its size, its SHA-256 or its format differs.
    case damagedFile
    /// The file's address expired, and the one that replaced it did too.
    case expired
    /// The disk is full.
    case notEnoughSpace
    /// A file or folder of the store cannot be read or written.
    case storage
    /// The request was cancelled.
    case cancelled
  }

  /// What was being done.
  public enum Stage: Hashable, Sendable {
    /// Asking the host what it has.
    case information
    /// Downloading the file.
    case file
    /// Working with the store on disk.
    case store
  }

  /// What kind of thing went wrong.
  public let reason: Reason
  /// What was being done.
  public let stage: Stage
  /// What is wrong, as a sentence without its full stop.
  public let message: String

  /// An error; hosts of one's own make them too.
  public init(_ reason: Reason, _ stage: Stage, _ message: String) {
    self.reason = reason
    self.stage = stage
    self.message = message
  }

  /// Whether the same request may succeed a little later.
  public var isTemporary: Bool {
    switch reason {
    case .unreachable, .interrupted, .timedOut: true
    case .status(let code): Self.temporaryStatuses.contains(code)
    case .emptyModelName, .invalidModelName, .networkingUnavailable, .token, .refusedAddress,
      .missingHash, .unexpectedHash, .missingCopy, .malformedAnswer, .damagedFile, .expired,
      .notEnoughSpace, .storage, .cancelled:
      false
    }
  }

  /// The statuses that say "not now".
  private static let temporaryStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
}

extension HostingError: CustomStringConvertible {
  /// What is wrong.
  public var description: String { message }
}
