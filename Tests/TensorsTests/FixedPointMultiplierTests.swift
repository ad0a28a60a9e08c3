// SPDX-License-Identifier: Apache-2.0

import Tensors
import Testing

@Suite struct FixedPointMultiplierTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let factor: Double
    let value: Int32
    let double: Int32
    let single: Int32
  }

  static let rows = [
    Row(testDescription: "one half of three", factor: 0.5, value: 3, double: 2, single: 2),
    Row(testDescription: "one half of minus three", factor: 0.5, value: -3, double: -1, single: -1),
    Row(testDescription: "rounded twice", factor: 0.25, value: 5, double: 2, single: 1),
    Row(testDescription: "the shift rounds away", factor: 0.25, value: -6, double: -2, single: -1),
    Row(testDescription: "exact above one", factor: 6, value: -7, double: -42, single: -42),
    Row(
      testDescription: "too small a factor is zero", factor: 0x1p-40, value: .max, double: 0,
      single: 0),
  ]

  @Test(arguments: rows)
  func `each profile rounds as its definition says`(row: Row) {
    #expect(FixedPointMultiplier(row.factor, rounding: .double).scale(row.value) == row.double)
    #expect(FixedPointMultiplier(row.factor, rounding: .single).scale(row.value) == row.single)
  }

  @Test(arguments: [(-6, -1), (-5, -1), (6, 2), (5, 2), (-3, 0)])
  func `the second rounding may take halves up`(value: Int32, quarter: Int32) {
    let factor = FixedPointMultiplier(0.25, rounding: .double, shiftsHalvesUp: true)
    #expect(factor.scale(value) == quarter)
  }

  @Test func `significands are those of TFLite`() {
    // 0.75 = 0.75 · 2^0; 3 = 0.75 · 2^2; 1 − 2^−40 rounds up to 1 = 0.5 · 2^1.
    for (factor, significand, exponent) in [
      (0.75, 0x6000_0000, 0), (3, 0x6000_0000, 2), (1 - 0x1p-40, 0x4000_0000, 1),
    ] as [(Double, Int32, Int32)] {
      let multiplier = FixedPointMultiplier(factor, rounding: .double)
      #expect(multiplier.significand == significand)
      #expect(multiplier.exponent == exponent)
    }
  }

  @Test func `the largest product saturates`() {
    #expect(FixedPointMultiplier.doublingHighProduct(.min, .min) == .max)
    #expect(FixedPointMultiplier.doublingHighProduct(.max, .max) == Int32.max - 1)
  }

  @Test func `shifts round half away from zero`() {
    let expected: [(Int32, Int32)] = [(5, 3), (-5, -3), (4, 2), (-4, -2), (7, 4), (-7, -4)]
    for (value, result) in expected {
      #expect(FixedPointMultiplier.roundingShift(value, by: 1) == result)
    }
  }

  /// 2^40 · 2^−30 with the significand cut to 16 bits is exact; 3 · 0.5 rounds up.
  @Test func `wide values round once, upwards`() {
    #expect(FixedPointMultiplier(0x1p-30, rounding: .double).scale(Int64(1) << 40) == 1024)
    #expect(FixedPointMultiplier(0.5, rounding: .double).scale(Int64(3)) == 2)
    #expect(FixedPointMultiplier(0.5, rounding: .single).scale(Int64(-3)) == -1)
  }
}
