// SPDX-License-Identifier: Apache-2.0

/// A value behind a lock, for a page that has one thread: there is nothing to lock.
@safe
final class Mutex<Value>: @unchecked Sendable {
  private var value: Value

  /// A lock around `value`.
  init(_ value: Value) { self.value = value }

  /// Calls `body` with the value.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result { body(&value) }
}
