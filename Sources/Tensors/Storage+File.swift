// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Storage {
  /// The file at `path`, mapped read-only.
  ///
  /// - Throws: `FileError` when the file cannot be opened or mapped, is no regular file, or has
  ///   more than `byteLimit` bytes (`EFBIG`).
  public convenience init(mapping path: String, byteLimit: Int = .max) throws(FileError) {
    let file = try OpenFile(path, byteLimit: byteLimit)
    defer { file.close() }
    guard file.byteCount > 0 else {
      unsafe self.init(
        readOnly: .allocate(byteCount: 1, alignment: Self.alignment), byteCount: 0,
        mappedByteCount: 0)
      return
    }
    let mapping = unsafe mmap(nil, file.byteCount, PROT_READ, MAP_PRIVATE, file.descriptor, 0)
    guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
      throw FileError(path: path, code: errno)
    }
    unsafe self.init(
      readOnly: mapping, byteCount: file.byteCount, mappedByteCount: file.byteCount)
  }

  /// The content of the file at `path`, read into memory.
  ///
  /// - Throws: `FileError` when the file cannot be opened or read, is no regular file, or has more
  ///   than `byteLimit` bytes (`EFBIG`).
  public convenience init(reading path: String, byteLimit: Int = .max) throws(FileError) {
    let file = try OpenFile(path, byteLimit: byteLimit)
    defer { file.close() }
    self.init(zeroed: file.byteCount)
    var done = 0
    while done < byteCount {
      let count = unsafe read(file.descriptor, base + done, byteCount - done)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw FileError(path: path, code: count == 0 ? EIO : errno) }
      done += count
    }
  }
}

/// A regular file, open for reading.
private struct OpenFile {
  let descriptor: Int32
  let byteCount: Int

  init(_ path: String, byteLimit: Int) throws(FileError) {
    // A pipe that nobody writes to would be waited for.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let code = errno
      _ = Self.closing(descriptor)
      throw FileError(path: path, code: code)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      _ = Self.closing(descriptor)
      throw FileError(path: path, code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
    guard status.st_size <= byteLimit else {
      _ = Self.closing(descriptor)
      throw FileError(path: path, code: EFBIG)
    }
    byteCount = Int(status.st_size)
  }

  func close() { _ = Self.closing(descriptor) }

  private static func closing(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #elseif canImport(Musl)
      Musl.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }
}

/// Why a file could not be read.
public struct FileError: Error, Equatable, CustomStringConvertible {
  /// The path as given.
  public let path: String
  /// The system's error number.
  public let code: Int32

  /// Whether the file does not exist.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// The system's words for the error.
  public var description: String {
    code == EINVAL ? "not a regular file" : unsafe String(cString: strerror(code))
  }
}
