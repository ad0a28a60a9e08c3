// SPDX-License-Identifier: Apache-2.0

import Tensors

/// The logistic function for int16 quantized values: 256 values from 0 on, 1/24 apart, with
/// interpolation.
///
/// Operands are first brought to a scale of 1 / (3 · 4096), whose 512nd part is the table's step,
/// by an integer factor and a shift that rounds half up. Where the operand's scale is 2⁻¹² (for
/// tanh also 2⁻¹¹) the factor is exactly 3 (or 6).
package struct SigmoidTable: Sendable {
  /// The factor, 15 bits.
  package let multiplier: Int32
  /// Bits by which the product is too large.
  package let shift: Int32

  /// The table for operands of this scale; scales of 2ⁿ⁻¹² are exact for `n` in `exactShifts`.
  package init(scale: Float, exactShifts: ClosedRange<Int32>) {
    if let logarithm = Self.binaryLogarithm(scale), exactShifts.contains(12 + logarithm) {
      multiplier = 3 << (12 + logarithm)
      shift = 0
      return
    }
    var factor = Double(scale) * 4096 * 3
    var shift: Int32 = 0
    while factor <= 32767.0 / 2, shift <= 30 {
      shift += 1
      factor *= 2
    }
    multiplier = Int32(truncatingOrLeast: factor)
    self.shift = shift
  }

  /// The exponent of a scale that is within 0.1 % or so of a power of two.
  ///
  /// TFLite: `CheckedLog2` (`quantization_util.cc`), computed in float32.
  package static func binaryLogarithm(_ scale: Float) -> Int32? {
    let logarithm = FloatMath.log(scale) * (1 / FloatMath.log(2))
    let rounded = logarithm.rounded(.toNearestOrAwayFromZero)
    return abs(logarithm - rounded) < 1e-3 ? Int32(truncatingOrLeast: rounded) : nil
  }

  /// An operand in units of 1 / (3 · 4096).
  @inline(__always)
  package func rescaled(_ value: Int16, _ steps: inout some Steps) -> Int32 {
    let product = steps.product(Int32(value), multiplier)
    let rounding: Int32 = shift > 0 ? 1 &<< (shift - 1) : 0
    return steps.note(
      "operand", "round(\(product) / 2^\(shift)), halves up, in units of 1/12288",
      (product &+ rounding) &>> shift)
  }

  /// The value for the magnitude of an operand whose lowest `fractionBits` lie between two
  /// entries, with as many fraction bits added to its 16; `last` beyond the last entry.
  @inline(__always)
  package static func value(
    _ operand: Int32, fractionBits: UInt32, last: Int32, _ steps: inout some Steps
  ) -> Int32 {
    let index = Int(operand.magnitude >> fractionBits)
    guard index < 255 else { return steps.note("table value", "beyond the last entry", last) }
    let (low, high) = (Int32(values[index]), Int32(values[index + 1]))
    let fraction = Int32(operand.magnitude & ((1 << fractionBits) - 1))
    return steps.note(
      "table value",
      "of entry \(index) and the next one, \(fraction) / 2^\(fractionBits) of the way",
      low << Int32(fractionBits) + fraction * (high - low))
  }

  /// `σ(i / 24) · 2¹⁶`; 44 of them are one more than the nearest integer.
  package static let values: [UInt16] = [
    32_768, 33_451, 34_133, 34_813, 35_493, 36_169, 36_843, 37_513, 38_180, 38_841, 39_498, 40_149,
    40_794, 41_432, 42_064, 42_688, 43_304, 43_912, 44_511, 45_102, 45_683, 46_255, 46_817, 47_369,
    47_911, 48_443, 48_964, 49_475, 49_975, 50_464, 50_942, 51_409, 51_865, 52_311, 52_745, 53_169,
    53_581, 53_983, 54_374, 54_755, 55_125, 55_485, 55_834, 56_174, 56_503, 56_823, 57_133, 57_433,
    57_724, 58_007, 58_280, 58_544, 58_800, 59_048, 59_288, 59_519, 59_743, 59_959, 60_168, 60_370,
    60_565, 60_753, 60_935, 61_110, 61_279, 61_441, 61_599, 61_750, 61_896, 62_036, 62_172, 62_302,
    62_428, 62_549, 62_666, 62_778, 62_886, 62_990, 63_090, 63_186, 63_279, 63_368, 63_454, 63_536,
    63_615, 63_691, 63_765, 63_835, 63_903, 63_968, 64_030, 64_090, 64_148, 64_204, 64_257, 64_308,
    64_357, 64_405, 64_450, 64_494, 64_536, 64_576, 64_614, 64_652, 64_687, 64_721, 64_754, 64_786,
    64_816, 64_845, 64_873, 64_900, 64_926, 64_950, 64_974, 64_997, 65_019, 65_039, 65_060, 65_079,
    65_097, 65_115, 65_132, 65_149, 65_164, 65_179, 65_194, 65_208, 65_221, 65_234, 65_246, 65_258,
    65_269, 65_280, 65_291, 65_301, 65_310, 65_319, 65_328, 65_337, 65_345, 65_352, 65_360, 65_367,
    65_374, 65_381, 65_387, 65_393, 65_399, 65_404, 65_410, 65_415, 65_420, 65_425, 65_429, 65_433,
    65_438, 65_442, 65_445, 65_449, 65_453, 65_456, 65_459, 65_462, 65_465, 65_468, 65_471, 65_474,
    65_476, 65_479, 65_481, 65_483, 65_485, 65_488, 65_489, 65_491, 65_493, 65_495, 65_497, 65_498,
    65_500, 65_501, 65_503, 65_504, 65_505, 65_507, 65_508, 65_509, 65_510, 65_511, 65_512, 65_513,
    65_514, 65_515, 65_516, 65_517, 65_517, 65_518, 65_519, 65_520, 65_520, 65_521, 65_522, 65_522,
    65_523, 65_523, 65_524, 65_524, 65_525, 65_525, 65_526, 65_526, 65_526, 65_527, 65_527, 65_528,
    65_528, 65_528, 65_529, 65_529, 65_529, 65_529, 65_530, 65_530, 65_530, 65_530, 65_531, 65_531,
    65_531, 65_531, 65_531, 65_532, 65_532, 65_532, 65_532, 65_532, 65_532, 65_533, 65_533, 65_533,
    65_533, 65_533, 65_533, 65_533, 65_533, 65_534, 65_534, 65_534, 65_534, 65_534, 65_534, 65_534,
    65_534, 65_534, 65_534, 65_535,
  ]
}

/// The logistic function of int16 quantized values, in units of 2⁻¹⁵.
package struct Int16Logistic: UnaryArithmetic {
  package let table: SigmoidTable

  @inline(__always)
  package func apply(_ value: Int16, _ steps: inout some Steps) -> Int16 {
    let operand = table.rescaled(value, &steps)
    let result = SigmoidTable.value(operand, fractionBits: 9, last: 0x7FFF << 10, &steps)
    let nudged =
      operand >= 0
      ? steps.sum(result, 1 << 9, "nudge")
      : steps.difference(1 << 25 + 1 << 9 - 1, result, "nudge")
    return steps.note("stored", "floor(\(nudged) / 2^10)", Int16(truncatingIfNeeded: nudged >> 10))
  }
}

/// The hyperbolic tangent of int16 quantized values, in units of 2⁻¹⁵: operands count double.
package struct Int16Tanh: UnaryArithmetic {
  package let table: SigmoidTable

  @inline(__always)
  package func apply(_ value: Int16, _ steps: inout some Steps) -> Int16 {
    let operand = table.rescaled(value, &steps)
    let result = SigmoidTable.value(operand, fractionBits: 8, last: 0xFFFF << 8, &steps)
    let nudged =
      operand >= 0
      ? steps.difference(result, 1 << 23 - 1 << 7, "nudge")
      : steps.difference(1 << 23 + 1 << 7 - 1, result, "nudge")
    return steps.note("stored", "floor(\(nudged) / 2^8)", Int16(truncatingIfNeeded: nudged >> 8))
  }
}
