// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Bytes between two values that different threads write, so that a write does not take the other
/// value's cache line, or the neighbor that is fetched with it, from its readers.
typealias CacheLines = InlineArray<16, Int>

/// What belongs to one worker of a team.
struct Lane: ~Copyable {
  /// Of the blocks of a job that the worker claims first, the next that nobody has claimed.
  let next = Atomic(0)
  private let afterNext = CacheLines(repeating: 0)
  /// Whether the worker may be using the open job; written by the worker alone.
  let isAtWork = Atomic(false)
  /// Whether the worker is there, or asked for and on its way.
  let isPresent = Atomic(false)
  private let afterIsPresent = CacheLines(repeating: 0)
}

/// The lanes of a team, in memory of their own: to count references to an object would be a write
/// that all workers compete for.
@safe
final class Lanes: @unchecked Sendable {
  /// How many there are, at least 1.
  let count: Int
  private let first: UnsafeMutablePointer<Lane>

  /// `count` lanes without blocks or workers.
  init(count: Int) {
    self.count = max(count, 1)
    unsafe first = .allocate(capacity: self.count)
    for worker in 0..<self.count { unsafe (first + worker).initialize(to: Lane()) }
  }

  deinit {
    unsafe first.deinitialize(count: count)
    unsafe first.deallocate()
  }

  /// The lane of a worker from 0 up to `count`; valid while this object lives.
  @unsafe
  subscript(worker: Int) -> UnsafePointer<Lane> {
    @inline(__always)
    get {
      assert(worker >= 0 && worker < count, "a team has no such worker")
      return unsafe UnsafePointer(first + worker)
    }
  }
}
