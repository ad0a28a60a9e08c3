// SPDX-License-Identifier: Apache-2.0

/// Sums of neighboring bytes, sixteen at a time.
package enum ByteRuns {
  /// Vectors whose bytes add up to 16 bits in each lane.
  private static let mostVectors = 64

  /// The sum of some bytes after the bits of `flip` have been inverted.
  @unsafe
  package static func sum(of bytes: UnsafeRawPointer, count: Int, flip: UInt8) -> Int {
    let flips = SIMD8<UInt16>(repeating: UInt16(flip) &* 0x0101)
    let low = SIMD8<UInt16>(repeating: 0x00FF)
    let whole = count & ~15
    var (sum, start) = (0, 0)
    while start < whole {
      let end = min(start &+ mostVectors &* 16, whole)
      var lanes = SIMD8<UInt16>.zero
      while start < end {
        let pairs =
          unsafe bytes.loadUnaligned(fromByteOffset: start, as: SIMD8<UInt16>.self) ^ flips
        lanes &+= pairs & low
        lanes &+= pairs &>> 8
        start &+= 16
      }
      // Two lanes have 16 bits as well.
      let quarter = unsafe unsafeBitCast(lanes.lowHalf &+ lanes.highHalf, to: UInt64.self)
      let halves = (quarter & 0x0000_FFFF_0000_FFFF) &+ (quarter &>> 16 & 0x0000_FFFF_0000_FFFF)
      sum &+= Int(truncatingIfNeeded: (halves & 0xFFFF_FFFF) &+ (halves &>> 32))
    }
    while start < count {
      sum &+= unsafe Int(bytes.load(fromByteOffset: start, as: UInt8.self) ^ flip)
      start &+= 1
    }
    return sum
  }
}
