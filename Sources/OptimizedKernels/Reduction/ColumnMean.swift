// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Means and sums whose results lie side by side in the input, as channels do.
///
/// Rows are added to many results at a time. Each result takes its elements in the reference
/// kernel's order, so the results are the same bit for bit.
final class ColumnMean: BlockKernel {
  /// Results of a block: their running sums stay in the first-level cache.
  private static let blockWidth = 128

  /// Some neighbouring results.
  private struct Part {
    /// The first row's first column.
    let row: Int
    /// The columns.
    let columns: Range<Int>
    /// Columns of a row.
    let width: Int
    let output: Int

    var count: Int { columns.count }
  }

  private let body: @Sendable (borrowing TensorFrame, Part) -> Void
  /// How often all the columns come again, and how far apart in the input.
  private let partCount: Int
  private let partStride: Int
  private let columnCount: Int

  /// The means of `loop`; nil where results are not neighbours.
  convenience init?(_ loop: ReductionLoop<FloatMeanReduction>) {
    let arithmetic = loop.arithmetic
    self.init(loop.axes) { frame, part, rows in
      Self.reduce(frame, part, rows, from: 0 as Float) { (sum: Float, element: Float) in
        sum + element
      } finish: {
        arithmetic.finish($0)
      }
    }
  }

  /// The means or sums of `loop`; nil where results are not neighbours.
  convenience init?<Code: TensorElement & FixedWidthInteger>(
    _ loop: ReductionLoop<QuantizedMeanReduction<Code>>, _ set: MicrokernelSet
  ) {
    let arithmetic = loop.arithmetic
    let factor = arithmetic.multiplier
    guard Code.bitWidth == 8, (-31...30).contains(factor.exponent) else { return nil }
    let (lowest, highest) = (Int32(Code.min), Int32(Code.max))
    let kernels = set.byte
    self.init(loop.axes) { frame, part, rows in
      guard let input = unsafe frame.inputAddress(0) else { return }
      let output =
        unsafe frame.outputAddress(0).assumingMemoryBound(to: Code.self) + part.output
      unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: part.count) { buffer in
        guard let sums = buffer.baseAddress else { return }
        unsafe kernels.sumColumns(
          ByteColumns(
            input: input + part.row, stride: rows.stride, rowCount: rows.length,
            columnCount: part.width, isSigned: Code.isSigned),
          part.columns, to: sums)
        for column in 0..<part.count {
          let sum = unsafe Int32(truncatingIfNeeded: Int64(sums[column]) &- arithmetic.offset)
          let scaled = exactlyScaled(
            sum, significand: factor.significand, exponent: factor.exponent,
            roundsTwice: factor.rounding == .double)
          let code = min(max(scaled &+ arithmetic.outputZeroPoint, lowest), highest)
          unsafe output[column] = Code(truncatingIfNeeded: code)
        }
      }
    }
  }

  private init?(
    _ axes: ReducedAxes,
    _ body: @escaping @Sendable (borrowing TensorFrame, Part, ReducedAxes.Loop) -> Void
  ) {
    guard !axes.isEmpty, let columns = axes.kept.last, columns.stride == 1, axes.kept.count <= 2,
      axes.reduced.count == 1, let rows = axes.reduced.first
    else { return nil }
    (partCount, partStride) =
      axes.kept.count == 2 ? (axes.kept[0].length, axes.kept[0].stride) : (1, 0)
    columnCount = columns.length
    self.body = { frame, part in body(frame, part, rows) }
  }

  private var blocksPerPart: Int { (columnCount + Self.blockWidth - 1) / Self.blockWidth }

  func blockCount(workerCount: Int) -> Int { partCount * blocksPerPart }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    while let block = next() {
      let (index, column) = block.quotientAndRemainder(dividingBy: blocksPerPart)
      let first = column * Self.blockWidth
      body(
        frame,
        Part(
          row: index * partStride, columns: first..<min(first + Self.blockWidth, columnCount),
          width: columnCount, output: index * columnCount + first))
    }
  }

  @inline(__always)
  private static func reduce<Element: BitwiseCopyable, Sum: BitwiseCopyable>(
    _ frame: borrowing TensorFrame, _ part: Part, _ rows: ReducedAxes.Loop, from zero: Sum,
    _ add: (Sum, Element) -> Sum, finish: (Sum) -> Element
  ) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input =
      unsafe address.assumingMemoryBound(to: Element.self)
      + part.row + part.columns.lowerBound
    let output =
      unsafe frame.outputAddress(0).assumingMemoryBound(to: Element.self) + part.output
    unsafe withUnsafeTemporaryAllocation(of: Sum.self, capacity: Self.blockWidth) { buffer in
      guard let sums = buffer.baseAddress else { return }
      for column in 0..<part.count { unsafe sums[column] = zero }
      for row in 0..<rows.length {
        let elements = unsafe input + row * rows.stride
        for column in 0..<part.count {
          unsafe sums[column] = add(sums[column], elements[column])
        }
      }
      for column in 0..<part.count { unsafe output[column] = finish(sums[column]) }
    }
  }
}
