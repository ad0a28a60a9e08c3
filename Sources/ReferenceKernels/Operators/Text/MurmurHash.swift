// SPDX-License-Identifier: Apache-2.0

/// MurmurHash 2 of 64 bits, with a seed.
///
/// Eight bytes at a time, little-endian, are mixed into the hash, and what is left of them last. All
/// arithmetic is modulo 2⁶⁴. Algorithm: Austin Appleby's `MurmurHash64A`. MediaPipe: `murmur.cc`.
package enum MurmurHash {
  private static let factor: UInt64 = 0xc6a4_a793_5bd1_e995

  /// The hash of `bytes`.
  package static func of(_ bytes: ArraySlice<UInt8>, seed: UInt64) -> UInt64 {
    var hash = seed ^ UInt64(bytes.count) &* factor
    var position = bytes.startIndex
    while bytes.endIndex - position >= 8 {
      hash = (hash ^ folded(word(bytes[position..<position + 8]) &* factor) &* factor) &* factor
      position += 8
    }
    if position < bytes.endIndex { hash = (hash ^ word(bytes[position...])) &* factor }
    return folded(folded(hash) &* factor)
  }

  /// The upper bits mixed into the lower ones.
  private static func folded(_ bits: UInt64) -> UInt64 { bits ^ bits >> 47 }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
