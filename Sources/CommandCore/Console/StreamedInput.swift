// SPDX-License-Identifier: Apache-2.0

package import FileAccess

/// Standard input piece by piece, for commands that answer while they read.
package protocol StreamedInput: AnyObject, Sendable {
  /// The next bytes, at most `count` of them and at least one; none at the end, nil once the input
  /// was stopped.
  ///
  /// One thread at a time may read.
  func next(_ count: Int) throws(FileSystemError) -> [UInt8]?

  /// Stops the input, also for a thread that waits for it; any thread may do so.
  func stop()

  /// The signal that stopped the input, if one did.
  var signal: TerminationSignal? { get }
}
