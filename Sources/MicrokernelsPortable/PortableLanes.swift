// SPDX-License-Identifier: Apache-2.0

// Loops over lanes, kept out of line: with them inside, tiles exceed what the optimizer inlines
// and leave generic code behind.

/// 16 bytes.
typealias PortableVector = SIMD4<Int32>

/// The bytes of both vectors alternating: the low half, the high half.
@inline(never)
func portablyInterleavedBytes(_ left: PortableVector, _ right: PortableVector) -> (
  low: PortableVector, high: PortableVector
) {
  let left = unsafe unsafeBitCast(left, to: SIMD16<UInt8>.self)
  let right = unsafe unsafeBitCast(right, to: SIMD16<UInt8>.self)
  var low = SIMD16<UInt8>()
  var high = SIMD16<UInt8>()
  for lane in 0..<8 {
    low[2 &* lane] = left[lane]
    low[2 &* lane &+ 1] = right[lane]
    high[2 &* lane] = left[lane &+ 8]
    high[2 &* lane &+ 1] = right[lane &+ 8]
  }
  return unsafe (
    unsafeBitCast(low, to: PortableVector.self), unsafeBitCast(high, to: PortableVector.self)
  )
}

/// The 16-bit words of both vectors alternating: the low half, the high half.
@inline(never)
func portablyInterleavedWords(_ left: PortableVector, _ right: PortableVector) -> (
  low: PortableVector, high: PortableVector
) {
  let left = unsafe unsafeBitCast(left, to: SIMD8<UInt16>.self)
  let right = unsafe unsafeBitCast(right, to: SIMD8<UInt16>.self)
  var low = SIMD8<UInt16>()
  var high = SIMD8<UInt16>()
  for lane in 0..<4 {
    low[2 &* lane] = left[lane]
    low[2 &* lane &+ 1] = right[lane]
    high[2 &* lane] = left[lane &+ 4]
    high[2 &* lane &+ 1] = right[lane &+ 4]
  }
  return unsafe (
    unsafeBitCast(low, to: PortableVector.self), unsafeBitCast(high, to: PortableVector.self)
  )
}

/// Signed bytes as 16-bit words.
@inline(never)
func portablyWidened(_ bytes: SIMD8<Int8>) -> PortableVector {
  var words = SIMD8<Int16>()
  for lane in 0..<8 { words[lane] = Int16(bytes[lane]) }
  return unsafe unsafeBitCast(words, to: PortableVector.self)
}

/// Four vectors of sums, saturated to signed bytes, one after the other.
@inline(never)
func portablyNarrowed(
  _ a: PortableVector, _ b: PortableVector, _ c: PortableVector, _ d: PortableVector
) -> PortableVector {
  var bytes = SIMD16<Int8>()
  for lane in 0..<4 {
    bytes[lane] = Int8(clamping: a[lane])
    bytes[lane &+ 4] = Int8(clamping: b[lane])
    bytes[lane &+ 8] = Int8(clamping: c[lane])
    bytes[lane &+ 12] = Int8(clamping: d[lane])
  }
  return unsafe unsafeBitCast(bytes, to: PortableVector.self)
}

/// Signed bytes limited to an interval.
@inline(never)
func portablyClampedBytes(
  _ bytes: PortableVector, _ lowest: PortableVector, _ highest: PortableVector
) -> PortableVector {
  let bytes = unsafe unsafeBitCast(bytes, to: SIMD16<Int8>.self)
  let lowest = unsafe unsafeBitCast(lowest, to: SIMD16<Int8>.self)
  let highest = unsafe unsafeBitCast(highest, to: SIMD16<Int8>.self)
  let raised = bytes.replacing(with: lowest, where: bytes .< lowest)
  let limited = raised.replacing(with: highest, where: raised .> highest)
  return unsafe unsafeBitCast(limited, to: PortableVector.self)
}
