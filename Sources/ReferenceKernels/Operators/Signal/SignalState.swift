// SPDX-License-Identifier: Apache-2.0

import Synchronization
package import Tensors

/// What a node of the audio front end keeps from one invocation to the next.
///
/// It begins as zeros and belongs to one node of one interpreter. It starts again when the node is
/// resolved anew, as after a resize, or needs another number of bytes: TFLite Micro clears it in
/// `Prepare`. There are two copies, which invocations read and write by turns, so that an
/// explanation of a run still finds what the run began with, and writes what the run wrote.
package final class SignalState: Sendable {
  /// What an invocation does with the state.
  package struct Turn {
    /// The invocation's number, from 0 on.
    package let number: UInt64
    /// What the one before it has left.
    package let before: TensorBytes
    /// What it leaves to the next one.
    package let after: TensorBytes
  }

  private struct Copies {
    var first: UInt64 = 0
    var pair = (TensorBytes(zeroed: 0), TensorBytes(zeroed: 0))
  }

  /// The number of the next invocation.
  private let next = TensorBytes(zeroed: MemoryLayout<UInt64>.stride)
  private let copies = Mutex(Copies())

  /// The state of a node before its first invocation.
  package init() {}

  /// The bytes of a state of as many elements as the product of `counts`, of this type.
  ///
  /// - Throws: `KernelError` for more than can be counted.
  static func byteCount<Element>(
    _ counts: Int..., of element: Element.Type
  ) throws(KernelError) -> Int {
    guard let bytes = Checked.product([2 * MemoryLayout<Element>.stride] + counts) else {
      throw .invalid("a state of \(counts.map(String.init).joined(separator: " × ")) elements")
    }
    return bytes / 2
  }

  /// A node with a state of `byteCount` bytes, of which there are two copies.
  static func prepared(
    _ outputs: [TensorType], _ kernel: any Kernel, byteCount: Int
  ) -> Prepared {
    var prepared = Prepared(outputs: outputs, kernel: kernel)
    prepared.heldByteCount = 2 * byteCount
    prepared.isPure = false
    return prepared
  }

  /// The state of `byteCount` bytes in this invocation, or in the last one if that is explained.
  package func turn(_ byteCount: Int, _ steps: inout some Steps) -> Turn {
    let next = next
    let number = steps.blocks(1) { count in
      var next = next.mutableSpan(as: UInt64.self)
      let number = next[0]
      next[0] = number &+ count
      return number
    }
    return copies.withLock { copies in
      if copies.pair.0.byteCount != byteCount {
        copies.first = number
        copies.pair = (TensorBytes(zeroed: byteCount), TensorBytes(zeroed: byteCount))
      }
      let own = number &- copies.first
      let (even, odd) = copies.pair
      return own % 2 == 0
        ? Turn(number: own, before: even, after: odd)
        : Turn(number: own, before: odd, after: even)
    }
  }
}
