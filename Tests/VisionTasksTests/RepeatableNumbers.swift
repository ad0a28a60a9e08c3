// SPDX-License-Identifier: Apache-2.0

/// Numbers from 0 to 1 that any program can make, for expectations that come from another one.
struct RepeatableNumbers {
  private var state: UInt32 = 7

  /// The next number: the high 24 bits of a linear congruential generator.
  mutating func next() -> Float {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(state >> 8) / 16_777_216
  }
}
