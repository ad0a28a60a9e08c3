// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// How the columns of rows are summed in one number format; sums are four bytes each.
protocol ColumnSums: Sendable {
  /// Bytes of an element.
  var elementSize: Int { get }
  /// Rows that are worth sums of their own.
  var leastRows: Int { get }

  /// Writes the sums of some columns over some rows that are `stride` elements apart.
  func sum(_ rows: ColumnRows, to sums: UnsafeMutableRawPointer)

  /// Adds sums to others.
  func add(_ sums: UnsafeRawPointer, count: Int, to totals: UnsafeMutableRawPointer)

  /// Makes results of sums over all rows.
  func finish(_ sums: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer)
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

/// Sums of floats, each in the order of rows.
struct FloatColumnSums: ColumnSums {
  let arithmetic: FloatMeanReduction
  let elementSize = 4
  let leastRows = 4

  func sum(_ rows: ColumnRows, to sums: UnsafeMutableRawPointer) {
    let sums = unsafe sums.assumingMemoryBound(to: Float.self)
    let input = unsafe rows.input.assumingMemoryBound(to: Float.self) + rows.columns.lowerBound
    let count = unsafe rows.columns.count
    for column in 0..<count { unsafe sums[column] = 0 }
    for row in unsafe 0..<rows.rowCount {
      let elements = unsafe input + row * rows.stride
      for column in 0..<count { unsafe sums[column] += elements[column] }
    }
  }

  func add(_ sums: UnsafeRawPointer, count: Int, to totals: UnsafeMutableRawPointer) {
    let sums = unsafe sums.assumingMemoryBound(to: Float.self)
    let totals = unsafe totals.assumingMemoryBound(to: Float.self)
    for column in 0..<count { unsafe totals[column] += sums[column] }
  }

  func finish(_ sums: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer) {
    let sums = unsafe sums.assumingMemoryBound(to: Float.self)
    let output = unsafe output.assumingMemoryBound(to: Float.self)
    for column in 0..<count { unsafe output[column] = arithmetic.finish(sums[column]) }
  }
}

/// Exact sums of 8-bit codes.
struct CodeColumnSums<Code: TensorElement & FixedWidthInteger>: ColumnSums {
  let arithmetic: QuantizedMeanReduction<Code>
  let kernels: ByteMicrokernels
  let elementSize = 1
  let leastRows = 64

  /// The sums of `arithmetic`; nil where no vector kernel follows it.
  init?(_ arithmetic: QuantizedMeanReduction<Code>, _ kernels: ByteMicrokernels) {
    guard Code.bitWidth == 8, (-31...30).contains(arithmetic.multiplier.exponent) else {
      return nil
    }
    self.arithmetic = arithmetic
    self.kernels = kernels
  }

  func sum(_ rows: ColumnRows, to sums: UnsafeMutableRawPointer) {
    unsafe kernels.sumColumns(
      ByteColumns(
        input: rows.input, stride: rows.stride, rowCount: rows.rowCount, columnCount: rows.width,
        isSigned: Code.isSigned),
      rows.columns, to: sums.assumingMemoryBound(to: Int32.self))
  }

  func add(_ sums: UnsafeRawPointer, count: Int, to totals: UnsafeMutableRawPointer) {
    let sums = unsafe sums.assumingMemoryBound(to: Int32.self)
    let totals = unsafe totals.assumingMemoryBound(to: Int32.self)
    for column in 0..<count { unsafe totals[column] &+= sums[column] }
  }

  func finish(_ sums: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer) {
    let factor = arithmetic.multiplier
    let (lowest, highest) = (Int32(Code.min), Int32(Code.max))
    let sums = unsafe sums.assumingMemoryBound(to: Int32.self)
    let output = unsafe output.assumingMemoryBound(to: Code.self)
    for column in 0..<count {
      let sum = unsafe Int32(truncatingIfNeeded: Int64(sums[column]) &- arithmetic.offset)
      let scaled = exactlyScaled(
        sum, significand: factor.significand, exponent: factor.exponent,
        roundsTwice: factor.rounding == .double)
      let code = min(max(scaled &+ arithmetic.outputZeroPoint, lowest), highest)
      unsafe output[column] = Code(truncatingIfNeeded: code)
    }
  }
}
