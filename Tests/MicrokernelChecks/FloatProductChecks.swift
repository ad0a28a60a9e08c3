// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Float products, whose operands are small integers unless roundings are compared.
  static let floatProducts = [
    Self("float products of any size", productsOfAnySize),
    Self("float products whose rows are cut anyhow", productsInParts),
    Self("float products of many terms", productsOfManyTerms),
    Self("float products of NaN and infinities", productsOfNonfiniteNumbers),
    Self("float products of lines of windows", productsOfLines),
    Self("float products that are scaled", scaledProducts),
    Self("products of rows of floats with a vector", productsOfRows),
  ]
}

private func productsOfAnySize(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let sizes = [
    (1, 1), (5, 3), (12, 32), (13, 33), (30, 47), (7, 64), (25, 100), (3, 17), (29, 8), (13, 7),
    (1, 8), (11, 40),
  ]
  for (rows, columns) in sizes {
    for (taps, depth) in [(1, 1), (1, 37), (9, 3), (4, 16)] {
      let problem = FloatProduct(
        rows: rows, columns: columns, taps: taps, depth: depth, seed: depth)
      let expected = problem.expected()
      for copies in [false, true] {
        comparison.equal(
          problem.result(set, copies: copies), expected, "\(problem), copies \(copies)")
      }
    }
  }
  // Every height of a tile with every number of its columns.
  let layout = set.float.layout
  for rows in 1...max(layout.tileRows, layout.columnRows) + 1 {
    for columns in 1...layout.panelWidth + 1 {
      let problem = FloatProduct(rows: rows, columns: columns, taps: 1, depth: 3, seed: rows)
      comparison.equal(problem.result(set, copies: false), problem.expected(), "\(problem)")
    }
  }
}

private func productsInParts(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  var problem = FloatProduct(rows: 29, columns: 40, taps: 3, depth: 21, seed: 7)
  problem.makeFractional()
  let whole = problem.result(set, copies: false)
  for rows in 1...12 {
    comparison.equal(
      problem.result(set, copies: false, rowsAtOnce: rows), whole, "\(rows) rows at once")
  }
  comparison.equal(problem.result(set, copies: true), whole, "copied rows")
}

/// Products whose panels are multiplied part by part, and others of as many terms, which are not.
private func productsOfManyTerms(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let layout = set.float.layout
  let depth = 4 * FloatMicrokernels.partByteCount / layout.panelByteCount(depth: 0) + 5
  for columns in [layout.laneCount, layout.panelWidth + layout.laneCount, layout.panelWidth + 1] {
    for taps in [1, 3] {
      var problem = FloatProduct(
        rows: layout.tileRows + 3, columns: columns, taps: taps, depth: depth / taps + 1,
        seed: columns)
      problem.makeFractional()
      let whole = problem.result(set, copies: true)
      comparison.equal(problem.result(set, copies: false), whole, "\(problem)")
      (problem.lowest, problem.highest) = (-1, 2)
      comparison.equal(
        problem.result(set, copies: false), whole.map { min(max($0, -1), 2) },
        "\(problem) with limits")
    }
  }
}

private func productsOfNonfiniteNumbers(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  var problem = FloatProduct(rows: 3, columns: 5, taps: 1, depth: 1, seed: 1)
  problem.left = [.nan, .infinity, -.infinity]
  problem.weights = [1, 1, 1, 1, 1]
  (problem.lowest, problem.highest) = (-3, 6)
  let expected: [Float] = [.nan, 6, -3].flatMap { [Float](repeating: $0, count: 5) }
  comparison.same(problem.result(set, copies: false), expected, "NaN passes the limits")
}

private func productsOfLines(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let layout = set.float.layout
  let tallest = max(layout.tileRows, layout.columnRows)
  for columns in [1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 70] {
    for rows in LineTiles.leastRows...2 * tallest + 1 {
      let problem = FloatLines(rows: rows, columns: columns, taps: 3, depth: 6, seed: rows)
      comparison.equal(problem.result(set), problem.expected(), "\(problem)")
    }
  }
}

private func scaledProducts(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for (rows, columns) in [(1, 1), (2, 5), (3, 8), (4, 17), (5, 33), (6, 64), (11, 70)] {
    for (taps, depth) in [(1, 1), (2, 19)] {
      var problem = FloatProduct(
        rows: rows, columns: columns, taps: taps, depth: depth, seed: columns)
      problem.makeFractional()
      comparison.equal(problem.scaledResult(set), problem.expectedScaled(), "\(problem)")
    }
  }
}

/// Rows wherever they lie: at multiples of a vector's size, of 16 bytes, of a float's.
private func productsOfRows(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for rows in [1, 7, 8, 9, 21] {
    for depth in [0, 1, 5, 8, 16, 24, 32, 40, 48, 80, 128] {
      var problem = FloatRows(rows: rows, depth: depth)
      for floatsBehind in 0...16 {
        comparison.equal(
          problem.result(set, floatsBehind: floatsBehind), problem.expected(),
          "\(problem), \(floatsBehind) floats behind")
      }
      problem.makeFractional()
      let first = problem.result(set, floatsBehind: 0)
      for floatsBehind in 1...16 {
        comparison.same(
          problem.result(set, floatsBehind: floatsBehind), first,
          "\(problem) that are no integers, \(floatsBehind) floats behind")
      }
    }
  }
}
