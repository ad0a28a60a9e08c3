// SPDX-License-Identifier: Apache-2.0

/// The quantized value of a sum by fixed point, for any significand, exponent and sum.
///
/// TFLite: `MultiplyByQuantizedMultiplier` (`common.h`), built for two roundings and for one.
@_alwaysEmitIntoClient
package func exactlyScaled(
  _ sum: Int32, significand: Int32, exponent: Int32, roundsTwice: Bool,
  shiftsHalvesAway: Bool = true
) -> Int32 {
  let product: Int64
  guard roundsTwice else {
    let shift = 31 &- Int64(exponent)
    let bias: Int64 = 1 << (shift &- 1)
    product = Int64(sum) &* Int64(significand)
    return Int32(clamping: (product &+ bias) >> shift)
  }
  let shifted = sum << max(exponent, 0)
  // Half towards +∞, which is what gemmlowp's nudge and truncation come to.
  product = Int64(shifted) &* Int64(significand)
  let high: Int32 =
    shifted == .min && significand == .min
    ? .max : Int32(truncatingIfNeeded: (product &+ (1 << 30)) >> 31)
  let shift = max(0 &- exponent, 0)
  guard !shiftsHalvesAway else { return roundedShift(high, by: shift) }
  let half: Int64 = (1 << Int64(shift)) >> 1
  return Int32(truncatingIfNeeded: (Int64(high) &+ half) >> Int64(shift))
}

/// `value / 2^shift` rounded half away from zero.
@_alwaysEmitIntoClient
package func roundedShift(_ value: Int32, by shift: Int32) -> Int32 {
  let mask = Int32(truncatingIfNeeded: ((1 as Int64) << Int64(shift)) &- 1)
  let threshold = (mask >> 1) &+ (value < 0 ? 1 : 0)
  return (value >> shift) &+ (value & mask > threshold ? 1 : 0)
}

/// The quantized value of a sum by a `Double` factor, rounded half away from zero.
///
/// Results beyond 32 bits, and factors that are no numbers, become the least integer, as x86's
/// conversion has it; adding the zero point may wrap.
package func reallyScaled(
  _ sum: Int32, factor: Double, zeroPoint: Int32, lowest: Int32, highest: Int32
) -> Int32 {
  let value = Double(sum) * factor
  // The greatest double below 1/2: adding 1/2 itself would round 0.49999999999999994 up.
  let nearlyHalf = 0.5.nextDown
  let lifted = value + (value < 0 ? -nearlyHalf : nearlyHalf)
  let rounded = lifted > -0x1p31 - 1 && lifted < 0x1p31 ? Int32(lifted) : .min
  return min(max(rounded &+ zeroPoint, lowest), highest)
}

/// Turns `count` sums into quantized values one by one, by the `exact` or the `real` form.
func finishExactly(
  _ finish: ByteFinish, _ sums: UnsafeRawPointer, count: Int, firstColumn: Int,
  to output: UnsafeMutableRawPointer
) {
  for index in 0..<count {
    let sum = unsafe sums.load(fromByteOffset: index &* 4, as: Int32.self)
    let quantized = unsafe exactValue(finish, sum, column: firstColumn &+ index)
    unsafe output.storeBytes(
      of: UInt8(truncatingIfNeeded: quantized), toByteOffset: index, as: UInt8.self)
  }
}

/// The quantized value of a column's sum, in the `exact` and the `real` form.
private func exactValue(_ finish: ByteFinish, _ sum: Int32, column: Int) -> Int32 {
  if unsafe finish.form == .real {
    return unsafe reallyScaled(
      sum, factor: finish.factor(column), zeroPoint: finish.zeroPoint, lowest: finish.lowest,
      highest: finish.highest)
  }
  let scaled = unsafe exactlyScaled(
    sum, significand: finish.word(0, column), exponent: finish.word(1, column),
    roundsTwice: finish.roundsTwice, shiftsHalvesAway: finish.shiftsHalvesAway)
  return unsafe min(max(scaled &+ finish.zeroPoint, finish.lowest), finish.highest)
}

extension ByteFinish {
  /// A column's entry in a plane of the table.
  fileprivate func word(_ plane: Int, _ column: Int) -> Int32 {
    unsafe table.load(fromByteOffset: plane &* planeStride &+ column &* 4, as: Int32.self)
  }

  /// A column's factor.
  fileprivate func factor(_ column: Int) -> Double {
    unsafe table.load(fromByteOffset: column &* 8, as: Double.self)
  }
}
