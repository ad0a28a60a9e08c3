// SPDX-License-Identifier: Apache-2.0

#if !_endian(little)
  #error("values in models are little-endian and are computed on where they lie")
#endif

/// Where a tensor's values lie: a range of a `Storage`, kept alive by it.
@safe
public struct TensorBytes: Sendable {
  /// What keeps the values alive.
  package let storage: Storage
  let offset: Int
  /// How many bytes the tensor takes.
  public let byteCount: Int

  /// The `byteCount` bytes of `storage` from `offset` on; nil where they do not lie within it.
  public init?(_ storage: Storage, offset: Int, byteCount: Int) {
    guard offset >= 0, byteCount >= 0, offset <= storage.byteCount,
      byteCount <= storage.byteCount - offset
    else { return nil }
    self.storage = storage
    self.offset = offset
    self.byteCount = byteCount
  }

  /// All bytes of `storage`.
  init(wholeOf storage: Storage) {
    self.storage = storage
    (offset, byteCount) = (0, storage.byteCount)
  }

  /// A zeroed allocation of its own.
  public init(zeroed byteCount: Int) {
    storage = Storage(zeroed: byteCount)
    offset = 0
    self.byteCount = byteCount
  }

  /// The bytes of `elements`, copied.
  public init<Element: TensorElement>(copying elements: [Element]) {
    self.init(zeroed: elements.count * MemoryLayout<Element>.stride)
    unsafe elements.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: address, count: byteCount)
        .copyMemory(from: source)
    }
  }

  /// A copy of `bytes` in an aligned allocation of its own.
  public init(copying bytes: Span<UInt8>) {
    storage = Storage(copying: bytes)
    offset = 0
    byteCount = bytes.count
  }

  /// The first byte's address, valid while the storage lives.
  @unsafe
  public var address: UnsafeMutableRawPointer { unsafe storage.base + offset }

  /// `byteCount` of the bytes, from the one at `start` on; nil where there are fewer.
  package func part(_ start: Int, _ byteCount: Int) -> TensorBytes? {
    guard start >= 0, byteCount >= 0, start <= self.byteCount, byteCount <= self.byteCount - start
    else { return nil }
    return TensorBytes(storage, offset: offset + start, byteCount: byteCount)
  }

  /// Whether both are the same bytes at the same place.
  package func isSame(as other: TensorBytes) -> Bool {
    storage === other.storage && offset == other.offset && byteCount == other.byteCount
  }

  /// Whether the first byte lies at a multiple of `alignment`.
  public func isAligned(to alignment: Int) -> Bool {
    unsafe UInt(bitPattern: address) % UInt(alignment) == 0
  }

  /// The values as elements of type `Element`; a rest that fills no element is left out.
  ///
  /// - Precondition: the bytes are aligned for `Element`.
  @_lifetime(borrow self)
  public func span<Element: TensorElement>(as type: Element.Type = Element.self) -> Span<Element> {
    // A power of two, so that no division is needed, which takes longer than all else here.
    let count = byteCount >> MemoryLayout<Element>.stride.trailingZeroBitCount
    let start = unsafe UnsafePointer(address.assumingMemoryBound(to: Element.self))
    let span = unsafe Span(_unsafeStart: start, count: count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The values as elements that may be written.
  ///
  /// Nothing keeps two such spans of one tensor from existing at once: the engine hands each
  /// tensor to one kernel at a time, and a kernel asks for each output once.
  ///
  /// - Precondition: the bytes are aligned for `Element` and not part of a mapped file.
  @_lifetime(borrow self)
  public func mutableSpan<Element: TensorElement>(
    as type: Element.Type = Element.self
  ) -> MutableSpan<Element> {
    unsafe _overrideLifetime(unboundMutableSpan(as: type), borrowing: self)
  }

  /// A mutable span that is valid while the storage lives; the caller binds its lifetime.
  @unsafe
  @_lifetime(immortal)
  func unboundMutableSpan<Element: TensorElement>(as type: Element.Type) -> MutableSpan<Element> {
    precondition(!storage.isReadOnly, "a mapped file is read-only")
    // A power of two, so that no division is needed, which takes longer than all else here.
    let count = byteCount >> MemoryLayout<Element>.stride.trailingZeroBitCount
    let start = unsafe address.assumingMemoryBound(to: Element.self)
    let span = unsafe MutableSpan(_unsafeStart: start, count: count)
    return unsafe _overrideLifetime(span, copying: ())
  }

  /// Takes over the bytes of another tensor of the same size; false where the sizes differ.
  ///
  /// - Precondition: the bytes are not part of a mapped file.
  package func copy(from source: TensorBytes) -> Bool {
    precondition(!storage.isReadOnly, "a mapped file is read-only")
    guard source.byteCount == byteCount else { return false }
    // The two may be the same location.
    if byteCount > 0 { unsafe address.copyMemory(from: source.address, byteCount: byteCount) }
    return true
  }

  /// Takes over `elements`; false where they take another number of bytes.
  ///
  /// - Precondition: the bytes are not part of a mapped file.
  package func copy<Element: TensorElement>(_ elements: [Element]) -> Bool {
    precondition(!storage.isReadOnly, "a mapped file is read-only")
    guard elements.count * MemoryLayout<Element>.stride == byteCount else { return false }
    unsafe elements.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: address, count: byteCount)
        .copyMemory(from: source)
    }
    return true
  }

  /// Takes over `bytes`; false where there are more or fewer.
  ///
  /// - Precondition: the bytes are not part of a mapped file.
  package func copy(_ bytes: Span<UInt8>) -> Bool {
    precondition(!storage.isReadOnly, "a mapped file is read-only")
    guard bytes.count == byteCount else { return false }
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: address, count: byteCount)
        .copyMemory(from: source)
    }
    return true
  }

  /// All bytes, copied.
  package func array() -> [UInt8] {
    let span = span(as: UInt8.self)
    var array = [UInt8](repeating: 0, count: span.count)
    for index in array.indices { array[index] = span[index] }
    return array
  }
}
