// SPDX-License-Identifier: Apache-2.0

/// An allocation aligned to a cache line, which is also the widest vector.
///
/// It is written while its owner is set up and only read afterwards, so it may be shared.
@safe
@usableFromInline
package final class AlignedMemory: @unchecked Sendable {
  /// The alignment in bytes.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var alignment: Int { 64 }

  /// How many bytes there are.
  package let byteCount: Int
  private let base: UnsafeMutableRawPointer
  /// Who frees the bytes; nil for this object.
  private let owner: (any AnyObject & Sendable)?

  /// What gives zeroed memory of a size.
  package typealias Allocation = (_ byteCount: Int) -> AlignedMemory

  /// `byteCount` zeroed bytes.
  ///
  /// - Precondition: `byteCount` is not negative.
  package convenience init(zeroed byteCount: Int) {
    self.init(uninitialized: byteCount)
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  /// `byteCount` bytes of any content, which the system gives when they are written.
  ///
  /// - Precondition: `byteCount` is not negative.
  package init(uninitialized byteCount: Int) {
    precondition(byteCount >= 0, "an allocation has no negative size")
    self.byteCount = byteCount
    owner = nil
    unsafe base = .allocate(byteCount: max(byteCount, 1), alignment: Self.alignment)
  }

  /// `byteCount` zeroed bytes from `address` on, a multiple of the alignment, which `owner` has.
  @unsafe
  package init(
    _ address: UnsafeMutableRawPointer, byteCount: Int, of owner: any AnyObject & Sendable
  ) {
    unsafe base = address
    self.byteCount = byteCount
    self.owner = owner
  }

  deinit {
    if owner == nil { unsafe base.deallocate() }
  }

  /// The first byte; valid while this object lives.
  @unsafe
  package var address: UnsafeMutableRawPointer { unsafe base }
}

/// `value` rounded up to a multiple of `step`.
@_alwaysEmitIntoClient
@inline(__always)
package func roundedUp(_ value: Int, to step: Int) -> Int { (value + step - 1) / step * step }
