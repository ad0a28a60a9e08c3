// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs long work on a thread that Swift's tasks do not need.
package enum BackgroundWork {
  /// Runs `work` soon, on some thread.
  package static func run(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global(qos: .userInitiated).async(execute: work)
  }
}
