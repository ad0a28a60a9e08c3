// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// What `HybridQuantization` does to floats, eight at a time; the same quantized values and
/// parameters.
@unsafe
struct FloatQuantizer {
  private typealias Lanes = SIMD8<Float>

  /// Adding this to a number of less than 2^22 leaves it, rounded, in the low bits.
  private static let roundingOffset: Float = 0x1.8p23

  private let values: UnsafePointer<Float>
  private let count: Int
  private let quantizedValues: UnsafeMutablePointer<Int8>

  /// The quantization of `count` values into `quantizedValues`.
  init(_ values: UnsafePointer<Float>, count: Int, quantizedValues: UnsafeMutablePointer<Int8>) {
    unsafe self.values = values
    unsafe self.count = count
    unsafe self.quantizedValues = quantizedValues
  }

  /// Quantizes the values; returns what the quantized values stand for.
  func run(_ kind: HybridQuantization) -> Affine {
    let (lowest, highest) = unsafe limits()
    guard lowest != highest else {
      unsafe quantizedValues.update(repeating: 0, count: count)
      return Affine(scale: 1, zeroPoint: 0)
    }
    switch kind {
    case .symmetric:
      let range = max(-lowest, highest)
      unsafe write(factor: 127 / range, zeroPoint: 0, least: -127)
      return Affine(scale: range / 127, zeroPoint: 0)
    case .asymmetric:
      let affine = HybridQuantization.asymmetric(lowest, highest)
      unsafe write(factor: 1 / affine.scale, zeroPoint: Float(affine.zeroPoint), least: -128)
      return affine
    }
  }

  private func lanes(_ index: Int) -> Lanes {
    unsafe UnsafeRawPointer(values + index).loadUnaligned(as: Lanes.self)
  }

  /// The least and the greatest value, and zero; NaN does not count.
  private func limits() -> (lowest: Float, highest: Float) {
    var (lows, highs) = (Lanes.zero, Lanes.zero)
    var index = 0
    while unsafe index + 8 <= count {
      let lanes = unsafe lanes(index)
      lows.replace(with: lanes, where: lanes .< lows)
      highs.replace(with: lanes, where: lanes .> highs)
      index += 8
    }
    var (lowest, highest) = (lows.min(), highs.max())
    while unsafe index < count {
      let value = unsafe values[index]
      if value < lowest { lowest = value }
      if value > highest { highest = value }
      index += 1
    }
    return (lowest, highest)
  }

  private func write(factor: Float, zeroPoint: Float, least: Float) {
    var index = 0
    while unsafe index + 8 <= count {
      let bits = unsafe Self.elementBits(
        lanes(index) * factor, zeroPoint: zeroPoint, least: least - zeroPoint,
        greatest: 127 - zeroPoint)
      unsafe UnsafeMutableRawPointer(quantizedValues + index).storeBytes(
        of: SIMD8<UInt8>(truncatingIfNeeded: bits), as: SIMD8<UInt8>.self)
      index += 8
    }
    while unsafe index < count {
      unsafe quantizedValues[index] = HybridQuantization.quantized(
        values[index], factor: factor, zeroPoint, least: least)
      index += 1
    }
  }

  /// Quantized values in the low bytes: `exact`, to which a half was added and the fraction then
  /// left out, within limits, and the zero point.
  @inline(__always)
  private static func elementBits(
    _ exact: Lanes, zeroPoint: Float, least: Float, greatest: Float
  ) -> SIMD8<UInt32> {
    let halves = Lanes(repeating: 0.5).replacing(with: -0.5, where: exact .< 0)
    let sums = exact + halves
    // Beyond these the limits decide; NaN compares false and becomes the least quantized value.
    var steps = Lanes(repeating: least)
    steps.replace(with: sums, where: sums .> least)
    steps.replace(with: greatest, where: steps .> greatest)
    // To the nearest whole number; those that went away from zero are moved back.
    let magic = unsafe roundingOffset
    var whole = (steps + magic) - magic
    let excess = whole - steps
    whole.replace(with: whole - 1, where: (excess .> 0) .& (steps .> 0))
    whole.replace(with: whole + 1, where: (excess .< 0) .& (steps .< 0))
    return unsafe unsafeBitCast(whole + zeroPoint + magic, to: SIMD8<UInt32>.self)
  }
}
