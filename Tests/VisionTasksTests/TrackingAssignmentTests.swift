// SPDX-License-Identifier: Apache-2.0

import SeededRandom
import Testing
import VisionTasks

/// Assignment.
@Suite struct TrackingAssignmentTests {
  /// The least cost, by trying everything.
  static func leastCost(_ costs: ArraySlice<[Double?]>, single: Double, used: Set<Int> = [])
    -> Double
  {
    guard let row = costs.first else { return 0 }
    let rest = costs.dropFirst()
    var least = single + leastCost(rest, single: single, used: used)
    for (column, cost) in row.enumerated() where !used.contains(column) {
      guard let cost else { continue }
      least = min(
        least, cost + leastCost(rest, single: single, used: used.union([column])))
    }
    return least
  }

  @Test(arguments: 0..<300)
  func `pairs are as cheap as the cheapest of all`(seed: Int) throws {
    var numbers = SeededRandom(seed: UInt64(seed))
    let rowCount = seed % 6
    let columnCount = seed / 6 % 6
    let costs = (0..<rowCount).map { _ in
      (0..<columnCount).map { _ in
        numbers.unit() < 0.3 ? nil : (numbers.unit() * 8).rounded() / 8
      }
    }
    let columns = Assignment(costs: costs, singleCost: 0.7).columns
    #expect(columns.count == rowCount)
    let taken = columns.compactMap { $0 }
    #expect(Set(taken).count == taken.count)
    var total = 0.0
    for (row, column) in columns.enumerated() {
      total += try column.map { try #require(costs[row][$0]) } ?? 0.7
    }
    #expect(abs(total - Self.leastCost(costs[...], single: 0.7)) < 1e-9)
  }

  @Test func `known pairs`() {
    // Greedily 1 + 9; at best 2 + 2.
    #expect(Assignment(costs: [[1, 2], [2, 9]], singleCost: 20).columns == [1, 0])
    #expect(Assignment(costs: [[5]], singleCost: 4).columns == [nil])
    #expect(Assignment(costs: [[nil], [3]], singleCost: 4).columns == [nil, 0])
    #expect(Assignment(costs: [[], []], singleCost: 1).columns == [nil, nil])
    #expect(Assignment(costs: [], singleCost: 1).columns.isEmpty)
  }

  @Test func `a hundred by a hundred takes little time`() {
    var numbers = SeededRandom(seed: 1)
    let costs = (0..<100).map { _ in (0..<100).map { _ in Optional(numbers.unit()) } }
    var columns: [Int?] = []
    let time = ContinuousClock().measure {
      columns = Assignment(costs: costs, singleCost: 2).columns
    }
    #expect(Set(columns.compactMap { $0 }).count == 100)
    #expect(time < .seconds(2))
  }
}
