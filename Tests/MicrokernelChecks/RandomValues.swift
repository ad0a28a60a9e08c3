// SPDX-License-Identifier: Apache-2.0

internal import SeededRandom

extension SeededRandom {
  /// Random bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  /// Random 32-bit integers.
  mutating func integers(_ count: Int, in range: ClosedRange<Int32>) -> [Int32] {
    (0..<count).map { _ in Int32.random(in: range, using: &self) }
  }

  /// Random whole numbers as floats, whose sums of products are exact in any order.
  mutating func wholeFloats(_ count: Int, in range: ClosedRange<Int>) -> [Float] {
    (0..<count).map { _ in Float(Int.random(in: range, using: &self)) }
  }

  /// Random floats.
  mutating func floats(_ count: Int, in range: ClosedRange<Float>) -> [Float] {
    (0..<count).map { _ in Float.random(in: range, using: &self) }
  }
}
