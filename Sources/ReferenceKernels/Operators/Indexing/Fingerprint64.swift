// SPDX-License-Identifier: Apache-2.0

/// FarmHash's `Fingerprint64`: 64 bits that stand for a string of bytes, the same everywhere.
///
/// Short strings are multiplied and rotated as a whole; from 65 bytes on, blocks of 64 bytes are
/// mixed into a state of seven words. All arithmetic is modulo 2⁶⁴, and words are read
/// little-endian. Algorithm: FarmHash, `farmhashna::Hash64`.
package enum Fingerprint64 {
  private static let k0: UInt64 = 0xc3a5_c85c_97cb_3127
  private static let k1: UInt64 = 0xb492_b66f_be98_f273
  private static let k2: UInt64 = 0x9ae1_6a3b_2f90_404f

  /// Two words of the state, or of a result.
  private typealias Pair = (first: UInt64, second: UInt64)

  /// The fingerprint of `bytes`.
  package static func of(_ bytes: Span<UInt8>) -> UInt64 {
    switch bytes.count {
    case 0...16: upTo16(bytes)
    case 17...32: upTo32(bytes)
    case 33...64: upTo64(bytes)
    default: long(bytes)
    }
  }

  private static func upTo16(_ bytes: Span<UInt8>) -> UInt64 {
    let count = bytes.count
    let length = UInt64(count)
    let factor = k2 &+ length &* 2
    if count >= 8 {
      let a = word(bytes, 0) &+ k2
      let b = word(bytes, count - 8)
      let c = rotated(b, 37) &* factor &+ a
      let d = (rotated(a, 25) &+ b) &* factor
      return mixed(c, d, factor)
    }
    if count >= 4 {
      return mixed(length &+ halfWord(bytes, 0) << 3, halfWord(bytes, count - 4), factor)
    }
    guard count > 0 else { return k2 }
    let y = UInt64(bytes[0]) + UInt64(bytes[count / 2]) << 8
    let z = length + UInt64(bytes[count - 1]) << 2
    return folded(y &* k2 ^ z &* k0) &* k2
  }

  private static func upTo32(_ bytes: Span<UInt8>) -> UInt64 {
    let count = bytes.count
    let factor = k2 &+ UInt64(count) &* 2
    let a = word(bytes, 0) &* k1
    let b = word(bytes, 8)
    let c = word(bytes, count - 8) &* factor
    let d = word(bytes, count - 16) &* k2
    return mixed(
      rotated(a &+ b, 43) &+ rotated(c, 30) &+ d, a &+ rotated(b &+ k2, 18) &+ c, factor)
  }

  private static func upTo64(_ bytes: Span<UInt8>) -> UInt64 {
    let count = bytes.count
    let factor = k2 &+ UInt64(count) &* 2
    let a = word(bytes, 0) &* k2
    let b = word(bytes, 8)
    let c = word(bytes, count - 8) &* factor
    let d = word(bytes, count - 16) &* k2
    let y = rotated(a &+ b, 43) &+ rotated(c, 30) &+ d
    let z = mixed(y, a &+ rotated(b &+ k2, 18) &+ c, factor)
    let e = word(bytes, 16) &* factor
    let f = word(bytes, 24)
    let g = (y &+ word(bytes, count - 32)) &* factor
    let h = (z &+ word(bytes, count - 24)) &* factor
    return mixed(
      rotated(e &+ f, 43) &+ rotated(g, 30) &+ h, e &+ rotated(f &+ a, 18) &+ g, factor)
  }

  private static func long(_ bytes: Span<UInt8>) -> UInt64 {
    let seed: UInt64 = 81
    var state = State(
      x: seed &* k2 &+ word(bytes, 0), y: seed &* k1 &+ 113,
      z: folded((seed &* k1 &+ 113) &* k2 &+ 113) &* k2)
    // The last block is the last 64 bytes, which may overlap the one before.
    let lastLength = (bytes.count - 1) % 64
    let end = bytes.count - 1 - lastLength
    for start in stride(from: 0, to: end, by: 64) {
      state.take(bytes, start, factor: k1, weight: 1)
    }
    let factor = k1 &+ (state.z & 0xff) << 1
    state.w.first &+= UInt64(lastLength)
    state.v.first &+= state.w.first
    state.w.first &+= state.v.first
    state.take(bytes, bytes.count - 64, factor: factor, weight: 9)
    return mixed(
      mixed(state.v.first, state.w.first, factor) &+ folded(state.y) &* k0 &+ state.z,
      mixed(state.v.second, state.w.second, factor) &+ state.x, factor)
  }

  /// The state of a long string's fingerprint.
  private struct State {
    var x: UInt64
    var y: UInt64
    var z: UInt64
    var v: Pair = (0, 0)
    var w: Pair = (0, 0)

    /// Takes the 64 bytes at `start`; in the last block some words count `weight`-fold.
    mutating func take(_ bytes: Span<UInt8>, _ start: Int, factor: UInt64, weight: UInt64) {
      x = rotated(x &+ y &+ v.first &+ word(bytes, start + 8), 37) &* factor
      y = rotated(y &+ v.second &+ word(bytes, start + 48), 42) &* factor
      x ^= w.second &* weight
      y &+= v.first &* weight &+ word(bytes, start + 40)
      z = rotated(z &+ w.first, 33) &* factor
      v = weak(bytes, start, v.second &* factor, x &+ w.first)
      w = weak(bytes, start + 32, z &+ w.second, y &+ word(bytes, start + 16))
      (x, z) = (z, x)
    }
  }

  /// A quick mixture of 32 bytes with two seeds.
  private static func weak(
    _ bytes: Span<UInt8>, _ start: Int, _ firstSeed: UInt64, _ secondSeed: UInt64
  ) -> Pair {
    let last = word(bytes, start + 24)
    let a = firstSeed &+ word(bytes, start)
    let b = rotated(secondSeed &+ a &+ last, 21)
    let sum = a &+ word(bytes, start + 8) &+ word(bytes, start + 16)
    return (sum &+ last, b &+ rotated(sum, 44) &+ a)
  }

  /// A mixture of two words.
  private static func mixed(_ u: UInt64, _ v: UInt64, _ factor: UInt64) -> UInt64 {
    let a = folded((u ^ v) &* factor)
    return folded((v ^ a) &* factor) &* factor
  }

  /// The upper bits mixed into the lower ones.
  private static func folded(_ x: UInt64) -> UInt64 { x ^ x >> 47 }

  private static func rotated(_ x: UInt64, _ count: UInt64) -> UInt64 {
    x >> count | x << (64 - count)
  }

  private static func word(_ bytes: Span<UInt8>, _ start: Int) -> UInt64 {
    halfWord(bytes, start) | halfWord(bytes, start + 4) << 32
  }

  private static func halfWord(_ bytes: Span<UInt8>, _ start: Int) -> UInt64 {
    var bits: UInt64 = 0
    for byte in 0..<4 { bits |= UInt64(bytes[start + byte]) << UInt64(8 * byte) }
    return bits
  }
}
