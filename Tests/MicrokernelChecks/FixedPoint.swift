// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

/// A fixed-point factor, by its definition: `significand · 2^(exponent − 31)`.
package struct FixedPoint: CustomStringConvertible {
  /// The ways in which products are rounded.
  package enum Rounding: CaseIterable, Sendable {
    /// Once, half towards +∞.
    case once
    /// Twice: half towards +∞, then half away from zero.
    case twice
    /// Twice, both times half towards +∞.
    case twiceHalvesUp
  }

  /// The leading 31 bits.
  package let significand: Int32
  /// The power of two.
  package let exponent: Int32
  /// How products are rounded.
  package let rounding: Rounding

  /// The factor of these parts.
  package init(significand: Int32, exponent: Int32, rounding: Rounding) {
    self.significand = significand
    self.exponent = exponent
    self.rounding = rounding
  }

  /// A random factor with an exponent in this interval.
  init(
    exponents: ClosedRange<Int32>, rounding: Rounding, using random: inout SeededRandom
  ) {
    significand = Int32.random(in: 1 << 30...Int32.max, using: &random)
    exponent = Int32.random(in: exponents, using: &random)
    self.rounding = rounding
  }

  /// The parts.
  package var description: String { "\(significand) · 2^(\(exponent) - 31), \(rounding.name)" }

  /// The factor as kernels take it.
  var byteFactor: ByteFactor { ByteFactor(significand: significand, exponent: exponent) }

  /// A sum times the factor.
  package func scaled(_ sum: Int32) -> Int32 {
    if rounding == .once {
      let shift = 31 - Int64(exponent)
      let product = Int64(sum) * Int64(significand)
      return Int32(clamping: (product + 1 << (shift - 1)) >> shift)
    }
    let lifted = sum << max(exponent, 0)
    let product = Int64(lifted) * Int64(significand)
    // Only the product of the least integers, 2^62, exceeds 32 bits.
    let high = min((product + 1 << 30) >> 31, Int64(Int32.max))
    let shift = Int64(max(0 - exponent, 0))
    let half = ((1 as Int64) << shift) >> 1
    guard rounding == .twice else { return Int32(truncatingIfNeeded: (high + half) >> shift) }
    // Away from zero: as for positive numbers, with the sign put back.
    let magnitude = (abs(high) + half) >> shift
    return Int32(truncatingIfNeeded: high < 0 ? 0 - magnitude : magnitude)
  }

  /// The quantized value of a sum.
  func quantized(_ sum: Int32, _ output: ByteOutput) -> UInt8 {
    let value = scaled(sum) &+ output.zeroPoint
    return UInt8(truncatingIfNeeded: min(max(value, output.lowest), output.highest))
  }
}

extension FixedPoint.Rounding {
  /// The rounding in words; case names are not there in Embedded Swift.
  fileprivate var name: String {
    switch self {
    case .once: "rounded once"
    case .twice: "rounded twice"
    case .twiceHalvesUp: "rounded twice, halves up"
    }
  }
}

extension ByteScaling {
  /// The scaling by a factor for each column, all of which are rounded alike.
  init(
    _ factors: [FixedPoint], positions: [Int?], sumBound: Int64,
    sumRange: ByteSumRange? = nil, output: ByteOutput
  ) {
    let rounding = factors.first?.rounding
    self.init(
      factors: factors.map { $0.byteFactor }, roundsTwice: rounding != .once,
      shiftsHalvesUp: rounding == .twiceHalvesUp, positions: positions, sumBound: sumBound,
      sumRange: sumRange, output: output)
  }
}

/// Which operands of an 8-bit kernel are signed.
struct ByteTypes: CustomStringConvertible {
  let activations: Bool
  let weights: Bool

  /// All that models have.
  static let all = [
    ByteTypes(activations: true, weights: true), ByteTypes(activations: false, weights: true),
    ByteTypes(activations: false, weights: false), ByteTypes(activations: true, weights: false),
  ]

  var description: String {
    "\(activations ? "" : "un")signed activations, \(weights ? "" : "un")signed weights"
  }

  /// The integer that a byte stands for.
  static func value(_ byte: UInt8, isSigned: Bool) -> Int32 {
    isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)
  }

  /// A random zero point of activations, and one of weights, which only unsigned ones have.
  func zeroPoints(using random: inout SeededRandom) -> (activations: Int32, weights: Int32) {
    let first = Int32.random(in: activations ? -128...127 : 0...255, using: &random)
    return (first, weights ? 0 : Int32.random(in: 0...255, using: &random))
  }

  /// Outputs of the activations' type.
  var output: ByteOutput {
    activations
      ? ByteOutput(zeroPoint: -7, lowest: -100, highest: 127, isSigned: true)
      : ByteOutput(zeroPoint: 12, lowest: 3, highest: 200, isSigned: false)
  }
}
