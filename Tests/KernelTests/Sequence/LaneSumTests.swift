// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Testing

@Suite struct LaneSumTests {
  /// 2^24 swallows every 1 that meets it alone; a partial sum of ones is added whole.
  @Test(
    arguments: [
      (.oneByOne, 0x1p24), (.inTurn, 0x1p24 + 8), (.crosswise, 0x1p24 + 8),
      (.twoRegisters, 0x1p24 + 8), (.evenAndOdd, 0x1p24 + 4), (.neighbors, 0x1p24 + 8),
    ] as [(LaneSum.Order, Float)])
  func `partial sums keep what a whole one loses`(order: LaneSum.Order, expected: Float) {
    var sum = LaneSum(order, count: 9)
    sum.add(0x1p24, at: 0)
    for index in 1..<9 { sum.add(1, at: index) }
    #expect(sum.value == expected)
  }

  @Test(arguments: [0, 1, 3, 4, 7, 8, 11, 12, 16, 21])
  func `every product counts once in every order`(count: Int) {
    let orders: [LaneSum.Order] = [
      .oneByOne, .inTurn, .crosswise, .twoRegisters, .evenAndOdd, .neighbors,
    ]
    for order in orders {
      var sum = LaneSum(order, count: count, start: 0.5)
      for index in 0..<count { sum.add(Float(1 << index), at: index) }
      #expect(sum.value == Float(1 << count) - 0.5)
    }
  }
}
