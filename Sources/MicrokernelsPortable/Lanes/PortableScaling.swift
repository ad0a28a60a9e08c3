// SPDX-License-Identifier: Apache-2.0

/// Significands and shifts of four columns, what is added to their 64-bit products, and the shifts
/// of the steps that come before and after these.
///
/// A tuple: a named type would bring weak symbols along in debug builds.
typealias PortableScaling = (
  significands: SIMD4<Int32>, shifts: SIMD4<Int32>, addends: SIMD4<Int64>, lifts: SIMD4<Int32>,
  signs: SIMD4<Int32>
)

/// The constants of `portablyScaled` for four columns, from the table of `ByteFinish`.
@inline(__always)
func portableScaling(_ table: UnsafeRawPointer, planeStride: Int) -> PortableScaling {
  let even = unsafe (table + 2 &* planeStride).loadUnaligned(as: SIMD2<Int64>.self)
  let odd = unsafe (table + 3 &* planeStride).loadUnaligned(as: SIMD2<Int64>.self)
  return unsafe (
    table.loadUnaligned(as: SIMD4<Int32>.self),
    (table + planeStride).loadUnaligned(as: SIMD4<Int32>.self),
    SIMD4(even[0], odd[0], even[1], odd[1]),
    (table + 4 &* planeStride).loadUnaligned(as: SIMD4<Int32>.self),
    (table + 5 &* planeStride).loadUnaligned(as: SIMD4<Int32>.self)
  )
}

/// The fast form of `ByteFinish`, lane by lane.
@inline(never)
func portablyScaled(
  _ sums: SIMD4<Int32>, _ scaling: PortableScaling, inSteps: Bool
) -> SIMD4<Int32> {
  var values = SIMD4<Int32>()
  for lane in 0..<4 {
    // |factor| < 2^31 and significands are below 2^31: no overflow.
    let factor = Int64(inSteps ? sums[lane] &<< scaling.lifts[lane] : sums[lane])
    let product = factor &* Int64(scaling.significands[lane])
    let high = Int32(truncatingIfNeeded: (product &+ scaling.addends[lane]) >> 32)
    let sign = inSteps && sums[lane] < 0 && scaling.signs[lane] < 32 ? 1 as Int32 : 0
    values[lane] = (high &- sign) &>> scaling.shifts[lane]
  }
  return values
}
