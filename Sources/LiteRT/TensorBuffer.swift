// SPDX-License-Identifier: Apache-2.0

/// The values of an input or output, in memory of its own or of the caller's.
///
/// A buffer belongs to one task at a time.
@safe
public final class TensorBuffer {
  /// What the address of a buffer is a multiple of, in bytes.
  static let alignment = 64

  /// What the values are; nil for none.
  public let tensorType: TensorType?
  /// Bytes of the memory.
  public let bufferSize: Int
  /// Bytes of the values: those of the type, or all of the memory where elements differ in size.
  public let size: Int
  /// Whether somebody has the address.
  private(set) var isLocked = false
  private let address: UnsafeMutableRawPointer
  private let isOwned: Bool

  /// Bytes of the memory before the values.
  public var offset: Int { 0 }

  /// Where the values lie.
  public var type: TensorBufferType { .hostMemory }

  private init(
    _ address: UnsafeMutableRawPointer, _ type: TensorType, size: Int, isOwned: Bool
  ) {
    unsafe self.address = address
    self.isOwned = isOwned
    tensorType = type
    bufferSize = size
    self.size = type.byteCount ?? size
  }

  /// A buffer with memory of its own, all zero.
  ///
  /// - Parameters:
  ///   - environment: where it is made.
  ///   - bufferType: where the values shall lie.
  ///   - tensorType: what the values are, with no dimension open.
  ///   - size: bytes.
  /// - Throws: `LiteRtError.unsupported` for other memory than the processor's, `.runtimeFailure` where
  ///   a dimension is open or the values take more bytes.
  public convenience init(
    environment: Environment, bufferType: TensorBufferType, tensorType: TensorType, size: Int
  ) throws {
    guard bufferType == .hostMemory else { throw LiteRtError.unsupported }
    try Self.check(tensorType, size: size)
    let address = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment)
    unsafe address.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe self.init(address, tensorType, size: size, isOwned: true)
  }

  /// A buffer in memory of the caller's, which must outlive it; nothing is copied.
  ///
  /// - Parameters:
  ///   - hostBufferAddressAddress: the memory's address, a multiple of 64.
  ///   - size: bytes.
  ///   - tensorType: what the values are, with no dimension open.
  /// - Throws: `LiteRtError.runtimeFailure` where a dimension is open, the values take more bytes, or the
  ///   address is not aligned.
  @unsafe
  public convenience init(
    hostBufferAddressAddress: UnsafeMutableRawPointer, size: Int, tensorType: TensorType
  ) throws {
    try Self.check(tensorType, size: size)
    guard UInt(bitPattern: hostBufferAddressAddress) % UInt(Self.alignment) == 0 else {
      throw LiteRtError.runtimeFailure
    }
    unsafe self.init(hostBufferAddressAddress, tensorType, size: size, isOwned: false)
  }

  deinit {
    if isOwned { unsafe address.deallocate() }
  }

  /// Checks that values of this type fit so many bytes.
  private static func check(_ type: TensorType, size: Int) throws(LiteRtError) {
    let dimensions = type.layout.dimensions
    // A single empty dimension stands for a place where nothing lies.
    let isEmpty = dimensions == [0]
    guard size > 0 || isEmpty && size == 0, isEmpty || dimensions.allSatisfy({ $0 > 0 }) else {
      throw .runtimeFailure
    }
    if type.elementType == .tfString {
      // How many strings there are, and where each begins and the last ends.
      guard let count = type.layout.elementCount, count <= (size - 8) / 4 else {
        throw .runtimeFailure
      }
    } else {
      guard let byteCount = type.byteCount, byteCount <= size else { throw .runtimeFailure }
    }
  }

  /// Copies elements to the beginning of the buffer.
  ///
  /// - Parameter data: the elements: numbers or other types without references, at most as many bytes as
  ///   the buffer has.
  /// - Throws: `LiteRtError.runtimeFailure` while the buffer is locked, `.invalidArgument` for more bytes
  ///   than it has.
  public func write<T: BitwiseCopyable>(_ data: [T]) throws {
    try unsafe withBytes { bytes throws(LiteRtError) in
      guard data.count <= size / MemoryLayout<T>.stride else { throw .invalidArgument }
      unsafe data.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
    }
  }

  /// The values as elements; a rest that fills no element is left out.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` while the buffer is locked.
  public func read<T: BitwiseCopyable>() throws -> [T] {
    try unsafe withBytes { bytes throws(LiteRtError) in
      let count = size / MemoryLayout<T>.stride
      return unsafe [T](unsafeUninitializedCapacity: count) { elements, initialized in
        unsafe UnsafeMutableRawBufferPointer(elements).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[..<(count * MemoryLayout<T>.stride)]))
        initialized = count
      }
    }
  }

  /// Gives the address of the buffer until it is unlocked.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` while the buffer is locked.
  @unsafe
  public func lock(mode: TensorBufferLockMode) throws -> UnsafeMutableRawPointer {
    guard !isLocked else { throw LiteRtError.runtimeFailure }
    isLocked = true
    return unsafe address
  }

  /// Ends the use of the address.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` where the buffer is not locked.
  public func unlock() throws {
    guard isLocked else { throw LiteRtError.runtimeFailure }
    isLocked = false
  }

  /// The address of a Metal buffer: there is none.
  ///
  /// - Throws: `LiteRtError.unsupported`.
  @unsafe
  public func metalMemory() throws -> UnsafeMutableRawPointer { throw LiteRtError.unsupported }

  /// Gives `body` the bytes of the memory, which is locked for that time.
  func withBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws(LiteRtError) -> Result
  ) throws(LiteRtError) -> Result {
    guard !isLocked else { throw .runtimeFailure }
    isLocked = true
    defer { isLocked = false }
    return try unsafe body(UnsafeMutableRawBufferPointer(start: address, count: bufferSize))
  }
}
