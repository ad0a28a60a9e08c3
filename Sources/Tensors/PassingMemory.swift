// SPDX-License-Identifier: Apache-2.0

/// Memory for derived values that are read for a while, and used again for the next ones.
///
/// Were each to have memory of its own, what lives on would settle in what they leave, and the next
/// one find no room there: the weights of a network would be written to new pages one by one.
package final class PassingMemory: Sendable {
  private struct State {
    /// Whether memory is kept for the next values.
    var isKept = true
    /// What the largest values need, as far as one knows.
    var largest = 0
    var storage: Storage?
  }

  /// More bytes than this have memory of their own, which goes when they have been read.
  private static let mostKept = 1 << 22

  private let state = ForkableMutex(State())

  /// No memory yet.
  package init() {}

  /// Makes room for `byteCount` bytes once memory is needed.
  func expect(_ byteCount: Int) {
    guard byteCount <= Self.mostKept else { return }
    state.withLock { $0.largest = max($0.largest, byteCount) }
  }

  /// `byteCount` bytes of any content that nobody else uses.
  func take(_ byteCount: Int) -> TensorBytes {
    let storage = state.withLock { state -> Storage? in
      guard state.isKept, byteCount <= Self.mostKept else { return nil }
      let isLargeEnough = state.storage.map { $0.byteCount >= byteCount } ?? false
      if !isLargeEnough { state.storage = Storage(zeroed: max(byteCount, state.largest)) }
      // Nobody reads what was here before.
      return isKnownUniquelyReferenced(&state.storage) ? state.storage : nil
    }
    return storage.flatMap { TensorBytes($0, offset: 0, byteCount: byteCount) }
      ?? TensorBytes(zeroed: byteCount)
  }

  /// Gives back what is not in use; nothing is kept from now on.
  package func release() {
    state.withLock { state in
      state.isKept = false
      state.storage = nil
    }
  }
}
