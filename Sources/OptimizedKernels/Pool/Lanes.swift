// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Bytes between two values that different threads write, so that a write does not take the other
/// value's cache line, or the neighbor that is fetched with it, from its readers.
typealias CacheLines = InlineArray<16, Int>

/// What belongs to one worker of a team.
struct Lane: ~Copyable {
  /// The most blocks of a job.
  static let mostBlocks = Int(UInt32.max)

  /// Of the blocks of a job that the worker claims first, the next that nobody has claimed, behind
  /// the low half of the job's epoch: the caller need not write to every lane before a job.
  private let claimed = Atomic<UInt64>(0)
  private let afterClaimed = CacheLines(repeating: 0)
  /// Whether the worker may be using the open job; written by the worker alone.
  let isAtWork = Atomic(false)
  /// Whether the worker is there, or asked for and on its way.
  let isPresent = Atomic(false)
  private let afterIsPresent = CacheLines(repeating: 0)

  /// Claims one of the lane's `blocks` of the job of `epoch`; nil where all are claimed.
  @inline(__always)
  func claim(of blocks: Range<Int>, epoch: Int) -> Int? {
    let job = UInt64(UInt32(truncatingIfNeeded: epoch)) << 32
    var seen = claimed.load(ordering: .relaxed)
    while true {
      let isOfJob = seen >> 32 == job >> 32
      let next = isOfJob ? Int(UInt32(truncatingIfNeeded: seen)) : blocks.lowerBound
      // To claim a block takes the lane's line from all others who look for blocks there.
      guard next < blocks.upperBound else { return nil }
      let (exchanged, original) = claimed.compareExchange(
        expected: seen, desired: job | UInt64(UInt32(truncatingIfNeeded: next + 1)),
        ordering: .acquiringAndReleasing)
      if exchanged { return next }
      seen = original
    }
  }

  /// Forgets of which job blocks were claimed last.
  func forgetJob() { claimed.store(0, ordering: .relaxed) }
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

  /// Forgets the jobs whose epochs have the same low half as later ones; `epoch` is that after the
  /// last job, while nobody is at work.
  func forgetJobs(before epoch: Int) {
    guard UInt32(truncatingIfNeeded: epoch) == 0 else { return }
    for worker in 0..<count { unsafe self[worker].pointee.forgetJob() }
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
