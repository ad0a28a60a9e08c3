// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

internal import Compression

/// Reading whole files, pipes and standard input.
package enum InputFile {
  /// The most bytes that are read of one file: 2 GiB.
  package static let byteLimit = 1 << 31

  /// The content of the file at `path`, which may lie in a zip archive (`goldens.zip/in_0.npy`); a
  /// pipe is read to its end.
  ///
  /// - Throws: `FileSystemError`, also where there are more than `limit` bytes (`EFBIG`), or a device
  ///   gives any (`EINVAL`).
  package static func bytes(
    at path: String, limit: Int = byteLimit
  ) throws(FileSystemError) -> [UInt8] {
    let descriptor: Int32
    do throws(FileSystemError) { descriptor = try opened(path) } catch {
      guard error.code == ENOTDIR, let bytes = try archivedBytes(at: path, limit: limit) else {
        throw error
      }
      return bytes
    }
    defer { close(descriptor) }
    return try bytes(of: descriptor, path: path, limit: limit)
  }

  /// Whether `path` leads into a zip archive, where nothing can be mapped.
  package static func isArchived(_ path: String) -> Bool {
    do throws(FileSystemError) {
      return try ArchivedFiles.located(path).map { !$0.path.isEmpty } ?? false
    } catch {
      return true
    }
  }

  /// The content of a file in a zip archive; nil where `path` leads to none.
  private static func archivedBytes(
    at path: String, limit: Int
  ) throws(FileSystemError) -> [UInt8]? {
    guard let (archive, inner) = try ArchivedFiles.located(path) else { return nil }
    do throws(ZipError) { return try archive.content(of: inner, limit: limit) } catch {
      throw FileSystemError(.read, path: path, reason: "\(error)")
    }
  }

  /// The content of the file at `path`, which a stranger may have chosen: nothing that has no end
  /// is read, and no pipe is waited for.
  ///
  /// - Throws: `FileSystemError`, also where it is no regular file (`EINVAL`), a folder (`EISDIR`),
  ///   or has more than `limit` bytes (`EFBIG`).
  package static func bytes(
    ofRegularFile path: String, limit: Int = byteLimit
  ) throws(FileSystemError) -> [UInt8] {
    let descriptor = try opened(path, O_NONBLOCK)
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw FileSystemError(.read, path: path, code: errno)
    }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else {
      throw FileSystemError(.read, path: path, code: kind == S_IFDIR ? EISDIR : EINVAL)
    }
    return try bytes(of: descriptor, path: path, limit: limit)
  }

  /// The first bytes of the regular file at `path`, at most `count` of them; nil where it cannot be
  /// read.
  package static func beginning(of path: String, count: Int) -> [UInt8]? {
    guard let descriptor = try? opened(path, O_NONBLOCK) else { return nil }
    defer { close(descriptor) }
    return try? piece(of: descriptor, count, path: path)
  }

  private static func opened(
    _ path: String, _ flags: Int32 = 0
  ) throws(FileSystemError) -> Int32 {
    guard !path.utf8.contains(0) else { throw FileSystemError(.read, path: path, code: ENOENT) }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | flags)
    guard descriptor >= 0 else { throw FileSystemError(.read, path: path, code: errno) }
    return descriptor
  }

  /// Everything that can be read from an open descriptor; `path` names it in errors.
  package static func bytes(
    of descriptor: Int32, path: String, limit: Int = byteLimit
  ) throws(FileSystemError) -> [UInt8] {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw FileSystemError(.read, path: path, code: errno)
    }
    let kind = status.st_mode & S_IFMT
    let isFile = kind == S_IFREG
    // A device such as `/dev/zero` may have no end; what somebody types has.
    let isDevice = kind == S_IFBLK || kind == S_IFCHR && isatty(descriptor) == 0
    // One byte more than the size lets the last read find the end without growing.
    let expected = isFile ? Int(status.st_size) + 1 : 1 << 16
    guard expected <= limit + 1 else {
      throw FileSystemError(.read, path: path, code: EFBIG)
    }
    var content = [UInt8](repeating: 0, count: expected)
    var count = 0
    while true {
      if count == content.count {
        guard count < limit else { throw FileSystemError(.read, path: path, code: EFBIG) }
        content.append(contentsOf: repeatElement(0, count: min(count, limit - count)))
      }
      let room = content.count - count
      let done = unsafe content.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress?.advanced(by: count), room)
      }
      if done < 0 && errno == EINTR { continue }
      guard done >= 0 else { throw FileSystemError(.read, path: path, code: errno) }
      if done == 0 { break }
      if isDevice { throw FileSystemError(.read, path: path, code: EINVAL) }
      count += done
    }
    content.removeLast(content.count - count)
    return content
  }

  /// The next bytes of an open descriptor, at most `count` of them; none at the end.
  package static func piece(
    of descriptor: Int32, _ count: Int, path: String
  ) throws(FileSystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    while true {
      let done = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress, count)
      }
      if done < 0 && errno == EINTR { continue }
      guard done >= 0 else { throw FileSystemError(.read, path: path, code: errno) }
      bytes.removeLast(count - done)
      return bytes
    }
  }
}
