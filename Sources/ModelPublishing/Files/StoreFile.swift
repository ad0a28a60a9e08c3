// SPDX-License-Identifier: Apache-2.0

import Compression

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open file of the store; closed when nobody needs it any more.
package final class StoreFile: Sendable {
  /// The file's path when it was opened.
  package let path: String
  private let descriptor: Int32

  /// What a file is opened for.
  package enum Purpose {
    /// To read a file that is there.
    case reading
    /// To read and append; made where it is not there.
    case appending
    /// To lock; made where it is not there.
    case locking
  }

  /// Opens the file at `path`, which must be a regular file and no symbolic link.
  package init(_ path: String, for purpose: Purpose) throws(HostingError) {
    self.path = path
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    let common = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let flags =
      switch purpose {
      case .reading: O_RDONLY
      case .appending: O_RDWR | O_CREAT
      case .locking: O_RDWR | O_CREAT
      }
    descriptor = unsafe open(path, common | flags, 0o644)
    guard descriptor >= 0 else { throw Self.failure("open", path) }
    guard (try status()).isRegular else {
      throw HostingError(.storage, .store, "no regular file: \(path)")
    }
  }

  deinit { close(descriptor) }

  /// What the file system says of a file.
  package struct Status {
    /// How many bytes it has.
    package let size: Int
    /// Whether it is no folder, link, pipe or device.
    package let isRegular: Bool
    /// How many names it has.
    package let linkCount: Int
    /// When it was written to last, in seconds since 1970.
    package let modified: Int
  }

  /// What the file system says of the file.
  package func status() throws(HostingError) -> Status {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure("examine", path) }
    return Self.status(status)
  }

  /// What is at `path`, without following a symbolic link; nil where there is nothing.
  package static func status(of path: String) -> Status? {
    var result = stat()
    guard unsafe lstat(path, &result) == 0 else { return nil }
    return status(result)
  }

  private static func status(_ status: stat) -> Status {
    #if canImport(Darwin)
      let modified = status.st_mtimespec.tv_sec
    #else
      let modified = status.st_mtim.tv_sec
    #endif
    return Status(
      size: Int(status.st_size), isRegular: status.st_mode & S_IFMT == S_IFREG,
      linkCount: Int(status.st_nlink), modified: Int(modified))
  }

  /// The bytes from `offset` on, up to `count`; fewer only at the end of the file.
  package func bytes(at offset: Int = 0, count: Int) throws(HostingError) -> [UInt8] {
    var failed = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset + filled))
        if got < 0 && errno == EINTR { continue }
        failed = got < 0
        guard got > 0 else { return }
        filled += got
      }
    }
    guard !failed else { throw Self.failure("read", path) }
    return bytes
  }

  /// The SHA-256 of the whole file.
  package func sha256() throws(HostingError) -> String {
    var hash = SHA256()
    var offset = 0
    while true {
      let piece = try bytes(at: offset, count: 1 << 20)
      guard !piece.isEmpty else { return SHA256.hexadecimal(hash.finalize()) }
      hash.update(piece.span)
      offset += piece.count
    }
  }

  /// Writes `bytes` at `offset`.
  package func write(_ bytes: Span<UInt8>, at offset: Int) throws(HostingError) {
    try unsafe bytes.withUnsafeBytes { (buffer) throws(HostingError) in
      var done = 0
      while done < buffer.count {
        let count = unsafe pwrite(
          descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
          off_t(offset + done))
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw Self.failure("write", path) }
        done += count
      }
    }
  }

  /// Cuts the file to `size` bytes.
  package func truncate(to size: Int) throws(HostingError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw Self.failure("write", path) }
  }

  /// Brings what was written onto the disk.
  package func synchronize() throws(HostingError) {
    guard fsync(descriptor) == 0 else { throw Self.failure("write", path) }
  }

  /// Lets nobody write to the file any more.
  package func protect() throws(HostingError) {
    guard fchmod(descriptor, 0o444) == 0 else { throw Self.failure("protect", path) }
  }

  /// Takes the lock on the file if nobody else has it.
  package func lock() throws(HostingError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK || errno == EINTR else { throw Self.failure("lock", path) }
    return false
  }

  /// Gives the lock back.
  package func unlock() { flock(descriptor, LOCK_UN) }

  /// The error for the system call that failed just now.
  static func failure(_ verb: String, _ path: String, _ code: Int32 = errno) -> HostingError {
    let reason: HostingError.Reason =
      switch code {
      case ENOSPC, EDQUOT, EFBIG: .notEnoughSpace
      case _: .storage
      }
    let text = unsafe String(cString: strerror(code))
    return HostingError(reason, .store, "cannot \(verb) \(path): \(text)")
  }
}
