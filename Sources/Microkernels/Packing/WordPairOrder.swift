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
