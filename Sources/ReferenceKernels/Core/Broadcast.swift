// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The loop over an output to which several operands are broadcast, row by row.
///
/// Operands are aligned at the innermost axis; an axis of length 1 is repeated. Neighboring axes
/// that all operands walk alike are merged, so most broadcasts become one or two loops.
package struct Broadcast: Sendable {
  /// The output's shape.
  package let shape: Shape
  /// Elements in a row: the innermost merged axis.
  package let rowLength: Int
  /// Per operand, the step from one element of a row to the next: 0 (repeated) or 1.
  package let rowSteps: [Int]
  /// Lengths of the axes outside of a row, innermost first.
  package let outerLengths: [Int]
  /// For each of these axes every operand's stride.
  package let outerStrides: [[Int]]

  /// The broadcast of `operands` to each other, of rank up to `rankLimit`.
  ///
  /// - Throws: `KernelError` where two lengths differ and neither is 1.
  package init(_ operands: [Shape], rankLimit: Int = Shape.rankLimit) throws(KernelError) {
    let rank = operands.map { $0.rank }.max() ?? 0
    guard rank <= rankLimit else { throw .unsupported("broadcasting beyond rank \(rankLimit)") }
    if let first = operands.first, operands.allSatisfy({ $0 == first }) {
      self.init(operands.count, alike: first)
      return
    }
    // An array of one number repeated would look up its type at run time.
    var dimensions = (0..<rank).map { _ in 1 }
    for operand in operands {
      for (axis, length) in operand.dimensions.enumerated() where length != 1 {
        let target = axis + rank - operand.rank
        guard dimensions[target] == 1 || dimensions[target] == length else {
          let text = operands.map { $0.description }.joined(separator: " and ")
          throw .invalid("shapes \(text) cannot be broadcast")
        }
        dimensions[target] = length
      }
    }
    try self.init(operands, to: Shape.checked(dimensions))
  }

  /// The loop over operands of one shape: a single row.
  private init(_ operandCount: Int, alike shape: Shape) {
    self.shape = shape
    rowLength = shape.elementCount
    let step = rowLength == 1 ? 0 : 1
    rowSteps = (0..<operandCount).map { _ in step }
    (outerLengths, outerStrides) = ([], [])
  }

  private init(_ operands: [Shape], to shape: Shape) {
    self.shape = shape
    // Merge axes, innermost first: each entry is a length and every operand's stride.
    var merged: [(length: Int, strides: [Int])] = []
    let operandStrides = operands.map { $0.strides }
    for axis in stride(from: shape.rank - 1, through: 0, by: -1) where shape[axis] != 1 {
      let strides = operands.indices.map { index in
        let own = axis - (shape.rank - operands[index].rank)
        return own < 0 || operands[index][own] == 1 ? 0 : operandStrides[index][own]
      }
      if let inner = merged.last,
        zip(strides, inner.strides).allSatisfy({ $0 == $1 * inner.length })
      {
        merged[merged.count - 1].length *= shape[axis]
      } else {
        merged.append((shape[axis], strides))
      }
    }
    let row = merged.first ?? (1, operands.map { _ in 0 })
    // A row whose operand steps neither 0 nor 1 cannot be: the innermost axis of length other
    // than 1 has stride 1 in every operand that is not repeated along it.
    rowLength = row.length
    rowSteps = row.strides
    outerLengths = merged.dropFirst().map { $0.length }
    outerStrides = merged.dropFirst().map { $0.strides }
  }

  /// The rows of the output in order; empty where it has no elements.
  package func rows() -> Rows { Rows(self) }

  /// A walk over the rows: `while rows.next() { … }`.
  package struct Rows {
    private let broadcast: Broadcast
    private var indices: [Int]
    private var offsets: [Int]
    private var started = false

    /// Where the current row starts in the output.
    package private(set) var output = 0

    fileprivate init(_ broadcast: Broadcast) {
      self.broadcast = broadcast
      indices = [Int](repeating: 0, count: broadcast.outerLengths.count)
      offsets = [Int](repeating: 0, count: broadcast.rowSteps.count)
    }

    /// Where the current row starts in an operand.
    package func offset(_ operand: Int) -> Int { offsets[operand] }

    /// Goes to the next row; false after the last.
    package mutating func next() -> Bool {
      guard started else {
        started = true
        return broadcast.shape.elementCount > 0
      }
      output += broadcast.rowLength
      guard output < broadcast.shape.elementCount else { return false }
      for axis in indices.indices {
        let strides = broadcast.outerStrides[axis]
        indices[axis] += 1
        for operand in offsets.indices { offsets[operand] += strides[operand] }
        if indices[axis] < broadcast.outerLengths[axis] { return true }
        let length = broadcast.outerLengths[axis]
        for operand in offsets.indices { offsets[operand] -= strides[operand] * length }
        indices[axis] = 0
      }
      return true
    }
  }
}
