// SPDX-License-Identifier: Apache-2.0

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
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: allocated)
    mappedByteCount = 0
  }

  /// The `byteCount` bytes of a file from `base` on, a mapping of `mappedByteCount` bytes; zero for
  /// an allocation.
  @unsafe
  init(readOnly base: UnsafeMutableRawPointer, byteCount: Int, mappedByteCount: Int) {
    unsafe self.base = base
    self.byteCount = byteCount
    self.mappedByteCount = mappedByteCount
    isReadOnly = true
  }

  /// A copy of `bytes`.
  public convenience init(copying bytes: Span<UInt8>) {
    self.init(zeroed: bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: base, count: byteCount)
        .copyMemory(from: source)
    }
  }

  deinit {
    if mappedByteCount > 0 {
      unsafe ZeroedPages.unmap(base, byteCount: mappedByteCount)
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
