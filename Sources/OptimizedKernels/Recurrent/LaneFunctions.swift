// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import ReferenceKernels

/// The functions of float cells on four elements at a time: the same operations in the same order as
/// the reference's, so the same bits.
enum LaneFunctions {
  private typealias Lanes = SIMD4<Float>
  /// 1.5 · 2^23: a sum with a smaller number is rounded to a whole one, which its last bits are.
  private static let wholes: Float = 12_582_912

  /// Applies `function` to all of `values`; false for those that are quick one by one.
  static func apply(_ function: CellFunction, to values: inout MutableSpan<Float>) -> Bool {
    switch function {
    case .logistic(let logistic, let first):
      apply(logistic, first: first, to: &values)
      return true
    case .activation(let activation):
      guard activation.function == .tanh else { return false }
      let whole = values.count & ~3
      forEachFour(0..<whole, of: &values, tanh)
      for index in whole..<values.count { values[index] = RationalTanh.value(values[index]) }
      return true
    }
  }

  private static func apply(
    _ logistic: VectorLogistic, first: Int, to values: inout MutableSpan<Float>
  ) {
    let packets = logistic.packets.clamped(to: first..<first + values.count)
    let start = packets.lowerBound - first
    let end = start + packets.count / 4 * 4
    forEachFour(start..<end, of: &values, Self.logistic)
    for index in 0..<values.count where index < start || index >= end {
      values[index] = logistic.value(values[index], at: first + index)
    }
  }

  @inline(__always)
  private static func forEachFour(
    _ range: Range<Int>, of values: inout MutableSpan<Float>, _ function: (Lanes) -> Lanes
  ) {
    unsafe values.withUnsafeMutableBytes { bytes in
      for index in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
        let lanes = unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: Lanes.self)
        unsafe bytes.storeBytes(of: function(lanes), toByteOffset: index * 4, as: Lanes.self)
      }
    }
  }

  @inline(__always)
  private static func tanh(_ x: Lanes) -> Lanes {
    let limit = Lanes(repeating: RationalTanh.limit)
    let above = x.replacing(with: -limit, where: x .< -limit)
    let limited = above.replacing(with: limit, where: above .> limit)
    return RationalTanh.fraction(FourNumbers(limited)).lanes
  }

  @inline(__always)
  private static func logistic(_ x: Lanes) -> Lanes {
    let limit = Lanes(repeating: VectorLogistic.limit)
    let half = x.replacing(with: limit, where: x .> limit) * 0.5
    let wanted = VectorLogistic.exponent(FourNumbers(half)).lanes
    let nearest = wanted + wholes
    // Rounded down, as numbers and as the bits of those that have been added.
    let isAbove = nearest - wholes .> wanted
    let m = (nearest - wholes) - Lanes(repeating: 0).replacing(with: 1, where: isAbove)
    let bits = unsafe unsafeBitCast(m + wholes, to: SIMD4<UInt32>.self)
    let power = unsafe unsafeBitCast((bits &+ 127) &<< 23, to: Lanes.self)
    let result = VectorLogistic.result(
      FourNumbers(half), FourNumbers(m), power: FourNumbers(power)
    ).lanes
    let known = result.replacing(with: 0, where: x .< VectorLogistic.least)
    return known.replacing(with: half, where: half .!= half)
  }
}

/// Four floats side by side.
private struct FourNumbers: LaneNumber {
  let lanes: SIMD4<Float>

  @inline(__always)
  init(_ lanes: SIMD4<Float>) { self.lanes = lanes }

  @inline(__always)
  init(repeating value: Float) { lanes = SIMD4(repeating: value) }

  @inline(__always)
  func plus(_ other: FourNumbers) -> FourNumbers { FourNumbers(lanes + other.lanes) }

  @inline(__always)
  func times(_ other: FourNumbers) -> FourNumbers { FourNumbers(lanes * other.lanes) }

  @inline(__always)
  func over(_ other: FourNumbers) -> FourNumbers { FourNumbers(lanes / other.lanes) }
}
