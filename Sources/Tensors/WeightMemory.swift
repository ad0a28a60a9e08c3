// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Memory for what kernels derive from a model's weights: piece behind piece, so that all of them
/// together fill large pages.
///
/// Nothing goes back before all pieces of a stretch of memory and this object are gone, so only
/// what lives as long as the model belongs here.
package final class WeightMemory: Sendable {
  private struct Stretch {
    let storage: Storage
    /// Bytes that will be written, as far as one can tell.
    let dense: Int
    var used = 0
    /// Bytes that have been written, or got memory.
    var populated = 0

    /// The next piece, or nil where too little is left.
    mutating func take(_ byteCount: Int) -> TensorBytes? {
      guard let piece = TensorBytes(storage, offset: used, byteCount: byteCount) else {
        return nil
      }
      let step = Storage.alignment
      used = min((used + byteCount + step - 1) / step * step, storage.byteCount)
      return piece
    }

    /// What to get memory for before anything is written to the last piece, and a little more, as small
    /// pieces follow each other.
    mutating func populating() -> Range<Int> {
      guard used > populated else { return populated..<populated }
      let end = max(used, min(populated + WeightMemory.populationStep, dense))
      defer { populated = end }
      return populated..<end
    }
  }

  /// Bytes that get memory at once, at the least.
  private static let populationStep = 1 << 15

  private let expected: Int
  private let stretch = ForkableMutex<Stretch?>(nil)
  private let taken = Atomic(0)

  /// The bytes of all pieces.
  package var takenByteCount: Int { taken.load(ordering: .relaxed) }

  /// Memory for pieces of about `expected` bytes in all; none is taken yet.
  ///
  /// - Precondition: `expected` is not negative.
  package init(expected: Int) { self.expected = expected }

  /// A zeroed piece of `byteCount` bytes, aligned as a storage is.
  ///
  /// - Precondition: `byteCount` is not negative.
  package func take(_ byteCount: Int) -> TensorBytes {
    taken.add(byteCount, ordering: .relaxed)
    let (location, storage, range) = stretch.withLock { stretch in
      if let location = stretch?.take(byteCount) {
        return (location, location.storage, stretch?.populating() ?? 0..<0)
      }
      // Weights grow a little when they are packed: the first stretch has some room for that.
      let room = stretch == nil ? expected + min(expected / 8, 1 << 24) : expected / 4
      let wanted = max(room, byteCount)
      let dense = stretch == nil ? max(expected, byteCount) : byteCount
      var next = Stretch(storage: Storage(zeroed: wanted, dense: dense), dense: dense)
      let location = next.take(byteCount)
      let range = next.populating()
      stretch = next
      return (location ?? TensorBytes(zeroed: byteCount), next.storage, range)
    }
    storage.populate(range)
    return location
  }
}
