// SPDX-License-Identifier: Apache-2.0

/// Significands and shifts of four columns, and what is added to their 64-bit products.
///
/// A tuple: a named type would bring weak symbols along in debug builds.
typealias PortableScaling = (
  significands: SIMD4<Int32>, shifts: SIMD4<Int32>, addends: SIMD4<Int64>
)

/// The constants of `portablyScaled` for four columns, from the table of `ByteFinish`.
@inline(__always)
func portableScaling(_ table: UnsafeRawPointer, planeStride: Int) -> PortableScaling {
  let even = unsafe (table + 2 &* planeStride).loadUnaligned(as: SIMD2<Int64>.self)
  let odd = unsafe (table + 3 &* planeStride).loadUnaligned(as: SIMD2<Int64>.self)
  return unsafe (
    table.loadUnaligned(as: SIMD4<Int32>.self),
    (table + planeStride).loadUnaligned(as: SIMD4<Int32>.self),
    SIMD4(even[0], odd[0], even[1], odd[1])
  )
}

/// The fast form of `ByteFinish`, lane by lane.
@inline(never)
func portablyScaled(
  _ sums: SIMD4<Int32>, _ scaling: PortableScaling, halfAway: Bool
) -> SIMD4<Int32> {
  var values = SIMD4<Int32>()
  for lane in 0..<4 {
    // |2 · sum| < 2^31 and significands are below 2^31: no overflow.
    let factor = halfAway ? 2 &* Int64(sums[lane]) : Int64(sums[lane])
    let product = factor &* Int64(scaling.significands[lane])
    let high = Int32(truncatingIfNeeded: (product &+ scaling.addends[lane]) >> 32)
    let sign = halfAway && sums[lane] < 0 ? 1 as Int32 : 0
    values[lane] = (high &- sign) &>> scaling.shifts[lane]
  }
  return values
}
