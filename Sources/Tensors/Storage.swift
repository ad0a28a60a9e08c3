// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes at a fixed address: a file mapped into memory, or an aligned allocation.
///
/// Whoever reads the bytes holds a reference, so they outlive every span over them. A mapped file
/// is read-only; another process that truncates it meanwhile makes reads fail with `SIGBUS`, so
/// map only files that are replaced by renaming, and read others with `Storage(reading:)`.
@safe
public final class Storage: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  /// How many bytes there are.
  public let byteCount: Int
  /// Whether the bytes are a file's, which must not be written.
  public let isReadOnly: Bool
  /// Bytes of the mapping; zero for memory of the heap.
  private let mappedByteCount: Int

  /// The alignment of allocations: a cache line, and the widest vector.
  public static let alignment = 64

  /// Allocations from this size on are mappings of their own: pages cost memory only once they
  /// are written, and go back to the system at once.
  private static let mappingThreshold = 1 << 18

  /// A zeroed allocation of `byteCount` bytes, aligned to `alignment`.
  ///
  /// - Precondition: `byteCount` is not negative.
  public convenience init(zeroed byteCount: Int) {
    self.init(zeroed: byteCount, dense: byteCount)
  }

  /// A zeroed allocation of `byteCount` bytes, aligned to `alignment`, of which the first `dense`
  /// will all be written, as far as one can tell.
  ///
  /// - Precondition: `byteCount` is not negative.
  package init(zeroed byteCount: Int, dense: Int) {
    self.byteCount = byteCount
    isReadOnly = false
    if byteCount >= Self.mappingThreshold,
      let pages = unsafe ZeroedPages(byteCount, dense: dense)
    {
      unsafe base = pages.base
      mappedByteCount = unsafe pages.byteCount
      return
    }
    let allocated = max(byteCount, 1)
    unsafe base = UnsafeMutableRawPointer.allocate(
      byteCount: allocated, alignment: Self.alignment)
    unsafe memset(base, 0, allocated)
    mappedByteCount = 0
  }

  /// A copy of `bytes`.
  public convenience init(copying bytes: Span<UInt8>) {
    self.init(zeroed: bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: base, count: byteCount)
        .copyMemory(from: source)
    }
  }

  /// The file at `path`, mapped read-only.
  ///
  /// - Throws: `FileError` when the file cannot be opened or mapped, or is no regular file.
  public init(mapping path: String) throws(FileError) {
    let file = try OpenFile(path)
    defer { file.close() }
    byteCount = file.byteCount
    isReadOnly = true
    guard file.byteCount > 0 else {
      unsafe base = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: Self.alignment)
      mappedByteCount = 0
      return
    }
    let mapping = unsafe mmap(nil, file.byteCount, PROT_READ, MAP_PRIVATE, file.descriptor, 0)
    guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
      throw FileError(path: path, code: errno)
    }
    unsafe base = mapping
    mappedByteCount = file.byteCount
  }

  /// The content of the file at `path`, read into memory.
  ///
  /// - Throws: `FileError` when the file cannot be opened or read, or is no regular file.
  public convenience init(reading path: String) throws(FileError) {
    let file = try OpenFile(path)
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

  deinit {
    if mappedByteCount > 0 {
      unsafe _ = munmap(base, mappedByteCount)
    } else {
      unsafe base.deallocate()
    }
  }

  /// All bytes.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let buffer = unsafe UnsafeRawBufferPointer(start: base, count: byteCount)
      let span = unsafe Span<UInt8>(_unsafeBytes: buffer)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}

/// A regular file, open for reading.
private struct OpenFile {
  let descriptor: Int32
  let byteCount: Int

  init(_ path: String) throws(FileError) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
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
