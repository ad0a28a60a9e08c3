// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// How the columns of rows are reduced in one number format; running results are four bytes each.
protocol ColumnFormat: Sendable {
  /// Bytes of an element.
  var elementSize: Int { get }
  /// Rows that are worth running results of their own.
  var leastRows: Int { get }

  /// Writes the running results of some columns over some rows that are `stride` elements apart.
  func reduce(_ rows: ColumnRows, to results: UnsafeMutableRawPointer)

  /// Takes the running results of later rows into others.
  func combine(_ results: UnsafeRawPointer, count: Int, to totals: UnsafeMutableRawPointer)

  /// Makes output elements of running results over all rows.
  func finish(_ results: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer)
}

/// Some rows of a matrix, and some of its columns.
@unsafe
struct ColumnRows {
  /// The first row's first column.
  let input: UnsafeRawPointer
  /// Elements from one row to the next.
  let stride: Int
  /// Rows.
  let rowCount: Int
  /// Columns of a row.
  let width: Int
  /// The columns that are meant.
  let columns: Range<Int>
}

/// Columns of floats, each reduced in the order of rows.
struct FloatColumns: ColumnFormat {
  let elementSize = 4
  let leastRows = 4
  private let reduction: PlainReduction
  /// What results begin with.
  private let start: Float
  private let divisor: Float?
  private let kernels: MicrokernelSet

  /// The sums of columns, divided or as they are.
  init(sumsDividedBy divisor: Float?, _ set: MicrokernelSet) {
    (reduction, start) = (.floatSum, 0)
    self.divisor = divisor
    kernels = set
  }

  /// The greatest or the least elements of columns; NaN is neither.
  init(isMaximum: Bool, _ set: MicrokernelSet) {
    let greatest = Float.greatestFiniteMagnitude
    (reduction, start) = isMaximum ? (.floatMaximum, -greatest) : (.floatMinimum, greatest)
    divisor = nil
    kernels = set
  }

  func reduce(_ rows: ColumnRows, to results: UnsafeMutableRawPointer) {
    unsafe results.initializeMemory(as: Float.self, repeating: start, count: rows.columns.count)
    unsafe kernels.reduceColumns(
      ReducedRows(
        input: rows.input + rows.columns.lowerBound * elementSize,
        stride: rows.stride * elementSize, rowCount: rows.rowCount,
        columnCount: rows.columns.count, totals: results), reduction)
  }

  func combine(_ results: UnsafeRawPointer, count: Int, to totals: UnsafeMutableRawPointer) {
    unsafe kernels.reduceColumns(
      ReducedRows(input: results, stride: 0, rowCount: 1, columnCount: count, totals: totals),
      reduction)
  }

  func finish(_ results: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer) {
    guard let divisor else {
      unsafe output.copyMemory(from: results, byteCount: count * elementSize)
      return
    }
    let sums = unsafe results.assumingMemoryBound(to: Float.self)
    let output = unsafe output.assumingMemoryBound(to: Float.self)
    for column in 0..<count { unsafe output[column] = sums[column] / divisor }
  }
}

/// Exact sums of 8-bit quantized values.
///
/// Not generic: its methods are reached through a protocol, and would be compiled once for all types.
struct QuantizedColumnSums: ColumnFormat {
  private let isSigned: Bool
  private let offset: Int64
  private let factor: WordFactor
  private let outputZeroPoint: Int32
  private let kernels: ByteMicrokernels
  let elementSize = 1
  let leastRows = 64

  /// The sums of `arithmetic`; nil where no vector kernel follows it.
  init?<Quantized: TensorElement & FixedWidthInteger>(
    _ arithmetic: QuantizedMeanReduction<Quantized>, _ kernels: ByteMicrokernels
  ) {
    guard Quantized.bitWidth == 8, let factor = WordFactor(arithmetic.multiplier) else {
      return nil
    }
    isSigned = Quantized.isSigned
    offset = arithmetic.offset
    self.factor = factor
    outputZeroPoint = arithmetic.outputZeroPoint
    self.kernels = kernels
  }

  func reduce(_ rows: ColumnRows, to sums: UnsafeMutableRawPointer) {
    unsafe kernels.sumColumns(
      ByteColumns(
        input: rows.input, stride: rows.stride, rowCount: rows.rowCount, columnCount: rows.width,
        isSigned: isSigned),
      rows.columns, to: sums.assumingMemoryBound(to: Int32.self))
  }

  func combine(_ sums: UnsafeRawPointer, count: Int, to totals: UnsafeMutableRawPointer) {
    let sums = unsafe sums.assumingMemoryBound(to: Int32.self)
    let totals = unsafe totals.assumingMemoryBound(to: Int32.self)
    for column in 0..<count { unsafe totals[column] &+= sums[column] }
  }

  func finish(_ sums: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer) {
    let scaling = WordScaling(factor)
    let (lowest, highest): (Int32, Int32) = isSigned ? (-128, 127) : (0, 255)
    let sums = unsafe sums.assumingMemoryBound(to: Int32.self)
    let output = unsafe output.assumingMemoryBound(to: UInt8.self)
    for column in 0..<count {
      let sum = unsafe Int32(truncatingIfNeeded: Int64(sums[column]) &- offset)
      let scaled = factor.roundsTwice ? scaling.twice(sum) : scaling.once(sum)
      let quantized = min(max(scaled &+ outputZeroPoint, lowest), highest)
      unsafe output[column] = UInt8(truncatingIfNeeded: quantized)
    }
  }
}
