// SPDX-License-Identifier: Apache-2.0

import Synchronization

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
    let form: String
  }

  private struct Entry {
    let source: TensorBytes  // keeps the storage alive, so that its identity stays unique
    let value: any AnyObject & Sendable
  }

  private let entries = Mutex<[Key: Entry]>([:])
  private let file: Storage?

  /// An empty cache for constants in `file`, or for any where it is nil.
  public init(file: Storage? = nil) { self.file = file }

  /// The `form` of the constant `bytes`, made by `make` where it is not there yet.
  ///
  /// `form` names everything but the bytes that the value depends on: the kind of packing, the
  /// instruction set, dimensions, zero points.
  public func value<Value: AnyObject & Sendable>(
    for bytes: TensorBytes, form: String, make: () -> Value
  ) -> Value {
    guard file == nil || file === bytes.storage else { return make() }
    let key = Key(
      storage: ObjectIdentifier(bytes.storage), offset: bytes.offset,
      byteCount: bytes.byteCount, form: form)
    if let known = entries.withLock({ $0[key]?.value }) as? Value { return known }
    let made = make()
    return entries.withLock { entries in
      if let known = entries[key]?.value as? Value { return known }
      entries[key] = Entry(source: bytes, value: made)
      return made
    }
  }
}
