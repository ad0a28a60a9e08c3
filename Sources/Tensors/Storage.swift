// SPDX-License-Identifier: Apache-2.0

/// Bytes at a fixed address: a file mapped into memory, or an aligned allocation, perhaps one that is
/// made when it is asked for.
///
/// Whoever reads the bytes holds a reference, so they outlive every span over them. A mapped file
/// is read-only; another process that truncates it meanwhile makes reads fail with `SIGBUS`, so
/// map only files that are replaced by renaming, and read others with `Storage(reading:)`.
@safe
public final class Storage: @unchecked Sendable {
  /// The first byte; nil where the bytes are derived.
  private let fixedBase: UnsafeMutableRawPointer?
  /// What the bytes are derived from; nil where they are simply there.
  let derived: DerivedBytes?
  /// How many bytes there are.
  public let byteCount: Int
  /// Whether the bytes must not be written: those of a file, and derived ones.
  public let isReadOnly: Bool
  /// Bytes of the mapping; zero for memory of the heap.
  private let mappedByteCount: Int
  /// Whether pages of the mapping may get memory before they are written.
  private let isPopulated: Bool

  /// The alignment of allocations: a cache line, and the widest vector.
  public static let alignment = 64

  /// Allocations from this size on are mappings of their own: pages cost memory only once they
  /// are written, and go back to the system at once.
  private static let mappingThreshold = 1 << 17

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
    (isReadOnly, derived) = (false, nil)
    if byteCount >= Self.mappingThreshold,
      let pages = unsafe ZeroedPages(byteCount, dense: dense)
    {
      unsafe fixedBase = pages.base
      mappedByteCount = unsafe pages.byteCount
      isPopulated = unsafe pages.isSmall
      return
    }
    let allocated = max(byteCount, 1)
    let base = UnsafeMutableRawPointer.allocate(
      byteCount: allocated, alignment: Self.alignment)
    unsafe fixedBase = base
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: allocated)
    (mappedByteCount, isPopulated) = (0, false)
  }

  /// The `byteCount` bytes of a file from `base` on, a mapping of `mappedByteCount` bytes; zero for
  /// an allocation.
  @unsafe
  init(readOnly base: UnsafeMutableRawPointer, byteCount: Int, mappedByteCount: Int) {
    unsafe fixedBase = base
    self.byteCount = byteCount
    self.mappedByteCount = mappedByteCount
    (isReadOnly, isPopulated, derived) = (true, false, nil)
  }

  /// An allocation of `byteCount` bytes, aligned to `alignment`, all of which `write` writes.
  ///
  /// - Precondition: `byteCount` is not negative.
  convenience init(writing byteCount: Int, by write: (TensorBytes) -> Void) {
    guard byteCount < Self.mappingThreshold else {
      self.init(zeroed: byteCount)
      write(TensorBytes(wholeOf: self))
      return
    }
    self.init(unwritten: byteCount)
    write(TensorBytes(wholeOf: self))
  }

  private init(unwritten byteCount: Int) {
    self.byteCount = byteCount
    (mappedByteCount, isPopulated, isReadOnly, derived) = (0, false, false, nil)
    unsafe fixedBase = UnsafeMutableRawPointer.allocate(
      byteCount: max(byteCount, 1), alignment: Self.alignment)
  }

  /// The `byteCount` bytes of `derived`, which are read only.
  init(_ derived: DerivedBytes, _ byteCount: Int) {
    self.derived = derived
    self.byteCount = byteCount
    (mappedByteCount, isPopulated, isReadOnly) = (0, false, true)
    unsafe fixedBase = nil
  }

  /// A copy of `bytes`.
  public convenience init(copying bytes: Span<UInt8>) {
    self.init(zeroed: bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: base, count: byteCount)
        .copyMemory(from: source)
    }
  }

  /// The first byte.
  @unsafe
  var base: UnsafeMutableRawPointer {
    if let fixedBase = unsafe fixedBase { return unsafe fixedBase }
    guard let derived else { preconditionFailure("bytes lie somewhere or are derived") }
    return unsafe derived.base
  }

  deinit {
    guard let fixedBase = unsafe fixedBase else { return }
    if mappedByteCount > 0 {
      unsafe ZeroedPages.unmap(fixedBase, byteCount: mappedByteCount)
    } else {
      unsafe fixedBase.deallocate()
    }
  }

  /// Gets memory for the bytes of `range`, all of which will be written soon; nothing happens for
  /// memory of the heap, and for large pages, where it gained nothing.
  package func populate(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<byteCount)
    guard isPopulated, let fixedBase = unsafe fixedBase else { return }
    unsafe ZeroedPages.populate(fixedBase + range.lowerBound, byteCount: range.count)
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
