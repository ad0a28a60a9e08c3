// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Why a file or folder cannot be read or written.
public struct FileSystemError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What was tried.
  public enum Operation: String, Sendable {
    /// Reading a file or listing a folder.
    case read
    /// Writing or replacing a file.
    case write
    /// Making a folder.
    case create
  }

  /// What was tried.
  public let operation: Operation
  /// The path as given.
  public let path: String
  /// The system's error number.
  public let code: Int32

  /// What is wrong with an archive that the path leads into; nil for the system's errors.
  private let archiveReason: String?

  /// A failure to read an archive.
  init(_ operation: Operation, path: String, reason: String) {
    self.operation = operation
    self.path = path
    code = EIO
    archiveReason = reason
  }

  /// A failure with this error number.
  public init(_ operation: Operation, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
    archiveReason = nil
  }

  /// Whether a file that should be read is not there.
  public var isMissing: Bool { operation == .read && (code == ENOENT || code == ENOTDIR) }

  /// Whether the reader at the other end of a pipe is gone.
  public var isBrokenPipe: Bool { code == EPIPE }

  /// The system's words for the error.
  public var reason: String {
    if let archiveReason { return archiveReason }
    return operation == .read && code == EINVAL
      ? "not a regular file" : unsafe String(cString: strerror(code))
  }

  /// What was tried and the system's words.
  public var description: String { "cannot \(operation.rawValue) \(path): \(reason)" }
}
