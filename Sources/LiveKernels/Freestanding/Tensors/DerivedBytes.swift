// SPDX-License-Identifier: Apache-2.0

/// Values that follow from a constant: live kernels have none.
@safe
final class DerivedBytes: Sendable {
  /// The first byte of the values.
  @unsafe
  let base: UnsafeMutableRawPointer

  init(_ base: UnsafeMutableRawPointer) { unsafe self.base = base }
}
