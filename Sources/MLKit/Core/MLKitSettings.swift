// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import Synchronization

/// What programs on Linux may decide for all of these modules (an addition).
public enum MLKitSettings {
  private static let queue = Mutex(DispatchQueue.main)

  /// Where completion handlers run; the main queue, as in the originals, unless set.
  ///
  /// The main queue only works in programs that give it their main thread, with `dispatchMain()`,
  /// a run loop, or an `async` main function. Others choose a queue of their own before anything
  /// else. With another queue than the main one, `results(in:)` may be called on the main thread.
  public static var completionQueue: DispatchQueue {
    get { queue.withLock { $0 } }
    set { queue.withLock { $0 = newValue } }
  }

  /// Runs a completion handler where such handlers run.
  static func complete(_ handler: @escaping () -> Void) {
    // The originals take handlers that are not Sendable; each is handed over once.
    nonisolated(unsafe) let handler = handler
    completionQueue.async { unsafe handler() }
  }
}
