// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// What `HybridQuantization` does to floats, eight at a time; the same codes and parameters.
@unsafe
struct FloatQuantizer {
  private typealias Lanes = SIMD8<Float>

  /// Adding this to a number of less than 2^22 leaves it, rounded, in the low bits.
  private static let roundingOffset: Float = 0x1.8p23

  private let values: UnsafePointer<Float>
  private let count: Int
  private let codes: UnsafeMutablePointer<Int8>

  /// The quantisation of `count` values into `codes`.
  init(_ values: UnsafePointer<Float>, count: Int, codes: UnsafeMutablePointer<Int8>) {
    unsafe self.values = values
    unsafe self.count = count
    unsafe self.codes = codes
  }

  /// Quantises the values; returns what the codes stand for.
  func run(_ kind: HybridQuantization) -> Affine {
    let (lowest, highest) = unsafe limits()
    guard lowest != highest else {
      unsafe codes.update(repeating: 0, count: count)
      return Affine(scale: 1, zeroPoint: 0)
    }
    switch kind {
    case .symmetric:
      let range = max(-lowest, highest)
      unsafe write(factor: 127 / range, offset: 0, least: -127)
      return Affine(scale: range / 127, zeroPoint: 0)
    case .asymmetric:
      let affine = unsafe Self.asymmetric(Double(lowest), Double(highest))
      unsafe write(factor: 1 / affine.scale, offset: Float(affine.zeroPoint), least: -128)
      return affine
    }
  }

  private static func asymmetric(_ lowest: Double, _ highest: Double) -> Affine {
    let scale = (highest - lowest) / 255
    // The zero point follows from either end; the end with the smaller error decides.
    let lowestError = 128 + abs(lowest / scale)
    let highestError = 127 + abs(highest / scale)
    let zero = lowestError < highestError ? -128 - lowest / scale : 127 - highest / scale
    let rounded = Float(zero.rounded(.toNearestOrAwayFromZero))
    let zeroPoint = rounded > -128 ? Int32(min(rounded, 127)) : -128
    return Affine(scale: Float(scale), zeroPoint: zeroPoint)
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

  private func write(factor: Float, offset: Float, least: Float) {
    var index = 0
    while unsafe index + 8 <= count {
      let bits = unsafe Self.codeBits(lanes(index), factor: factor, offset: offset, least: least)
      unsafe UnsafeMutableRawPointer(codes + index).storeBytes(
        of: SIMD8<UInt8>(truncatingIfNeeded: bits), as: SIMD8<UInt8>.self)
      index += 8
    }
    guard unsafe index < count else { return }
    var rest = Lanes.zero
    for lane in unsafe 0..<count - index { rest[lane] = unsafe values[index + lane] }
    let bits = unsafe Self.codeBits(rest, factor: factor, offset: offset, least: least)
    for lane in unsafe 0..<count - index {
      unsafe codes[index + lane] = Int8(truncatingIfNeeded: bits[lane])
    }
  }

  /// Codes in the low bytes: `offset + value · factor`, rounded half away from zero and limited.
  @inline(__always)
  private static func codeBits(
    _ values: Lanes, factor: Float, offset: Float, least: Float
  ) -> SIMD8<UInt32> {
    let exact = values * factor + offset
    // Beyond these the limits decide; NaN compares false and becomes the least code.
    var steps = Lanes(repeating: least)
    steps.replace(with: exact, where: exact .> least)
    steps.replace(with: 127, where: steps .> 127)
    // Halves go to even numbers here; those that went towards zero are moved on.
    let magic = unsafe roundingOffset
    var rounded = (steps + magic) - magic
    let rest = steps - rounded
    rounded.replace(with: rounded + 1, where: (rest .== 0.5) .& (steps .> 0))
    rounded.replace(with: rounded - 1, where: (rest .== -0.5) .& (steps .< 0))
    return unsafe unsafeBitCast(rounded + magic, to: SIMD8<UInt32>.self)
  }
}
