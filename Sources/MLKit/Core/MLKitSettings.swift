// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import ResourceLimits
import Synchronization

/// What programs on Linux may decide for all of these modules (an addition).
public enum MLKitSettings {
  /// The queue that was chosen; nil for the main queue, of which there are many objects on Linux.
  private static let chosen = Mutex<DispatchQueue?>(nil)

  /// Where completion handlers run; the main queue, as in the originals, unless set.
  ///
  /// The main queue only works in programs that give it their main thread, with `dispatchMain()`,
  /// a run loop, or an `async` main function. Others choose a queue of their own before anything
  /// else. With another queue than the main one, `results(in:)` may be called on the main thread.
  public static var completionQueue: DispatchQueue {
    get { chosen.withLock { $0 } ?? .main }
    set { chosen.withLock { $0 = newValue.label == DispatchQueue.main.label ? nil : newValue } }
  }

  private static let chosenLimits = Mutex(Limits())

  /// What models, runs and images may take, of those that are loaded from now on.
  public static var limits: Limits {
    get { chosenLimits.withLock { $0 } }
    set { chosenLimits.withLock { $0 = newValue } }
  }

  /// Whether completion handlers run on the main queue.
  static var completesOnMain: Bool { chosen.withLock { $0 } == nil }

  /// Runs a completion handler where such handlers run.
  static func complete(_ handler: @escaping () -> Void) {
    // The originals take handlers that are not Sendable; each is handed over once.
    nonisolated(unsafe) let handler = handler
    completionQueue.async { unsafe handler() }
  }
}
