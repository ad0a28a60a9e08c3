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
  private let memory: PassingMemory
  private let kept = ForkableMutex<Storage?>(nil)
  /// The first byte, once the values are kept; 0 before.
  private let address = Atomic<UInt>(0)

  /// `byteCount` bytes that `compute` makes of `source`, in `memory` where they are not kept.
  init(
    _ source: TensorBytes, byteCount: Int, in memory: PassingMemory,
    compute: @escaping @Sendable (TensorBytes) -> Void
  ) {
    self.source = source
    self.byteCount = byteCount
    self.memory = memory
    self.compute = compute
    memory.expect(byteCount)
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
      let made = Storage(writing: byteCount, by: compute)
      kept = made
      return made
    }
    unsafe address.store(UInt(bitPattern: storage.base), ordering: .releasing)
    return unsafe storage.base
  }

  /// The values in memory that others use after them.
  func passing() -> TensorBytes {
    let values = memory.take(byteCount)
    compute(values)
    return values
  }
}

extension TensorBytes {
  /// `byteCount` bytes that `compute` makes of the constant `source`, when they are asked for, in
  /// `memory` where they are only read for a while.
  ///
  /// - Precondition: `byteCount` is not negative; `compute` writes the same whenever it is called.
  package init(
    deriving byteCount: Int, from source: TensorBytes, in memory: PassingMemory,
    by compute: @escaping @Sendable (TensorBytes) -> Void
  ) {
    let derived = DerivedBytes(source, byteCount: byteCount, in: memory, compute: compute)
    self.init(wholeOf: Storage(derived, byteCount))
  }

  /// The constant that the values are derived from; nil where they are not.
  package var derivationSource: TensorBytes? { storage.derived?.source }

  /// The same values, which are computed for this once where they are derived and not kept: for who
  /// reads them and needs them no more.
  package var passing: TensorBytes {
    guard let derived = storage.derived, !derived.isKept else { return self }
    let values = derived.passing()
    return TensorBytes(values.storage, offset: offset, byteCount: byteCount) ?? self
  }
}
