// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that is read piece by piece, for what memory should not hold.
package final class OpenFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// The file at `path`.
  ///
  /// - Throws: `FileSystemError` where it cannot be opened.
  package init(path: String) throws(FileSystemError) {
    guard !path.utf8.contains(0) else { throw FileSystemError(.read, path: path, code: ENOENT) }
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileSystemError(.read, path: path, code: errno) }
  }

  /// The next bytes, at most `count` of them; none at the end.
  package func next(_ count: Int) throws(FileSystemError) -> [UInt8] {
    try InputFile.piece(of: descriptor, count, path: path)
  }

  deinit { _ = close(descriptor) }
}
