// SPDX-License-Identifier: Apache-2.0

/// float16 values as float32: the same bits as the reference kernel.
@_alwaysEmitIntoClient
@inline(__always)
package func widen(halves run: PlainRun) {
  let halves = unsafe run.input.assumingMemoryBound(to: UInt16.self)
  let floats = unsafe run.output.assumingMemoryBound(to: Float.self)
  // No blocks as of other operations: the compiler makes vectors of the loop, but not of those.
  for index in unsafe 0..<run.count { unsafe floats[index] = widened(half: halves[index]) }
}

/// A float16 value as float32.
///
/// Arm64 has instructions for it. Elsewhere all but subnormal values keep their fraction and have an
/// exponent that is greater by a constant; of subnormal ones, a subtraction of float32 finds the
/// first bit. There are no branches.
@_alwaysEmitIntoClient
@inline(__always)
func widened(half: UInt16) -> Float {
  #if arch(arm64)
    // An instruction of every processor.
    return Float(Float16(bitPattern: half))
  #else
    // What exponents of float32 are greater by, and bits of its fraction.
    let (bias, fraction): (UInt32, UInt32) = (127 - 15, 23)
    let leastNormal = (bias + 1) << fraction
    let bits = UInt32(half)
    let magnitude = bits & 0x7FFF
    let shifted = magnitude &<< (fraction - 10)
    let normal = shifted &+ bias << fraction
    // Infinities and NaN have the greatest exponent of either format; NaN becomes quiet.
    let quiet: UInt32 = magnitude > 0x7C00 ? 1 << (fraction - 1) : 0
    let special = (normal &+ bias << fraction) | quiet
    let subnormal =
      (Float(bitPattern: shifted &+ leastNormal) - Float(bitPattern: leastNormal)).bitPattern
    let result = magnitude < 0x400 ? subnormal : magnitude < 0x7C00 ? normal : special
    return Float(bitPattern: result | (bits & 0x8000) &<< 16)
  #endif
}
