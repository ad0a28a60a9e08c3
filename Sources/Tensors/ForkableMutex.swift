// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value that one thread at a time may see, also in a child of `fork`.
///
/// On Linux, `Synchronization.Mutex` marks its owner by the number of a thread, which the standard
/// library keeps for each thread. In a child, the thread that forked still has the number of its
/// parent's: as soon as a second thread waits for it, the process ends.
@safe
package struct ForkableMutex<Value>: ~Copyable, @unchecked Sendable {
  @usableFromInline let lock = ForkableLock()
  @usableFromInline let value: UnsafeMutablePointer<Value>

  /// A mutex around a value.
  @inlinable
  package init(_ value: sending Value) {
    unsafe self.value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe self.value.initialize(to: value)
  }

  deinit {
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// What `body` makes of the value, which no other thread sees meanwhile.
  ///
  /// Compiled for the type of the value, which has to be looked up in each call otherwise.
  @inlinable
  package borrowing func withLock<Result>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return unsafe body(&value.pointee)
  }
}

/// The lock of a mutex.
@safe @usableFromInline
struct ForkableLock: ~Copyable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  @usableFromInline
  init() {
    unsafe mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  @usableFromInline
  borrowing func lock() { unsafe pthread_mutex_lock(mutex) }

  @usableFromInline
  borrowing func unlock() { unsafe pthread_mutex_unlock(mutex) }
}
