// SPDX-License-Identifier: Apache-2.0

import Microkernels
import Synchronization

/// Memory that threads use while they compute blocks, handed from one to the next.
///
/// Helpers are whichever threads Dispatch has at hand. Were they to allocate this memory, each of
/// them would keep its share in a heap of its own, and aligned pieces of it, taken and given back
/// thousands of times, leave gaps in all of them: a small network would take twice the memory after
/// some hundred inferences.
///
/// There are a few slots for it. A thread looks first where it looked the last time, so that threads
/// rarely meet: a lock that all workers of a team take at the same moment, before and after each
/// node, would cost more than a short node.
enum ScratchMemory {
  /// Memory that a thread uses, or that waits for one.
  private struct Slot: ~Copyable {
    let isTaken = Atomic(false)
    /// Of who takes the slot.
    var memory: AlignedMemory?
    private let afterMemory = CacheLines(repeating: 0)
  }

  /// For every thread, and as many that they use meanwhile.
  private static let slotCount = 2 * Processors.count
  private nonisolated(unsafe) static let slots: UnsafeMutablePointer<Slot> = {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount)
    for index in 0..<slotCount { unsafe (slots + index).initialize(to: Slot()) }
    return unsafe slots
  }()
  /// Larger ones are not kept.
  private static let largestKept = 1 << 22
  private static let granularity = 1 << 14
  /// Up to this size memory is as large as asked for, beyond it at least `leastLarge`.
  ///
  /// The system gives pages when they are written. Each time a somewhat larger memory replaced the
  /// one before, all of them would be given anew.
  private static let mostSmall = 1 << 16
  /// What most kernels do not exceed.
  private static let leastLarge = 1 << 20

  /// Bytes that Swift takes from a thread's stack without further ado, where 16 bytes of alignment
  /// suffice.
  private static var stackByteCount: Int { 1024 }

  /// What `body` gives with `byteCount` aligned bytes of any content.
  @unsafe
  @inline(__always)
  static func use<Result>(
    _ byteCount: Int, _ body: (UnsafeMutableRawPointer) -> Result
  ) -> Result {
    guard byteCount <= stackByteCount - AlignedMemory.alignment else {
      return unsafe useShared(byteCount, body)
    }
    return unsafe withUnsafeTemporaryAllocation(byteCount: stackByteCount, alignment: 16) {
      memory in
      guard let base = memory.baseAddress else { preconditionFailure("memory lies somewhere") }
      return unsafe body(base.alignedUp(toMultipleOf: AlignedMemory.alignment))
    }
  }

  /// Runs `body` with memory that is handed on.
  @unsafe
  private static func useShared<Result>(
    _ byteCount: Int, _ body: (UnsafeMutableRawPointer) -> Result
  ) -> Result {
    let slot = unsafe freeSlot()
    defer { unsafe slot?.pointee.isTaken.store(false, ordering: .releasing) }
    let memory: AlignedMemory
    if let kept = unsafe slot?.pointee.memory, kept.byteCount >= byteCount {
      memory = kept
    } else {
      let size = roundedUp(
        byteCount > mostSmall ? max(byteCount, leastLarge) : byteCount, to: granularity)
      // What is replaced goes first, so that its pages can be used again.
      if size <= largestKept { unsafe slot?.pointee.memory = nil }
      memory = AlignedMemory(uninitialized: size)
      if size <= largestKept { unsafe slot?.pointee.memory = memory }
    }
    return withExtendedLifetime(memory) { unsafe body(memory.address) }
  }

  /// A slot that this thread has taken; nil where others have all.
  private static func freeSlot() -> UnsafeMutablePointer<Slot>? {
    var index = preferredSlot()
    for _ in 0..<slotCount {
      let slot = unsafe slots + index
      if unsafe !slot.pointee.isTaken.load(ordering: .relaxed),
        unsafe !slot.pointee.isTaken.exchange(true, ordering: .acquiring)
      {
        return unsafe slot
      }
      index = index + 1 < slotCount ? index + 1 : 0
    }
    return nil
  }

  /// Where a thread looks first, by where its stack is: stacks are some megabytes apart.
  private static func preferredSlot() -> Int {
    unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { local in
      let stack = UInt(bitPattern: local.baseAddress) >> 19
      return Int(truncatingIfNeeded: stack % UInt(slotCount))
    }
  }
}
