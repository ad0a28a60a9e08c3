// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Means, sums and extremes whose results lie side by side in the input, as channels do.
///
/// Workers share the columns of small inputs, so that each result takes its elements in the
/// reference kernel's order and floats are the same bit for bit. The rows of large ones fall into
/// eight groups, whatever the number of workers: each worker then reads what it has in its cache,
/// and floats are summed group by group.
final class ColumnReduction: BlockKernel {
  /// The most results of a block: their running results stay in the first-level cache.
  private static let mostResults = 128
  /// Bytes that come to a cache together.
  private static let cacheLine = 64
  /// Groups that the rows of a large input fall into.
  private static let groupCount = 8
  /// Elements of a large input.
  private static let largeCount = 16_384

  private let format: any ColumnFormat
  /// How often all the columns come again, and how far apart in the input.
  private let partCount: Int
  private let partStride: Int
  private let columnCount: Int
  private let rows: ReducedAxes.Loop
  private let hasGroups: Bool

  /// The means of `loop`; nil where results are not neighbors.
  convenience init?(_ loop: ReductionLoop<FloatMeanReduction>, _ set: MicrokernelSet) {
    self.init(loop.axes, FloatColumns(sumsDividedBy: Float(loop.axes.count), set))
  }

  /// The sums of `loop`; nil where results are not neighbors.
  convenience init?(_ loop: ReductionLoop<FloatSumReduction>, _ set: MicrokernelSet) {
    self.init(loop.axes, FloatColumns(sumsDividedBy: nil, set))
  }

  /// The extremes of `loop`; nil where results are not neighbors.
  convenience init?(_ loop: ReductionLoop<ExtremeReduction<Float>>, _ set: MicrokernelSet) {
    self.init(loop.axes, FloatColumns(isMaximum: loop.arithmetic.isMaximum, set))
  }

  /// The means or sums of `loop`; nil where results are not neighbors.
  convenience init?<Quantized: TensorElement & FixedWidthInteger>(
    _ loop: ReductionLoop<QuantizedMeanReduction<Quantized>>, _ set: MicrokernelSet
  ) {
    guard let format = QuantizedColumnSums(loop.arithmetic, set.byte) else { return nil }
    self.init(loop.axes, format)
  }

  private init?(_ axes: ReducedAxes, _ format: any ColumnFormat) {
    guard !axes.isEmpty, let columns = axes.kept.last, columns.stride == 1, axes.kept.count <= 2,
      axes.reduced.count == 1, let rows = axes.reduced.first
    else { return nil }
    self.format = format
    self.rows = rows
    (partCount, partStride) =
      axes.kept.count == 2 ? (axes.kept[0].length, axes.kept[0].stride) : (1, 0)
    columnCount = columns.length
    hasGroups =
      partCount < Self.groupCount && rows.length >= format.leastRows * Self.groupCount
      && rows.length * columnCount >= Self.largeCount
  }

  /// Bytes of the scratch tensors.
  var scratch: [Int] { hasGroups ? [partCount * Self.groupCount * columnCount * 4] : [] }

  /// Results of a block: whole cache lines for each worker.
  private func blockWidth(_ workerCount: Int) -> Int {
    let line = Self.cacheLine / format.elementSize
    let share = (columnCount + workerCount - 1) / workerCount
    return min((share + line - 1) / line * line, Self.mostResults)
  }

  private func blocksPerPart(_ workerCount: Int) -> Int {
    let width = blockWidth(workerCount)
    return (columnCount + width - 1) / width
  }

  func blockCount(workerCount: Int) -> Int {
    partCount * (hasGroups ? Self.groupCount : blocksPerPart(workerCount))
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    if hasGroups {
      unsafe reduceGroups(input, to: frame.scratchAddress(0), next)
    } else {
      unsafe computeColumns(input, to: frame.outputAddress(0), workerCount, next)
    }
  }

  func end(_ frame: borrowing TensorFrame) {
    guard hasGroups else { return }
    let stride = columnCount * 4
    for part in 0..<partCount {
      let totals = unsafe frame.scratchAddress(0) + part * Self.groupCount * stride
      for group in 1..<Self.groupCount {
        unsafe format.combine(
          UnsafeRawPointer(totals + group * stride), count: columnCount, to: totals)
      }
      unsafe format.finish(
        UnsafeRawPointer(totals), count: columnCount,
        to: frame.outputAddress(0) + part * columnCount * format.elementSize)
    }
  }

  /// The results of groups of rows.
  private func reduceGroups(
    _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, _ next: () -> Int?
  ) {
    while let block = next() {
      let (part, group) = block.quotientAndRemainder(dividingBy: Self.groupCount)
      let range = share(group, of: Self.groupCount, rows.length)
      let first = (part * partStride + range.lowerBound * rows.stride) * format.elementSize
      unsafe format.reduce(
        ColumnRows(
          input: input + first, stride: rows.stride, rowCount: range.count, width: columnCount,
          columns: 0..<columnCount),
        to: output + block * columnCount * 4)
    }
  }

  /// Some columns after the other, over all rows.
  private func computeColumns(
    _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, _ workerCount: Int,
    _ next: () -> Int?
  ) {
    let (width, perPart, size) = (
      blockWidth(workerCount), blocksPerPart(workerCount), format.elementSize
    )
    unsafe ScratchMemory.use(Self.mostResults * 4) { buffer in
      while let block = next() {
        let (part, column) = block.quotientAndRemainder(dividingBy: perPart)
        let columns = column * width..<min((column + 1) * width, columnCount)
        unsafe format.reduce(
          ColumnRows(
            input: input + part * partStride * size, stride: rows.stride, rowCount: rows.length,
            width: columnCount, columns: columns),
          to: buffer)
        unsafe format.finish(
          UnsafeRawPointer(buffer), count: columns.count,
          to: output + (part * columnCount + columns.lowerBound) * size)
      }
    }
  }
}
