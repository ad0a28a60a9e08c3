// SPDX-License-Identifier: Apache-2.0

#if canImport(CDispatch)
  // Dispatch's functions of C: its Swift module brings libraries for regular expressions into every
  // process.
  import CDispatch
#else
  import Dispatch
#endif

/// Runs long work on a thread that Swift's tasks do not need.
package enum BackgroundWork {
  #if canImport(CDispatch)
    /// `QOS_CLASS_USER_INITIATED`, which Linux has no name for.
    private static let userInitiated = 0x19

    /// What a thread of Dispatch is given.
    private final class Work: Sendable {
      let body: @Sendable () -> Void

      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `work` soon, on some thread.
    package static func run(_ work: @escaping @Sendable () -> Void) {
      let context = unsafe Unmanaged.passRetained(Work(work)).toOpaque()
      unsafe dispatch_async_f(dispatch_get_global_queue(userInitiated, 0), context) { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
      }
    }
  #else
    /// Runs `work` soon, on some thread.
    package static func run(_ work: @escaping @Sendable () -> Void) {
      DispatchQueue.global(qos: .userInitiated).async(execute: work)
    }
  #endif
}
