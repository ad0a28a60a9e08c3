// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Values that follow from a constant, computed when somebody asks where they lie.
///
/// Weights that are only packed need not be kept: see `TensorBytes.passing`.
@safe
final class DerivedBytes: Sendable {
  /// What the values follow from.
  let source: TensorBytes
  /// Writes all values.
  let compute: @Sendable (TensorBytes) -> Void
  private let byteCount: Int
  private let kept = ForkableMutex<Storage?>(nil)
  /// The first byte, once the values are kept; 0 before.
  private let address = Atomic<UInt>(0)

  /// `byteCount` bytes that `compute` makes of `source`.
  init(
    _ source: TensorBytes, byteCount: Int, compute: @escaping @Sendable (TensorBytes) -> Void
  ) {
    self.source = source
    self.byteCount = byteCount
    self.compute = compute
  }

  /// Whether the values are kept.
  var isKept: Bool { address.load(ordering: .acquiring) != 0 }

  /// The first byte of the values, which are kept from now on.
  @unsafe
  var base: UnsafeMutableRawPointer {
    if let known = unsafe UnsafeMutableRawPointer(
      bitPattern: address.load(ordering: .acquiring))
    {
      return unsafe known
    }
    let storage = kept.withLock { kept in
      if let kept { return kept }
      let made = make()
      kept = made
      return made
    }
    unsafe address.store(UInt(bitPattern: storage.base), ordering: .releasing)
    return unsafe storage.base
  }

  /// The values in memory of their own.
  func make() -> Storage { Storage(writing: byteCount, by: compute) }
}

extension TensorBytes {
  /// `byteCount` bytes that `compute` makes of the constant `source`, when they are asked for.
  ///
  /// - Precondition: `byteCount` is not negative; `compute` writes the same whenever it is called.
  package init(
    deriving byteCount: Int, from source: TensorBytes,
    by compute: @escaping @Sendable (TensorBytes) -> Void
  ) {
    self.init(
      wholeOf: Storage(DerivedBytes(source, byteCount: byteCount, compute: compute), byteCount))
  }

  /// The constant that the values are derived from; nil where they are not.
  package var derivationSource: TensorBytes? { storage.derived?.source }

  /// The same values, which are computed for this once where they are derived and not kept: for who
  /// reads them and needs them no more.
  package var passing: TensorBytes {
    guard let derived = storage.derived, !derived.isKept else { return self }
    return TensorBytes(derived.make(), offset: offset, byteCount: byteCount) ?? self
  }
}
