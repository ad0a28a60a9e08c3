// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Scaling of sums to quantized values over random and extreme values.
  ///
  /// With weights of zero a product's sums are its biases, so any sums can be fed to the tiles.
  static let scaling = [
    Self("any sum by any factor", anySumByAnyFactor),
    Self("the fast form at its limits", fastFormAtLimits),
    Self("the fast form on random sums and factors", fastFormOnRandomSums),
    Self("the fast form on sums near halves", fastFormNearHalves),
    Self("the fast form on sums that are shifted left", fastFormOnLiftedSums),
    Self("columns with one value for all their sums", constantColumns),
    Self("any sum by any real factor", anySumByRealFactors),
    Self("rounding of real factors", roundingOfRealFactors),
  ]
}

private let extremes: [Int32] = [
  .min, .min + 1, -1_073_741_825, -1_073_741_824, -1_073_741_823, -65_536, -257, -256, -3, -2,
  -1, 0, 1, 2, 3, 255, 256, 65_535, 1_073_741_823, 1_073_741_824, .max - 1, .max,
]
private let outputs = [
  ByteOutput(zeroPoint: -3, lowest: -128, highest: 127, isSigned: true),
  ByteOutput(zeroPoint: 131, lowest: 7, highest: 255, isSigned: false),
  ByteOutput(zeroPoint: 127, lowest: -20, highest: 99, isSigned: true),
  ByteOutput(zeroPoint: -128, lowest: -128, highest: 60, isSigned: true),
]
private let significands: [Int32] = [
  1 << 30, (1 << 30) + 1, 0x5555_5555, 0x7FFF_FFFE, .max, 0x6000_0000, 0,
]

/// Sums and the factor that each is scaled by.
private struct ScalingCases {
  let rounding: FixedPoint.Rounding
  var sums: [Int32] = []
  var factors: [FixedPoint] = []

  mutating func add(_ sum: Int32, _ significand: Int32, _ exponent: Int32) {
    sums.append(sum)
    factors.append(
      FixedPoint(significand: significand, exponent: exponent, rounding: rounding))
  }

  /// Runs the cases as the columns of products with signed and unsigned output, of one row, of
  /// several, and of a whole tile.
  func check(
    _ set: MicrokernelSet, _ comparison: inout Comparison, isFast: Bool, sumBound: Int64? = nil,
    hasRanges: Bool = false
  ) {
    for output in outputs {
      // Types tell the range of every other column only.
      let range: ByteSumRange = { column, readsWeights in
        readsWeights || column % 2 == 0
          ? Int64(sums[column])...Int64(sums[column]) : -1 << 40...1 << 40
      }
      let scaling = ByteScaling(
        factors, positions: set.byte.layout.positions(columnCount: sums.count),
        sumBound: sumBound ?? (isFast ? 1 << 30 - 1 : 1 << 31),
        sumRange: hasRanges ? range : nil, output: output)
      comparison.equal(scaling.isFast, isFast, "the fast form is used")
      let expected = zip(sums, factors).map { $1.quantized($0, output) }
      for rows in [1, 5, set.byte.layout.tileRows] {
        let values = ByteProduct(sums: sums, rows: rows)
          .quantized(set, scaling, isCompact: false)
        for row in 0..<rows {
          let part = Array(values[row * sums.count..<(row + 1) * sums.count])
          comparison.equal(part, expected, "row \(row) of \(rows), \(description(part, expected))")
        }
      }
    }
  }

  private func description(_ values: [UInt8], _ expected: [UInt8]) -> String {
    guard let index = expected.indices.first(where: { values[$0] != expected[$0] })
    else { return "as expected" }
    return "\(sums[index]) by \(factors[index])"
  }
}

private func anySumByAnyFactor(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for rounding in FixedPoint.Rounding.allCases {
    var cases = ScalingCases(rounding: rounding)
    for exponent in -31...30 as ClosedRange<Int32> {
      for significand in significands {
        for sum in extremes { cases.add(sum, significand, exponent) }
      }
    }
    cases.check(set, &comparison, isFast: false)
  }
}

private func fastFormAtLimits(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let sums = extremes.filter { $0.magnitude < 1 << 30 }
  for rounding in FixedPoint.Rounding.allCases {
    var cases = ScalingCases(rounding: rounding)
    for exponent in -21 ... -1 as ClosedRange<Int32> {
      // Around every tie of the shift, on both sides of zero.
      let half: Int32 = 1 << (-exponent - 1)
      let ties = (-3...3).flatMap { [$0 - half, $0 + half, $0 + 3 * half, $0 - 5 * half] }
      for significand in significands {
        for sum in sums + ties { cases.add(sum, significand, exponent) }
      }
    }
    cases.check(set, &comparison, isFast: true)
  }
}

private func fastFormOnRandomSums(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for rounding in FixedPoint.Rounding.allCases {
    var random = SeededRandom(seed: 5)
    var cases = ScalingCases(rounding: rounding)
    for _ in 0..<60_000 {
      let exponent = Int32.random(in: -21 ... -1, using: &random)
      // Sums whose quantized values are mostly within a byte.
      let reach = min((400 as Int64) << Int64(-exponent), 1 << 30 - 1)
      let sum = Int32(Int64.random(in: -reach...reach, using: &random))
      cases.add(sum, Int32.random(in: 1 << 30...Int32.max, using: &random), exponent)
    }
    cases.check(set, &comparison, isFast: true)
  }
}

/// Sums as far from halves as levels that estimate values still take for certain, and a little more
/// or less.
private func fastFormNearHalves(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for (index, rounding) in FixedPoint.Rounding.allCases.enumerated() {
    var random = SeededRandom(seed: 6 + UInt64(index))
    var cases = ScalingCases(rounding: rounding)
    for column in 0..<60_000 {
      let exponent = Int32.random(in: -21 ... -8, using: &random)
      let significand = Int32.random(in: 1 << 30...Int32.max, using: &random)
      let factor =
        Double(sign: .plus, exponent: Int(exponent) - 31, significand: 1)
        * Double(significand)
      // Some vectors hold values of less distance, others none.
      let least = column / 64 % 4 == 0 ? 0.9 : 1.02
      let distance = Double.random(in: least...1.5, using: &random) * 0x1p-11
      let half = Double(Int.random(in: -300...300, using: &random)) + 0.5
      let sum = (half + (Bool.random(using: &random) ? distance : -distance)) / factor
      guard abs(sum) < 0x1p30 - 1 else { continue }
      cases.add(Int32(sum.rounded()), significand, exponent)
    }
    cases.check(set, &comparison, isFast: true)
  }
}

private func fastFormOnLiftedSums(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let sums = extremes.filter { $0.magnitude < 1 << 22 } + Array(-70...70)
  for rounding in FixedPoint.Rounding.allCases {
    var all = ScalingCases(rounding: rounding)
    for exponent in -21...8 as ClosedRange<Int32> {
      var cases = ScalingCases(rounding: rounding)
      for significand in significands.dropLast() {
        for sum in sums {
          cases.add(sum, significand, exponent)
          all.add(sum, significand, exponent)
        }
      }
      guard exponent >= -2 else { continue }
      let isFast = exponent < 0 || rounding != .once
      cases.check(set, &comparison, isFast: isFast, sumBound: 1 << 22 - 1)
    }
    guard rounding != .once else { continue }
    all.check(set, &comparison, isFast: true, sumBound: 1 << 22 - 1)
  }
}

private func constantColumns(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for rounding in FixedPoint.Rounding.allCases {
    var cases = ScalingCases(rounding: rounding)
    for sum in extremes {
      for exponent in -31 ... -23 as ClosedRange<Int32> { cases.add(sum, 0x5555_5555, exponent) }
    }
    cases.check(set, &comparison, isFast: true, sumBound: 1 << 31, hasRanges: true)
  }
}

private func anySumByRealFactors(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let factors: [Double] = [
    0, 0.5, 0.5.nextDown, 0.0123, 1, 1.0.nextDown, -0.25, 2.5, 0x1p-24, 0x1p-31, 1e300, .nan,
    .infinity,
  ]
  var cases: [(sum: Int32, factor: Double)] = []
  for factor in factors {
    for sum in extremes + [-5, 5, 40, -40] { cases.append((sum, factor)) }
  }
  for output in outputs {
    let expected = cases.map { quantized($0.sum, $0.factor, output) }
    // Vectors that are not whole, too.
    for start in [0, 1, cases.count - 9, cases.count - 20, cases.count - 40] {
      let part = cases[start...]
      let scaling = ByteScaling(
        factors: part.map { $0.factor },
        positions: set.byte.layout.positions(columnCount: part.count), output: output)
      for rows in [1, 5] {
        let values = ByteProduct(sums: part.map { $0.sum }, rows: rows)
          .quantized(set, scaling, isCompact: false)
        let rows = (0..<rows).flatMap { _ in expected[start...] }
        comparison.equal(values, rows, "from case \(start) on")
      }
    }
  }
}

/// A sum by a real factor, rounded half away from zero; what does not fit 32 bits is the least
/// integer, and the zero point may wrap.
private func quantized(_ sum: Int32, _ factor: Double, _ output: ByteOutput) -> UInt8 {
  let rounded = (Double(sum) * factor).rounded(.toNearestOrAwayFromZero)
  let value = (Int32(exactly: rounded) ?? .min) &+ output.zeroPoint
  return UInt8(truncatingIfNeeded: min(max(value, output.lowest), output.highest))
}

private func roundingOfRealFactors(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  func scaled(_ sum: Int32, _ factor: Double, zeroPoint: Int32 = 0) -> Int32 {
    reallyScaled(sum, factor: factor, zeroPoint: zeroPoint, lowest: -128, highest: 127)
  }
  for value in [Double(0.5).nextDown, 0.5, 1.5, Double(2.5).nextDown, -0.5, -2.5] {
    let rounded = Int32(value.rounded(.toNearestOrAwayFromZero))
    comparison.equal(scaled(1, value, zeroPoint: 3), rounded + 3, "1 by \(value)")
  }
  // Beyond 32 bits it is the least integer, as x86 converts.
  comparison.equal(scaled(1, .nan), -128, "1 by NaN")
  comparison.equal(scaled(1, .infinity), -128, "1 by ∞")
  comparison.equal(scaled(-1, .infinity), -128, "-1 by ∞")
  comparison.equal(scaled(.max, 1e300), -128, "the greatest sum by 1e300")
  comparison.equal(scaled(.max, 1.0.nextDown), 127, "the greatest sum by almost 1")
}
