// SPDX-License-Identifier: Apache-2.0

/// Random bits as functions of a counter: equal counters and keys give equal bits.
///
/// J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
package enum CounterGenerators {
  /// Philox 4x32 with 10 rounds: four words from a counter of four words and a key of two.
  ///
  /// A round multiplies two words of the counter by constants; the upper halves of the products
  /// are mixed with the other two words and with the key, which grows by constants.
  package static func philox(
    _ counter: (UInt32, UInt32, UInt32, UInt32), key: (UInt32, UInt32)
  ) -> (UInt32, UInt32, UInt32, UInt32) {
    var (a, b, c, d) = counter
    var (low, high) = key
    for _ in 0..<10 {
      let first = (0xD251_1F53 as UInt32).multipliedFullWidth(by: a)
      let second = (0xCD9E_8D57 as UInt32).multipliedFullWidth(by: c)
      (a, b, c, d) = (second.high ^ b ^ low, second.low, first.high ^ d ^ high, first.low)
      low &+= 0x9E37_79B9
      high &+= 0xBB67_AE85
    }
    return (a, b, c, d)
  }

  /// Threefry 2x32 with 20 rounds: two words from a counter and a key of two words each.
  ///
  /// A round adds, rotates and mixes; after every fourth, one of three key words is added to each
  /// word, the third being the parity of the other two.
  package static func threefry(
    _ counter: (UInt32, UInt32), key: (UInt32, UInt32)
  ) -> (UInt32, UInt32) {
    let keys = [key.0, key.1, key.0 ^ key.1 ^ 0x1BD1_1BDA]
    let rotations: [[UInt32]] = [[13, 15, 26, 6], [17, 29, 16, 24]]
    var (a, b) = (counter.0 &+ key.0, counter.1 &+ key.1)
    for group in 0..<5 {
      for rotation in rotations[group % 2] {
        a &+= b
        b = b << rotation | b >> (32 - rotation)
        b ^= a
      }
      a &+= keys[(group + 1) % 3]
      b &+= keys[(group + 2) % 3] &+ UInt32(group + 1)
    }
    return (a, b)
  }
}
