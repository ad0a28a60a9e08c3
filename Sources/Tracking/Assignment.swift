// SPDX-License-Identifier: Apache-2.0

/// Pairs rows with columns so that the sum of costs is as small as can be.
///
/// A row may stay single at a price; so every pair made costs less than that. The algorithm is
/// the Hungarian one in its form with shortest augmenting paths (Jonker and Volgenant): rows join
/// one after another, and each changes the pairs made so far along the cheapest path, found as by
/// Dijkstra with costs made non-negative by a price for each row and column. Time grows with
/// rows² × columns.
package struct Assignment {
  /// The column of each row; nil for rows that stay single.
  package private(set) var columns: [Int?]

  /// The cheapest pairs.
  ///
  /// - Parameters:
  ///   - costs: A row of costs for each row, all of the same length; nil where a pair is
  ///     forbidden.
  ///   - singleCost: What it costs a row to stay single.
  package init(costs: [[Double?]], singleCost: Double) {
    let rowCount = costs.count
    let realCount = costs.first?.count ?? 0
    // Each row has a column of its own at the price of staying single.
    let columnCount = realCount + rowCount
    func cost(_ row: Int, _ column: Int) -> Double {
      if column >= realCount { return column - realCount == row ? singleCost : Self.forbidden }
      return costs[row][column] ?? Self.forbidden
    }

    var search = AugmentingSearch(rowCount: rowCount, columnCount: columnCount)
    for row in 0..<rowCount { search.add(row, cost: cost) }
    columns = [Int?](repeating: nil, count: rowCount)
    for column in 0..<realCount {
      if let row = search.rowOfColumn[column], costs[row][column] != nil {
        columns[row] = column
      }
    }
  }

  /// More than any sum of costs, small enough that sums stay exact enough.
  private static let forbidden = 1e6
}

/// The state of the search for cheapest pairs.
private struct AugmentingSearch {
  var rowOfColumn: [Int?]
  private var rowPrice: [Double]
  private var columnPrice: [Double]

  init(rowCount: Int, columnCount: Int) {
    rowOfColumn = [Int?](repeating: nil, count: columnCount)
    rowPrice = [Double](repeating: 0, count: rowCount)
    columnPrice = [Double](repeating: 0, count: columnCount)
  }

  /// Finds the cheapest path from a row to a free column and changes the pairs along it.
  mutating func add(_ start: Int, cost: (Int, Int) -> Double) {
    let count = rowOfColumn.count
    var distance = [Double](repeating: .infinity, count: count)
    var previous = [Int?](repeating: nil, count: count)
    var visited: [Int] = []
    var isVisited = [Bool](repeating: false, count: count)
    var row = start
    var reached: Int?
    var travelled = 0.0
    var end: Int?

    while end == nil {
      var nearest: Int?
      for column in 0..<count where !isVisited[column] {
        let through = travelled + cost(row, column) - rowPrice[row] - columnPrice[column]
        if through < distance[column] {
          distance[column] = through
          previous[column] = reached
        }
        if nearest.map({ distance[column] < distance[$0] }) ?? true { nearest = column }
      }
      guard let nearest else { return }
      travelled = distance[nearest]
      reached = nearest
      isVisited[nearest] = true
      visited.append(nearest)
      if let next = rowOfColumn[nearest] { row = next } else { end = nearest }
    }

    rowPrice[start] += travelled
    for column in visited where column != end {
      let difference = travelled - distance[column]
      columnPrice[column] -= difference
      if let paired = rowOfColumn[column] { rowPrice[paired] += difference }
    }
    var location = end
    while let column = location {
      location = previous[column]
      rowOfColumn[column] = location.map { rowOfColumn[$0] } ?? start
    }
  }
}
