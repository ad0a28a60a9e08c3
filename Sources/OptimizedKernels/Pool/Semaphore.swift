// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Dispatch
#endif

#if canImport(Glibc) || canImport(Musl)
  /// A semaphore that is zero at first: the system's, as Dispatch's would bring its Swift module
  /// (see `BackgroundWork`).
  @safe
  final class Semaphore: @unchecked Sendable {
    private let handle: UnsafeMutablePointer<sem_t>

    init() {
      unsafe handle = .allocate(capacity: 1)
      unsafe sem_init(handle, 0, 0)
    }

    deinit {
      unsafe sem_destroy(handle)
      unsafe handle.deallocate()
    }

    /// Waits for a signal.
    func wait() {
      // Signals to the process interrupt it.
      while unsafe sem_wait(handle) != 0 {}
    }

    /// Lets one who waits go on.
    func signal() { unsafe sem_post(handle) }
  }
#else
  /// A semaphore that is zero at first.
  final class Semaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Waits for a signal.
    func wait() { semaphore.wait() }

    /// Lets one who waits go on.
    func signal() { semaphore.signal() }
  }
#endif
