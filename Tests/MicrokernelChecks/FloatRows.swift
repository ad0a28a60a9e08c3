// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

/// Rows of floats that are multiplied with one vector, with its operands.
struct FloatRows: CustomStringConvertible {
  let rows: Int
  let depth: Int
  private var matrix: [Float]
  private var vector: [Float]
  private let bias: [Float]
  private var random: SeededRandom

  init(rows: Int, depth: Int) {
    (self.rows, self.depth) = (rows, depth)
    var random = SeededRandom(seed: depth)
    matrix = random.wholeFloats(rows * depth, in: -4...4)
    vector = random.wholeFloats(depth, in: -4...4)
    bias = random.wholeFloats(rows, in: -9...9)
    self.random = random
  }

  var description: String { "\(rows) rows of \(depth)" }

  mutating func makeFractional() {
    matrix = random.floats(matrix.count, in: -1...1)
    vector = random.floats(vector.count, in: -1...1)
  }

  func expected() -> [Float] {
    (0..<rows).map { row in
      let sum = (0..<depth).reduce(bias[row]) { $0 + matrix[row * depth + $1] * vector[$1] }
      return min(max(sum, -60), 60)
    }
  }

  /// The products with rows that lie so many floats before the end of a page.
  func result(_ set: MicrokernelSet, floatsBehind: Int) -> [Float] {
    let matrix = GuardedBuffer(matrix + [Float](repeating: .nan, count: floatsBehind))
    let vector = GuardedBuffer(vector)
    let bias = GuardedBuffer(bias)
    let output = GuardedBuffer(repeating: -1 as Float, count: rows)
    unsafe set.float.multiply(
      FloatRowProducts(
        matrix.address, count: rows, vector: vector.address, depth: depth, bias: bias.address,
        range: (-60, 60), output: output.address))
    return output.elements
  }
}
