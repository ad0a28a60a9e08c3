// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file of lines that grows line by line, and keeps the whole lines when its process is killed.
package final class AppendedFile {
  private let path: String
  private let descriptor: Int32

  /// The file at `path`, which is made if it is missing.
  ///
  /// What stands behind its last line break is cut off, because nobody finished writing it. Devices
  /// and pipes are written as they are.
  ///
  /// - Throws: `FileSystemError` where nothing can be written there.
  package init(at path: String) throws(FileSystemError) {
    guard !path.utf8.contains(0) else { throw FileSystemError(.write, path: path, code: ENOENT) }
    self.path = path
    let isPlain = Folder.kind(of: path).map { $0 != .other } ?? true
    descriptor = unsafe open(
      path, (isPlain ? O_RDWR | O_CREAT : O_WRONLY) | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileSystemError(.write, path: path, code: errno) }
    if isPlain { try cutUnendedLine() }
  }

  /// Writes whole lines behind those written before.
  ///
  /// - Throws: `FileSystemError`.
  package func append(_ bytes: [UInt8]) throws(FileSystemError) {
    try OutputFile.write(bytes, to: descriptor, path: path)
  }

  private func cutUnendedLine() throws(FileSystemError) {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw FileSystemError(.write, path: path, code: errno) }
    var end = Int(size)
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while end > 0 {
      let start = max(end - piece.count, 0)
      let count = unsafe piece.withUnsafeMutableBytes { buffer in
        unsafe pread(descriptor, buffer.baseAddress, end - start, off_t(start))
      }
      guard count == end - start else {
        throw FileSystemError(.read, path: path, code: count < 0 ? errno : EIO)
      }
      if let last = piece[..<count].lastIndex(of: UInt8(ascii: "\n")) {
        end = start + last + 1
        break
      }
      end = start
    }
    guard end == Int(size) || ftruncate(descriptor, off_t(end)) == 0 else {
      throw FileSystemError(.write, path: path, code: errno)
    }
  }

  deinit { _ = close(descriptor) }
}
