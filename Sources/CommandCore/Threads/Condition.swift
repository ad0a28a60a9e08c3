// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A value that several threads change, each of which may wait for the changes of others: a POSIX
/// mutex with a condition variable, both behind this interface alone.
@safe package final class Condition<Value>: Sendable {
  // Both have an address of their own, which POSIX asks for.
  private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(
    capacity: 1)
  private nonisolated(unsafe) let variable = UnsafeMutablePointer<pthread_cond_t>.allocate(
    capacity: 1)
  // Read and written only with the mutex held.
  private nonisolated(unsafe) var value: Value

  /// A condition with a first value.
  package init(_ value: sending Value) {
    unsafe self.value = value
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(variable, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(variable)
    unsafe pthread_mutex_destroy(mutex)
    unsafe variable.deallocate()
    unsafe mutex.deallocate()
  }

  /// Gives `body` the value alone.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe body(&value)
  }

  /// Waits while `isEarly` holds, then gives `body` the value.
  package func withLock<Result>(
    waitingWhile isEarly: (Value) -> Bool, _ body: (inout Value) -> Result
  ) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while unsafe isEarly(value) { unsafe pthread_cond_wait(variable, mutex) }
    return unsafe body(&value)
  }

  /// Has all threads that wait look at the value again.
  package func broadcast() {
    unsafe pthread_cond_broadcast(variable)
  }
}
