// SPDX-License-Identifier: Apache-2.0

internal import TemporaryFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file without a lasting name, for what memory should not hold.
package final class TemporaryFile {
  /// Where it lies while this object lives.
  package let path: String
  private var descriptor: Int32

  /// An empty file in the folder that `TMPDIR` names, or in `/tmp`.
  ///
  /// - Throws: `FileSystemError` where none can be made.
  package init() throws(FileSystemError) {
    let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    let folder = named.isEmpty ? "/tmp" : named
    // So many digits that nobody else has the same, and O_EXCL makes sure.
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let name = "\(folder)/martlet-\(digits)"
    path = name
    descriptor = try TemporaryNames.add(name) { () throws(FileSystemError) in
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let descriptor = unsafe open(name, flags, 0o600)
      guard descriptor >= 0 else { throw FileSystemError(.create, path: name, code: errno) }
      return descriptor
    }
  }

  /// Writes `bytes` behind those written before.
  ///
  /// - Throws: `FileSystemError`.
  package func append(_ bytes: [UInt8]) throws(FileSystemError) {
    try OutputFile.write(bytes, to: descriptor, path: path)
  }

  deinit {
    _ = close(descriptor)
    TemporaryNames.remove(path)
  }
}
