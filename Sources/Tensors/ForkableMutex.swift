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
@safe package struct ForkableMutex<Value>: ~Copyable, @unchecked Sendable {
  @unsafe private struct State {
    var lock = unsafe pthread_mutex_t()
    var value: Value
  }

  private let state: UnsafeMutablePointer<State>

  /// A mutex around a value.
  package init(_ value: sending Value) {
    unsafe state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe state.initialize(to: State(value: value))
    unsafe pthread_mutex_init(&state.pointee.lock, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(&state.pointee.lock)
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// What `body` makes of the value, which no other thread sees meanwhile.
  package borrowing func withLock<Result>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result {
    unsafe pthread_mutex_lock(&state.pointee.lock)
    defer { unsafe pthread_mutex_unlock(&state.pointee.lock) }
    return unsafe body(&state.pointee.value)
  }
}
