// SPDX-License-Identifier: Apache-2.0

/// Numbers that look random and follow from a seed: a linear congruential generator.
struct MutationRandom {
  private var state: UInt64

  init(seed: UInt32) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// A number from 0 to `limit` - 1; `limit` is at least 1.
  mutating func number(below limit: Int) -> Int { Int(next() >> 33) % limit }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
