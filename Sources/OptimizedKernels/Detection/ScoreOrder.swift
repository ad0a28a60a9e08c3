// SPDX-License-Identifier: Apache-2.0

/// Scores with their boxes, of which the highest comes off first; equal ones in the order of boxes.
///
/// A heap, as far fewer come off than there are. Score and box are one number, so that they are
/// compared at once.
struct ScoreOrder {
  private var keys: [UInt64] = []

  /// No scores, with room for so many.
  init(capacity: Int) { keys.reserveCapacity(capacity) }

  /// Adds a score that is a number, before the first comes off.
  mutating func append(_ score: Float, of box: Int) {
    // 0 and −0 are equal, and the order of floats is that of their bits, negative ones' reversed.
    let bits = (score + 0).bitPattern
    let ordered = bits >> 31 == 1 ? ~bits : bits | 1 << 31
    keys.append(UInt64(ordered) << 32 | UInt64(UInt32.max - UInt32(truncatingIfNeeded: box)))
  }

  /// Arranges what has been added.
  mutating func arrange() {
    for parent in stride(from: keys.count / 2 - 1, through: 0, by: -1) { sink(from: parent) }
  }

  /// Takes off the box with the highest score; nil where none is left.
  mutating func next() -> Int? {
    guard let first = keys.first, let last = keys.popLast() else { return nil }
    if !keys.isEmpty {
      keys[0] = last
      sink(from: 0)
    }
    return Int(UInt32.max - UInt32(truncatingIfNeeded: first))
  }

  private mutating func sink(from start: Int) {
    var parent = start
    let key = keys[start]
    while true {
      var child = 2 * parent + 1
      guard child < keys.count else { break }
      if child + 1 < keys.count, keys[child + 1] > keys[child] { child += 1 }
      guard keys[child] > key else { break }
      keys[parent] = keys[child]
      parent = child
    }
    keys[parent] = key
  }
}
