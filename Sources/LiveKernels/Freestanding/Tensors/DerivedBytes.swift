// SPDX-License-Identifier: Apache-2.0

/// Values that follow from a constant: live kernels have none.
@safe
final class DerivedBytes: Sendable {
  private let storage: Storage

  init(_ storage: Storage) { self.storage = storage }

  /// The first byte of the values.
  @unsafe
  var base: UnsafeMutableRawPointer { unsafe storage.base }
}
