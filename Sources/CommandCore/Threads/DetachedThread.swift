// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a new thread does; a class, so that a C function can be given a reference to it.
private final class ThreadBody {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs `body` on a thread of its own, which nothing waits for.
///
/// Returns false where the system has no more threads; `body` is not run then.
@discardableResult
package func detachThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  let argument = unsafe Unmanaged.passRetained(ThreadBody(body))
  // A pointer, but with glibc.
  #if canImport(Darwin) || canImport(Musl)
    var thread: pthread_t?
  #else
    var thread: pthread_t = 0
  #endif
  guard unsafe pthread_create(&thread, nil, runThreadBody, argument.toOpaque()) == 0 else {
    unsafe argument.release()
    return false
  }
  #if canImport(Darwin) || canImport(Musl)
    if let thread = unsafe thread { unsafe pthread_detach(thread) }
  #else
    pthread_detach(thread)
  #endif
  return true
}

#if canImport(Darwin)
  private func runThreadBody(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }
#else
  private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }
#endif
