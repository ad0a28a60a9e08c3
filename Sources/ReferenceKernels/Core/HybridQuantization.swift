// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// How a hybrid kernel turns float activations into int8 quantized values, at every inference anew.
///
/// Hybrid kernels multiply float activations by integer weights. Each batch entry (or row) gets a
/// scale of its own from its own range, so the products are integers.
///
/// The runtime's build for x86 runs the code for NEON, emulated: the range is a float32 difference,
/// `x / scale` is rounded before the zero point is added, and rounding adds a half in float32
/// first for all values that fill blocks of eight.
/// TFLite: `NeonSymmetricQuantizeFloats`, `NeonAsymmetricQuantizeFloats`
/// (`optimized/neon_tensor_utils.cc`), `NEON_2_SSE.h`.
package enum HybridQuantization: Sendable, Hashable {
  /// Quantized values from -127 to 127 around zero: `scale = max|x| / 127`.
  case symmetric
  /// Quantized values from -128 to 127 over the range widened to contain zero: `scale = range /
  /// 255`.
  case asymmetric

  /// Quantizes `values` into the first quantized values of `quantizedValues`.
  ///
  /// Where all values are zero, so are the quantized values, with a scale of 1.
  ///
  /// - Returns: what the quantized values stand for.
  @_lifetime(quantizedValues: copy quantizedValues)
  package func quantize(_ values: Span<Float>, into quantizedValues: inout MutableSpan<Int8>)
    -> Affine
  {
    var (lowest, highest): (Float, Float) = (0, 0)
    for index in values.indices {
      // The order of operands leaves NaN out, as TFLite's comparisons do.
      if values[index] < lowest { lowest = values[index] }
      if values[index] > highest { highest = values[index] }
    }
    guard lowest != highest else {
      for index in values.indices { quantizedValues[index] = 0 }
      return Affine(scale: 1, zeroPoint: 0)
    }
    switch self {
    case .symmetric: return Self.symmetric(values, max(-lowest, highest), &quantizedValues)
    case .asymmetric:
      let affine = Self.asymmetric(lowest, highest)
      Self.write(
        values, factor: 1 / affine.scale, Float(affine.zeroPoint), least: -128, &quantizedValues)
      return affine
    }
  }

  @_lifetime(quantizedValues: copy quantizedValues)
  private static func symmetric(
    _ values: Span<Float>, _ range: Float, _ quantizedValues: inout MutableSpan<Int8>
  ) -> Affine {
    write(values, factor: 127 / range, 0, least: -127, &quantizedValues)
    return Affine(scale: range / 127, zeroPoint: 0)
  }

  /// The scale and the zero point for values from `lowest` to `highest`, one of which is not zero.
  package static func asymmetric(_ lowest: Float, _ highest: Float) -> Affine {
    let exactScale = Double(highest - lowest) / 255
    // The zero point follows from either end; the end with the smaller error decides.
    let fromLowest = -128 - Double(lowest) / exactScale
    let fromHighest = 127 - Double(highest) / exactScale
    let lowestError = 128 + abs(Double(lowest) / exactScale)
    let highestError = 127 + abs(Double(highest) / exactScale)
    let exactZero = lowestError < highestError ? fromLowest : fromHighest
    let zeroPoint = quantized(Float(rounded(exactZero)), -128)
    return Affine(scale: Float(exactScale), zeroPoint: Int32(zeroPoint))
  }

  /// A number rounded to the nearest whole one, halves away from zero, without calling a function.
  @inline(__always)
  private static func rounded(_ value: Double) -> Double {
    guard abs(value) < 1024 else { return value.rounded(.toNearestOrAwayFromZero) }
    // Half a step would round what is just below it up.
    let almostHalf = 0.5.nextDown
    return Double(Int32(value + Double(signOf: value, magnitudeOf: almostHalf)))
  }

  @_lifetime(quantizedValues: copy quantizedValues)
  private static func write(
    _ values: Span<Float>, factor: Float, _ zeroPoint: Float, least: Float,
    _ quantizedValues: inout MutableSpan<Int8>
  ) {
    let blocks = values.count / 8 * 8
    for index in 0..<blocks {
      let exact = values[index] * factor
      let steps = (exact + (exact < 0 ? -0.5 : 0.5)).rounded(.towardZero)
      quantizedValues[index] = quantized(steps + zeroPoint, least)
    }
    for index in blocks..<values.count {
      quantizedValues[index] = quantized(values[index], factor: factor, zeroPoint, least: least)
    }
  }

  /// The quantized value of a value that fills no block.
  @inline(__always)
  package static func quantized(
    _ value: Float, factor: Float, _ zeroPoint: Float, least: Float
  ) -> Int8 {
    quantized((value * factor).rounded(.toNearestOrAwayFromZero) + zeroPoint, least)
  }

  /// `value` as a quantized value, saturated; NaN becomes the lowest one.
  @inline(__always)
  private static func quantized(_ value: Float, _ lowest: Float) -> Int8 {
    value > lowest ? Int8(min(value, 127)) : Int8(lowest)
  }
}
