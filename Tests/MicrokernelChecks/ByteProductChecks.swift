// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Products of 8-bit matrices: sums and quantized values.
  static let byteProducts = [
    Self("byte products of any size", sumsOfAnySize),
    Self("byte products of the greatest magnitude", sumsOfExtremes),
    Self("byte products scaled by fixed point", valuesByFixedPoint),
    Self("byte products of many rows and terms", highProducts),
    Self("byte products scaled by real factors", valuesByRealFactors),
    Self("byte products of lines of windows", sumsOfLines),
  ]
}

private func sumsOfAnySize(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let sizes = [(1, 1), (5, 3), (12, 32), (13, 33), (30, 47), (7, 64), (25, 100), (3, 17)]
  for (rows, columns) in sizes {
    for (taps, depth) in [(1, 1), (1, 38), (9, 3), (4, 16), (1, 200)] {
      for types in ByteTypes.all {
        compare(
          ByteProduct(
            rows: rows, columns: columns, taps: taps, depth: depth, types: types, seed: depth),
          set, &comparison)
      }
    }
  }
  // Every height of a tile with one and with two vectors of columns, and depths around a step's.
  let layout = set.byte.layout
  for rows in 1...layout.tileRows + 1 {
    for columns in [1, layout.panelWidth / 2, layout.panelWidth / 2 + 1, layout.panelWidth + 1] {
      for depth in 1...17 {
        compare(
          ByteProduct(
            rows: rows, columns: columns, taps: 1, depth: depth, types: ByteTypes.all[depth % 4],
            seed: rows),
          set, &comparison)
      }
    }
  }
}

/// Rows and terms around those of registers that hold matrices, which have 16 rows of 64 bytes, and of
/// what is copied for them at a time.
private func highProducts(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let (heights, depths) = ([14, 15, 16, 17, 31, 32, 33, 47, 49, 65, 130], [44, 63, 64, 65, 200])
  for (index, rows) in heights.enumerated() {
    for (step, depth) in depths.enumerated() {
      let columns = [1, 16, 17, 32, 33, 70][(index + step) % 6]
      for (kind, types) in ByteTypes.all.enumerated() {
        let problem = ByteProduct(
          rows: rows, columns: columns, taps: 1, depth: depth, types: types, seed: rows)
        compare(problem, set, &comparison)
        var random = SeededRandom(seed: depth)
        let roundings = FixedPoint.Rounding.allCases
        let rounding = roundings[(index + step + kind) % roundings.count]
        let factors = (0..<columns).map { _ in
          FixedPoint(exponents: -13 ... -4, rounding: rounding, using: &random)
        }
        let scaling = problem.scaling(factors, types.output, set)
        comparison.equal(scaling.isFast, true, "the fast form takes \(problem)")
        comparison.equal(
          problem.quantized(set, scaling, isCompact: false),
          problem.expected(factors, types.output), "\(problem)")
      }
    }
  }
}

private func compare(
  _ problem: ByteProduct, _ set: MicrokernelSet, _ comparison: inout Comparison
) {
  let expected = problem.expectedSums()
  for isCompact in ByteProduct.forms(set) {
    comparison.equal(
      problem.sums(set, isCompact: isCompact), expected, "\(problem), compact \(isCompact)")
  }
}

private func sumsOfExtremes(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for types in ByteTypes.all {
    for (rows, depth) in [(3, 3000), (1, 515), (set.byte.layout.tileRows, 33)] {
      var problem = ByteProduct(
        rows: rows, columns: 19, taps: 1, depth: depth, types: types, seed: 0)
      for activation in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
        problem.left = problem.left.map { _ in activation }
        for weight in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
          problem.weights = problem.weights.map { _ in weight }
          compare(problem, set, &comparison)
        }
      }
    }
  }
}

private func valuesByFixedPoint(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  var sizes = [(13, 70, 19), (1, 8, 19), (1, 17, 19), (1, 40, 19), (1, 131, 19), (4, 33, 19)]
  sizes.append((24, 16, 19))
  let layout = set.byte.layout
  for rows in 1...layout.tileRows { sizes.append((rows, 1 + rows * 5, 19)) }
  // Two panels at once, where a level has such tiles.
  for columns in [2 * layout.panelWidth, 3 * layout.panelWidth - 3, 4 * layout.panelWidth + 1] {
    sizes.append((2 * layout.tileRows + LineTiles.leastRows, columns, 53))
  }
  for (rows, columns, depth) in sizes {
    for (index, types) in ByteTypes.all.enumerated() {
      let problem = ByteProduct(
        rows: rows, columns: columns, taps: 2, depth: depth, types: types, seed: index)
      for rounding in FixedPoint.Rounding.allCases {
        var random = SeededRandom(seed: rows)
        let factors = (0..<columns).map { _ in
          FixedPoint(exponents: -13 ... -4, rounding: rounding, using: &random)
        }
        let scaling = problem.scaling(factors, types.output, set)
        comparison.equal(scaling.isFast, true, "the fast form takes \(problem)")
        let expected = problem.expected(factors, types.output)
        for isCompact in ByteProduct.forms(set) {
          comparison.equal(
            problem.quantized(set, scaling, isCompact: isCompact), expected,
            "\(problem), compact \(isCompact)")
        }
      }
    }
  }
}

/// Halves are rounded away from zero.
private func valuesByRealFactors(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for (rows, columns) in [(9, 35), (1, 1), (1, 16), (1, 35), (1, 100), (1, 128)] {
    for (index, types) in ByteTypes.all.enumerated() where types.activations {
      let problem = ByteProduct(
        rows: rows, columns: columns, taps: 1, depth: 16 + index, types: types, seed: 3)
      // Powers of two give many ties.
      let factors: [Double] = (0..<columns).map { [0.5, 0.25, 0.125, 0.01][$0 % 4] }
      let scaling = ByteScaling(
        factors: factors, positions: set.byte.layout.positions(columnCount: columns),
        output: ByteOutput(zeroPoint: 5, lowest: -128, highest: 127, isSigned: true))
      let expected = problem.expectedSums().enumerated().map { index, sum in
        let scaled = (Double(sum) * factors[index % columns]).rounded(.toNearestOrAwayFromZero)
        return UInt8(bitPattern: Int8(min(max(scaled + 5, -128), 127)))
      }
      for isCompact in ByteProduct.forms(set) {
        comparison.equal(
          problem.quantized(set, scaling, isCompact: isCompact), expected,
          "\(problem), compact \(isCompact)")
      }
    }
  }
}

private func sumsOfLines(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let layout = set.byte.layout
  for (columns, depth) in [
    (1, 6), (layout.laneCount, 6), (layout.laneCount + 1, 6), (70, 6), (70, 38),
  ] {
    for rows in Array(LineTiles.leastRows...2 * layout.tileRows + 1) + [32, 33, 40, 65] {
      for types in ByteTypes.all {
        let problem = ByteLines(
          rows: rows, columns: columns, depth: depth, types: types, seed: rows)
        comparison.equal(problem.sums(set), problem.product.expectedSums(), "\(problem)")
        var random = SeededRandom(seed: columns)
        let factors = (0..<columns).map { _ in
          FixedPoint(exponents: -13 ... -4, rounding: .twice, using: &random)
        }
        comparison.equal(
          problem.quantized(set, factors), problem.product.expected(factors, types.output),
          "\(problem), quantized")
      }
    }
  }
}
