// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The loop nest of `BATCH_MATMUL`, once for all number formats.
///
///     y[…, i, j] = finish(Σ over k of left[…, i, k] · right[…, k, j])
///
/// Transposed operands are read in place, with their steps exchanged.
/// TFLite: `reference/batch_matmul.h`.
package struct BatchMatMulNest: Sendable {
  /// Leading axes of the left matrices.
  package let leftBatch: Shape
  /// Leading axes of the right matrices.
  package let rightBatch: Shape
  /// Which left and right matrices meet: the broadcast of the leading axes.
  package let pairs: Broadcast
  /// Rows of a left matrix.
  package let rowCount: Int
  /// Terms of a sum.
  package let depth: Int
  /// Columns of a right matrix.
  package let columnCount: Int
  /// Whether left matrices are stored column by column.
  package let transposesLeft: Bool
  /// Whether right matrices are stored column by column.
  package let transposesRight: Bool

  /// The nest for operands of these shapes, of rank 2 at least.
  ///
  /// - Throws: `KernelError` where the shapes do not go together.
  package init(
    _ left: Shape, _ right: Shape, transposesLeft: Bool, transposesRight: Bool
  ) throws(KernelError) {
    let (leftInner, rightInner) = (left.dimensions.suffix(2), right.dimensions.suffix(2))
    guard let leftRows = leftInner.first, let leftColumns = leftInner.last,
      let rightRows = rightInner.first, let rightColumns = rightInner.last
    else { throw .invalid("\(left) and \(right) are no matrices") }
    rowCount = transposesLeft ? leftColumns : leftRows
    depth = transposesLeft ? leftRows : leftColumns
    columnCount = transposesRight ? rightRows : rightColumns
    guard depth == (transposesRight ? rightColumns : rightRows) else {
      throw .invalid("\(left) and \(right) matrices do not match")
    }
    leftBatch = try Shape.checked(Array(left.dimensions.dropLast(2)), .input(0))
    rightBatch = try Shape.checked(Array(right.dimensions.dropLast(2)), .input(1))
    pairs = try Broadcast([leftBatch, rightBatch])
    self.transposesLeft = transposesLeft
    self.transposesRight = transposesRight
  }

  /// Where row `row` of a left matrix starts, and how far apart its elements are.
  package func leftRow(_ row: Int, of matrix: Int) -> (start: Int, step: Int) {
    let start = matrix * rowCount * depth
    return transposesLeft ? (start + row, rowCount) : (start + row * depth, 1)
  }

  /// Where column `column` of a right matrix starts, and how far apart its elements are.
  package func rightColumn(_ column: Int, of matrix: Int) -> (start: Int, step: Int) {
    let start = matrix * depth * columnCount
    return transposesRight ? (start + column * depth, 1) : (start + column, columnCount)
  }

  /// Calls `body` for every row of the output: a left row and a right matrix.
  ///
  /// - Throws: what `body` throws.
  package func forEachRow(
    _ body: (
      _ output: Int, _ left: (start: Int, step: Int), _ rightMatrix: Int
    ) throws(KernelError) -> Void
  ) throws(KernelError) {
    var outputRow = 0
    var runs = pairs.rows()
    while runs.next() {
      for pair in 0..<pairs.rowLength {
        let left = runs.offset(0) + pair * pairs.rowSteps[0]
        let right = runs.offset(1) + pair * pairs.rowSteps[1]
        for row in 0..<rowCount {
          try body(outputRow * columnCount, leftRow(row, of: left), right)
          outputRow += 1
        }
      }
    }
  }

  /// One row of the output: a row of `left` times a whole right matrix.
  @_lifetime(output: copy output)
  package func multiply<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, _ left: Span<Arithmetic.Input>, row: (start: Int, step: Int),
    _ right: Span<Arithmetic.Filter>, matrix: Int,
    to output: inout MutableSpan<Arithmetic.Output>, at start: Int
  ) {
    for column in 0..<columnCount {
      let rightColumn = rightColumn(column, of: matrix)
      var (leftIndex, rightIndex) = (row.start, rightColumn.start)
      var sum = arithmetic.start(channel: column)
      for _ in 0..<depth {
        arithmetic.accumulate(&sum, left[leftIndex], right[rightIndex])
        leftIndex += row.step
        rightIndex += rightColumn.step
      }
      output[start + column] = arithmetic.finish(sum, bias: nil, channel: column)
    }
  }
}

/// `BATCH_MATMUL` in one number format.
package struct BatchMatMulLoop<Arithmetic: ConvolutionArithmetic>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.products, Arithmetic.Input.elementType) }

  /// The number format.
  package let arithmetic: Arithmetic
  /// The loops and their bounds.
  package let nest: BatchMatMulNest

  /// The loops of `nest` in the number format of `arithmetic`.
  package init(_ arithmetic: Arithmetic, _ nest: BatchMatMulNest) {
    self.arithmetic = arithmetic
    self.nest = nest
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let left = frame.input(0, as: Arithmetic.Input.self)
    let right = frame.input(1, as: Arithmetic.Filter.self)
    var output = frame.output(0, as: Arithmetic.Output.self)
    var meter = frame.workMeter
    try nest.forEachRow { start, row, matrix throws(KernelError) in
      nest.multiply(
        arithmetic, left, row: row, right, matrix: matrix, to: &output, at: start)
      try meter.add(nest.columnCount * nest.depth + 1)
    }
  }
}

/// The kernel of `BatchMatMulLoop`.
package typealias BatchMatMulKernel<Arithmetic: ConvolutionArithmetic> = LoopKernel<
  BatchMatMulLoop<Arithmetic>
>

extension LoopKernel {
  /// The loops of `nest` in the number format of `arithmetic`.
  package convenience init<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, _ nest: BatchMatMulNest
  ) where Loop == BatchMatMulLoop<Arithmetic> {
    self.init(BatchMatMulLoop(arithmetic, nest))
  }
}
