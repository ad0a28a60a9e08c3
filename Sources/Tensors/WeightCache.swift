// SPDX-License-Identifier: Apache-2.0

/// What kernels derived from constant tensors (packed weights, column sums, tables), computed
/// once and shared by all interpreters of a model.
///
/// Only what lies in the model's own file is kept. Constants that planning computed belong to one
/// plan: what is derived from them lives as long as the kernel that holds it.
public final class WeightCache: Sendable {
  private struct Key: Hashable {
    let storage: ObjectIdentifier
    let offset: Int
    let byteCount: Int
    let form: WeightForm
  }

  /// The location of a value, which whoever comes first makes while the others wait.
  private final class Entry: Sendable {
    let source: TensorBytes  // keeps the storage alive, so that its identity stays unique
    let value = ForkableMutex<(any AnyObject & Sendable)?>(nil)

    init(_ source: TensorBytes) { self.source = source }
  }

  private let entries = ForkableMutex<[Key: Entry]>([:])
  private let file: Storage?
  private let memory: WeightMemory
  private let byteLimit: Int

  /// An empty cache for constants in `file`, or for any where it is nil, that is full when it has
  /// about `byteLimit` bytes; packed forms take about `widenedByteCount` bytes more than the file.
  public init(file: Storage? = nil, widenedByteCount: Int = 0, byteLimit: Int = .max) {
    self.file = file
    self.byteLimit = byteLimit
    let (expected, overflow) = (file?.byteCount ?? 0).addingReportingOverflow(widenedByteCount)
    memory = WeightMemory(expected: overflow ? 0 : expected)
  }

  /// Bytes of the file; 0 where there is none.
  package var fileByteCount: Int { file?.byteCount ?? 0 }

  /// Whether nothing more should be derived from constants of the file.
  package var isFull: Bool { memory.takenByteCount > byteLimit }

  /// Where values derived from `bytes` lie best; nil where they do not live as long as the cache.
  package func memory(for bytes: TensorBytes) -> WeightMemory? {
    file === bytes.storage ? memory : nil
  }

  /// The `form` of the constant `bytes`, made by `make` where it is not there yet.
  ///
  /// `form` names everything but the bytes that the value depends on: the kind of packing, the
  /// instruction set, dimensions, zero points. `make` must not ask for the same value.
  public func value<Value: AnyObject & Sendable>(
    for bytes: TensorBytes, form: WeightForm, make: () -> Value
  ) -> Value {
    guard file == nil || file === bytes.storage else { return make() }
    let key = Key(
      storage: ObjectIdentifier(bytes.storage), offset: bytes.offset,
      byteCount: bytes.byteCount, form: form)
    let entry = entries.withLock { entries in
      if let known = entries[key] { return known }
      let entry = Entry(bytes)
      entries[key] = entry
      return entry
    }
    return entry.value.withLock { value in
      if let known = value as? Value { return known }
      let made = make()
      value = made
      return made
    }
  }
}
