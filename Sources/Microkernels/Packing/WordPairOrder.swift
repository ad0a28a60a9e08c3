// SPDX-License-Identifier: Apache-2.0

/// How wide levels hold the two 16-bit words of each of four columns in 16 bytes.
@frozen
@usableFromInline
package enum WordPairOrder: Sendable {
  /// Both words of a column in its 32-bit lane.
  case alternating
  /// The first words of the four columns, then their second words.
  case apart

  /// Bytes from the first of four columns to one of the words of `column`, of these or beyond.
  @inline(__always)
  func offset(ofWord word: Int, column: Int) -> Int {
    switch self {
    case .alternating: column &* 4 &+ word &* 2
    case .apart: (column & ~3) &* 4 &+ word &* 8 &+ (column & 3) &* 2
    }
  }

  /// The bytes of four columns' weights for four rows, each column's in a 32-bit lane, as panels have
  /// them: those for the first two rows, then those for the last two.
  @inline(__always)
  func bytes(_ quads: SIMD4<UInt32>) -> SIMD16<UInt8> {
    switch self {
    case .alternating:
      let pairs = unsafe unsafeBitCast(quads, to: SIMD8<UInt16>.self)
      let words = SIMD8<UInt16>(
        pairs[0], pairs[2], pairs[4], pairs[6], pairs[1], pairs[3], pairs[5], pairs[7])
      return unsafe unsafeBitCast(words, to: SIMD16<UInt8>.self)
    case .apart:
      let bytes = unsafe unsafeBitCast(quads, to: SIMD16<UInt8>.self)
      return Self.halvesByTurns(Self.halvesByTurns(bytes))
    }
  }

  @inline(__always)
  private static func halvesByTurns(_ bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
    SIMD16(
      bytes[0], bytes[8], bytes[1], bytes[9], bytes[2], bytes[10], bytes[3], bytes[11], bytes[4],
      bytes[12], bytes[5], bytes[13], bytes[6], bytes[14], bytes[7], bytes[15])
  }

  /// The words of four columns, of which the low halves of `first` and `second` count.
  @inline(__always)
  func pairs(_ first: SIMD4<Int32>, _ second: SIMD4<Int32>) -> SIMD4<UInt32> {
    switch self {
    case .alternating: return SIMD4<UInt32>(truncatingIfNeeded: first & 0xFFFF | second &<< 16)
    case .apart:
      let words = SIMD8<UInt16>(
        lowHalf: SIMD4(truncatingIfNeeded: first), highHalf: SIMD4(truncatingIfNeeded: second))
      return unsafe unsafeBitCast(words, to: SIMD4<UInt32>.self)
    }
  }
}
