// SPDX-License-Identifier: Apache-2.0

/// Significands, shifts, and what is added before them, for four columns.
///
/// A tuple: a named type would bring weak code along in debug builds.
typealias PortableScaling = (
  significands: SIMD4<Int32>, shifts: SIMD4<Int32>, addends: SIMD4<Int32>
)

/// The constants of `portablyScaled` for four columns.
@inline(__always)
func portableScaling(
  _ significands: UnsafeRawPointer, _ exponents: UnsafeRawPointer, zeroPoint: Int32
) -> PortableScaling {
  let shifts = unsafe 0 &- exponents.loadUnaligned(as: SIMD4<Int32>.self)
  return unsafe (
    significands.loadUnaligned(as: SIMD4<Int32>.self), shifts,
    (1 &<< (shifts &- 1)) &+ (SIMD4(repeating: zeroPoint) &<< shifts)
  )
}

/// The fast form of `ByteFinish`, lane by lane.
@inline(never)
func portablyScaled(
  _ sums: SIMD4<Int32>, _ scaling: PortableScaling, halfAway: Bool
) -> SIMD4<Int32> {
  var codes = SIMD4<Int32>()
  for lane in 0..<4 {
    // |2 · sum| < 2^31 and significands are below 2^31: no overflow.
    let product = 2 &* Int64(sums[lane]) &* Int64(scaling.significands[lane])
    let high = Int32(truncatingIfNeeded: (product &+ (halfAway ? 1 << 31 : 0)) >> 32)
    let sign = halfAway && high < 0 ? 1 as Int32 : 0
    codes[lane] = (high &+ scaling.addends[lane] &- sign) &>> scaling.shifts[lane]
  }
  return codes
}
