// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What results of all tasks derive from.
open class TaskResult: NSObject, NSCopying, @unchecked Sendable {
  /// The time that the caller gave the input, in milliseconds.
  ///
  /// Inputs without a time count as one second apart, beginning with 0.
  public let timestampInMilliseconds: Int

  /// A result at a time.
  public init(timestampInMilliseconds: Int) {
    self.timestampInMilliseconds = timestampInMilliseconds
  }

  /// The result itself, which cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
