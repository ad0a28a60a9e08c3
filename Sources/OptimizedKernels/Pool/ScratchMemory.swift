// SPDX-License-Identifier: Apache-2.0

import Microkernels
import Synchronization

/// Memory that threads use while they compute blocks, handed from one to the next.
///
/// Helpers are whichever threads Dispatch has at hand. Were they to allocate this memory, each of
/// them would keep its share in a heap of its own, and aligned pieces of it, taken and given back
/// thousands of times, leave gaps in all of them: a small network would take twice the memory after
/// some hundred inferences.
enum ScratchMemory {
  /// Memory that nobody uses, the last used last.
  private static let free = Mutex<[AlignedMemory]>([])
  /// Larger ones are not kept.
  private static let largestKept = 1 << 22
  private static let granularity = 1 << 14
  /// For every thread, and as many that they use meanwhile.
  private static let mostKept = 2 * Processors.count

  /// Bytes that Swift takes from a thread's stack without further ado, where 16 bytes of alignment
  /// suffice.
  private static var stackByteCount: Int { 1024 }

  /// Runs `body` with `byteCount` aligned bytes of any content.
  @unsafe
  @inline(__always)
  static func use(_ byteCount: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    guard byteCount <= stackByteCount - AlignedMemory.alignment else {
      return unsafe useShared(byteCount, body)
    }
    unsafe withUnsafeTemporaryAllocation(byteCount: stackByteCount, alignment: 16) { memory in
      guard let base = memory.baseAddress else { return }
      unsafe body(base.alignedUp(toMultipleOf: AlignedMemory.alignment))
    }
  }

  /// Runs `body` with memory that is handed on.
  @unsafe
  private static func useShared(_ byteCount: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    let memory = take(byteCount)
    unsafe body(memory.address)
    guard memory.byteCount <= largestKept else { return }
    free.withLock { free in
      if free.count < mostKept { free.append(memory) }
    }
  }

  /// The memory that was used last of what is large enough, else some instead of the last.
  private static func take(_ byteCount: Int) -> AlignedMemory {
    let known = free.withLock { free -> AlignedMemory? in
      guard let index = free.lastIndex(where: { $0.byteCount >= byteCount }) else {
        _ = free.popLast()
        return nil
      }
      return free.remove(at: index)
    }
    return known ?? AlignedMemory(zeroed: roundedUp(byteCount, to: granularity))
  }
}
