// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
import Tensors

/// The random words of a node, which go on from one invocation to the next.
///
/// Block n of four words is Philox of the counter n, whose upper half is `seed2`, under the key
/// `seed`. TensorFlow: `philox_random.h`. Of seeds of 64 bits TFLite keeps the lower 32, with their
/// sign.
///
/// Where both seeds are 0, TFLite draws them from the system. Here every result can be repeated,
/// so such a node is seeded with the fixed numbers below: its numbers are as random, but a new
/// interpreter begins with the same ones.
///
/// A stream belongs to one node of one interpreter. It starts again when the node is resolved
/// anew, as after a resize: TFLite seeds its generator in `Prepare`. TFLite: `random_ops.cc`.
package final class RandomStream: Sendable {
  private let key: (UInt32, UInt32)
  private let upper: (UInt32, UInt32)
  /// The number of the next block.
  private let position = TensorBytes(zeroed: MemoryLayout<UInt64>.stride)

  /// The stream of a node with these options, at its start.
  package init(_ options: RandomOptions) {
    let low = Int64(Int32(truncatingIfNeeded: options.seed))
    let low2 = Int64(Int32(truncatingIfNeeded: options.seed2))
    let isUnseeded = low == 0 && low2 == 0
    let seed = isUnseeded ? 0x243F_6A88_85A3_08D3 : UInt64(bitPattern: low)
    let seed2 = isUnseeded ? 0x1319_8A2E_0370_7344 : UInt64(bitPattern: low2)
    key = (UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32))
    upper = (UInt32(truncatingIfNeeded: seed2), UInt32(truncatingIfNeeded: seed2 >> 32))
  }

  /// Claims the next `blockCount` blocks and gives the number of the first.
  package func claim(_ blockCount: UInt64) -> UInt64 {
    let position = position
    var next = position.mutableSpan(as: UInt64.self)
    let first = next[0]
    next[0] = first &+ blockCount
    return first
  }

  /// The words of a block.
  package func block(_ number: UInt64) -> (UInt32, UInt32, UInt32, UInt32) {
    CounterGenerators.philox(
      (
        UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32), upper.0,
        upper.1
      ), key: key)
  }
}

extension Float {
  /// A number in 0..<1 made of the 23 lowest bits of a random word.
  init(randomBits word: UInt32) { self = Float(bitPattern: 127 << 23 | word & 0x7F_FFFF) - 1 }
}

extension Double {
  /// A number in 0..<1 made of 52 bits: the 20 lowest of one random word and all of another.
  init(randomBits high: UInt32, _ low: UInt32) {
    let fraction = UInt64(high & 0xF_FFFF) << 32 | UInt64(low)
    self = Double(bitPattern: 1023 << 52 | fraction) - 1
  }
}
