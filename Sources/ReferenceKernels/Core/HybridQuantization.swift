// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// How a hybrid kernel turns float activations into int8 codes, at every inference anew.
///
/// Hybrid kernels multiply float activations by integer weights. Each batch entry (or row) gets a
/// scale of its own from its own range, so the products are integers.
/// TFLite: `PortableSymmetricQuantizeFloats`, `PortableAsymmetricQuantizeFloats`
/// (`reference/portable_tensor_utils.cc`).
package enum HybridQuantization: Sendable, Hashable {
  /// Codes from -127 to 127 around zero: `scale = max|x| / 127`.
  case symmetric
  /// Codes from -128 to 127 over the range widened to contain zero: `scale = range / 255`.
  case asymmetric

  /// Quantises `values` into the first codes of `codes`.
  ///
  /// Where all values are zero, so are the codes, with a scale of 1.
  ///
  /// - Returns: what the codes stand for.
  package func quantize(_ values: Span<Float>, into codes: inout MutableSpan<Int8>) -> Affine {
    var (lowest, highest): (Float, Float) = (0, 0)
    for index in values.indices {
      // The order of operands leaves NaN out, as TFLite's comparisons do.
      if values[index] < lowest { lowest = values[index] }
      if values[index] > highest { highest = values[index] }
    }
    guard lowest != highest else {
      for index in values.indices { codes[index] = 0 }
      return Affine(scale: 1, zeroPoint: 0)
    }
    switch self {
    case .symmetric: return Self.symmetric(values, max(-lowest, highest), &codes)
    case .asymmetric:
      return Self.asymmetric(values, Double(lowest), Double(highest), &codes)
    }
  }

  private static func symmetric(
    _ values: Span<Float>, _ range: Float, _ codes: inout MutableSpan<Int8>
  ) -> Affine {
    let inverse = 127 / range
    for index in values.indices {
      codes[index] = code((values[index] * inverse).rounded(.toNearestOrAwayFromZero), -127)
    }
    return Affine(scale: range / 127, zeroPoint: 0)
  }

  private static func asymmetric(
    _ values: Span<Float>, _ lowest: Double, _ highest: Double, _ codes: inout MutableSpan<Int8>
  ) -> Affine {
    let exactScale = (highest - lowest) / 255
    // The zero point follows from either end; the end with the smaller error decides.
    let fromLowest = -128 - lowest / exactScale
    let fromHighest = 127 - highest / exactScale
    let lowestError = 128 + abs(lowest / exactScale)
    let highestError = 127 + abs(highest / exactScale)
    let exactZero = lowestError < highestError ? fromLowest : fromHighest
    let zeroPoint = code(Float(exactZero.rounded(.toNearestOrAwayFromZero)), -128)

    let scale = Float(exactScale)
    let inverse = 1 / scale
    for index in values.indices {
      let steps = Float(zeroPoint) + values[index] * inverse
      codes[index] = code(steps.rounded(.toNearestOrAwayFromZero), -128)
    }
    return Affine(scale: scale, zeroPoint: Int32(zeroPoint))
  }

  /// `value` as a code, saturated; NaN becomes the lowest one.
  @inline(__always)
  private static func code(_ value: Float, _ lowest: Float) -> Int8 {
    value > lowest ? Int8(min(value, 127)) : Int8(lowest)
  }
}
