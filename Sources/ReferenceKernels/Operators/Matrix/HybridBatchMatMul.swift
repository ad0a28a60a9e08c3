// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// `BATCH_MATMUL` of float left and int8 right matrices: left rows are quantized one by one.
///
///     y[b, i, j] = s[p, i] · s_right[j] · (Σ over k of quantizedValues[b, i, k] · right[b, k, j]
///                                          − z[p, i] · Σ over k of right[q, k, j])
///
/// `p` and `q` are the matrices whose scales, zero points and sums TFLite takes for those of `b`:
/// the *sum* of the matrix's indices along the leading axes that the operand does not repeat. With
/// one leading axis longer than 1 that is the matrix itself; with several it is another one, so
/// that results are wrong by the ratio of two rows' scales. That is kept: results equal TFLite's.
/// Where all left matrices along the last leading axis meet the same right one, that axis counts
/// as rows.
/// TFLite: `batch_matmul.cc`; `reference/batch_matmul.h`, whose second function computes
/// `ioff_ext` and `woff_ext`.
package final class HybridBatchMatMulKernel: SteppedKernel {
  /// The number format, without a row's scale.
  package let arithmetic: HybridConvolution
  /// How rows are quantized.
  package let quantization: HybridQuantization
  /// The loops and their bounds.
  package let nest: BatchMatMulNest

  /// The loops of `nest` over rows quantized by `quantization`.
  package init(
    _ arithmetic: HybridConvolution, _ quantization: HybridQuantization, _ nest: BatchMatMulNest
  ) {
    self.arithmetic = arithmetic
    self.quantization = quantization
    self.nest = nest
  }

  private var leftRowCount: Int { nest.leftBatch.elementCount * nest.rowCount }

  /// Bytes of the scratch tensors: a row, all rows' quantized values, their scales and their zero
  /// points, and the sums of a right matrix's columns.
  package var scratch: [Int] {
    [
      nest.depth * MemoryLayout<Float>.stride,
      leftRowCount * nest.depth,
      leftRowCount * MemoryLayout<Float>.stride,
      leftRowCount * MemoryLayout<Int32>.stride,
      nest.columnCount * MemoryLayout<Int32>.stride,
    ]
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    quantizeRows(frame)
    let right = frame.input(1, as: Int8.self)
    var meter = frame.workMeter
    for batch in 0..<nest.pairs.shape.elementCount {
      let pair = pair(batch)
      sumColumns(of: right, matrix: pair.right.location, frame)
      for row in 0..<nest.rowCount {
        multiply(
          row: pair.left.index * nest.rowCount + row,
          scaledAs: pair.left.location * nest.rowCount + row, by: right, matrix: pair.right.index,
          to: (batch * nest.rowCount + row) * nest.columnCount, frame, &steps)
        try meter.add(nest.columnCount * nest.depth + 1)
      }
    }
  }

  /// A matrix of an operand, and the one whose scales, zero points or sums TFLite takes for it.
  package struct Operand: Sendable {
    /// The matrix.
    package let index: Int
    /// The matrix whose constants it gets.
    package let location: Int
  }

  /// The matrices whose product is the output's matrix `batch`.
  package func pair(_ batch: Int) -> (left: Operand, right: Operand) {
    (
      operand(of: batch, in: nest.leftBatch, asRows: matricesCountedAsRows),
      operand(of: batch, in: nest.rightBatch, asRows: nil)
    )
  }

  /// How many left matrices along the last leading axis TFLite joins to one, nil for none.
  private var matricesCountedAsRows: Int? {
    guard !nest.transposesLeft, nest.rightBatch.dimensions.last == 1 else { return nil }
    return nest.leftBatch.dimensions.last
  }

  /// The matrix of an operand with the leading axes `own` at location `batch` of the output.
  private func operand(of batch: Int, in own: Shape, asRows rowMatrices: Int?) -> Operand {
    var (rest, index, location) = (batch, 0, 0)
    let whole = nest.pairs.shape
    for axis in stride(from: whole.rank - 1, through: 0, by: -1) {
      let coordinate = rest % whole[axis]
      rest /= whole[axis]
      let ownAxis = axis - (whole.rank - own.rank)
      guard ownAxis >= 0, own[ownAxis] != 1 else { continue }
      index += coordinate * own.strides[ownAxis]
      location += coordinate * (axis == whole.rank - 1 ? 1 : rowMatrices ?? 1)
    }
    return Operand(index: index, location: location)
  }

  private func quantizeRows(_ frame: borrowing TensorFrame) {
    let left = frame.input(0, as: Float.self)
    var values = frame.scratch(0, as: Float.self)
    var quantizedValues = frame.scratch(1, as: Int8.self)
    var scales = frame.scratch(2, as: Float.self)
    var zeroPoints = frame.scratch(3, as: Int32.self)
    for index in 0..<leftRowCount {
      let (matrix, row) = index.quotientAndRemainder(dividingBy: nest.rowCount)
      let from = nest.leftRow(row, of: matrix)
      for k in 0..<nest.depth { values[k] = left[from.start + k * from.step] }
      var own = quantizedValues._mutatingExtracting(index * nest.depth..<(index + 1) * nest.depth)
      let affine = quantization.quantize(values.span.extracting(0..<nest.depth), into: &own)
      scales[index] = affine.scale
      zeroPoints[index] = affine.zeroPoint
    }
  }

  private func sumColumns(
    of right: Span<Int8>, matrix: Int, _ frame: borrowing TensorFrame
  ) {
    var sums = frame.scratch(4, as: Int32.self)
    for column in 0..<nest.columnCount {
      let from = nest.rightColumn(column, of: matrix)
      var sum: Int32 = 0
      for k in 0..<nest.depth { sum &+= Int32(right[from.start + k * from.step]) }
      sums[column] = sum
    }
  }

  private func multiply(
    row: Int, scaledAs location: Int, by right: Span<Int8>, matrix: Int, to start: Int,
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) {
    let left = frame.input(0, as: Float.self)
    let quantizedValues = frame.scratch(1, as: Int8.self)
    let scales = frame.scratch(2, as: Float.self)
    let zeroPoints = frame.scratch(3, as: Int32.self)
    let sums = frame.scratch(4, as: Int32.self)
    var output = frame.output(0, as: Float.self)
    var arithmetic = arithmetic
    arithmetic.input = Affine(scale: scales[location], zeroPoint: 0)
    let source = nest.leftRow(row % nest.rowCount, of: row / nest.rowCount)
    for column in 0..<nest.columnCount {
      steps.about(start + column)
      let from = nest.rightColumn(column, of: matrix)
      var sum: Int32 = 0
      for k in 0..<nest.depth {
        let quantized = quantizedValues[row * nest.depth + k]
        let weight = from.start + k * from.step
        sum &+= steps.term(
          Int32(quantized) &* Int32(right[weight]), of: left, source.start + k * source.step,
          quantized: quantized, named: "number", right, weight)
      }
      let difference = steps.lessZeroPoint(
        steps.accumulator(sum), columnSum: sums[column], zeroPoint: zeroPoints[location])
      steps.note("input scale", "from the range of this row", scales[location])
      let real = arithmetic.real(
        difference, filterScale: steps.weightScale(of: column, arithmetic.filterScales), &steps)
      output[start + column] = steps.activate(real + 0, arithmetic.range)
    }
  }
}

extension Steps {
  /// A sum of products of quantized values less the zero point's share.
  ///
  /// TFLite subtracts in float32, which rounds sums beyond 2^24.
  @inline(__always)
  fileprivate mutating func lessZeroPoint(
    _ sum: Int32, columnSum: Int32, zeroPoint: Int32
  ) -> Int32 {
    note("column sum", "of the weights", columnSum)
    note("input zero point", "the quantized value of zero in this row", zeroPoint)
    return note(
      "difference", "\(sum) - \(columnSum.operand) × \(zeroPoint.operand) in float32, cut off",
      Int32(truncatingOrLeast: Float(sum) - Float(columnSum) * Float(zeroPoint)))
  }
}
