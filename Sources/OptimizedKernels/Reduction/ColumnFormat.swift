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
  /// What columns are reduced to.
  enum Operation {
    /// Their sums, divided or as they are.
    case sum(divisor: Float?)
    /// Their greatest elements; NaN is none.
    case maximum
    /// Their least elements; NaN is none.
    case minimum
  }

  let elementSize = 4
  let leastRows = 4
  private let operation: Operation

  /// Columns that are reduced by `operation`.
  init(_ operation: Operation) { self.operation = operation }

  func reduce(_ rows: ColumnRows, to results: UnsafeMutableRawPointer) {
    let greatest = Float.greatestFiniteMagnitude
    switch operation {
    case .sum:
      unsafe reduceColumns(rows, to: results, from: 0, lanes: { $0 + $1 }) { $0 + $1 }
    case .maximum:
      unsafe reduceColumns(
        rows, to: results, from: -greatest, lanes: { $0.replacing(with: $1, where: $0 .< $1) }
      ) { $0 < $1 ? $1 : $0 }
    case .minimum:
      unsafe reduceColumns(
        rows, to: results, from: greatest, lanes: { $0.replacing(with: $1, where: $1 .< $0) }
      ) { $1 < $0 ? $1 : $0 }
    }
  }

  func combine(_ results: UnsafeRawPointer, count: Int, to totals: UnsafeMutableRawPointer) {
    switch operation {
    case .sum: unsafe combineColumns(results, count, to: totals) { $0 + $1 }
    case .maximum: unsafe combineColumns(results, count, to: totals) { $0 < $1 ? $1 : $0 }
    case .minimum: unsafe combineColumns(results, count, to: totals) { $1 < $0 ? $1 : $0 }
    }
  }

  func finish(_ results: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer) {
    guard case .sum(let divisor?) = operation else {
      unsafe output.copyMemory(from: results, byteCount: count * elementSize)
      return
    }
    let sums = unsafe results.assumingMemoryBound(to: Float.self)
    let output = unsafe output.assumingMemoryBound(to: Float.self)
    for column in 0..<count { unsafe output[column] = sums[column] / divisor }
  }
}

/// Columns that are reduced in registers.
private typealias ColumnLanes = SIMD16<Float>

/// Columns up to which they are reduced in registers: a wider row is better read at once.
private let mostLaneColumns = 64

/// The columns' results, each from `start` on; loops that become vectors.
@inline(__always)
private func reduceColumns(
  _ rows: ColumnRows, to results: UnsafeMutableRawPointer, from start: Float,
  lanes: (ColumnLanes, ColumnLanes) -> ColumnLanes, _ combine: (Float, Float) -> Float
) {
  var input = unsafe rows.input + rows.columns.lowerBound * 4
  var (count, results) = unsafe (rows.columns.count, results)
  let stride = unsafe rows.stride * 4
  // Results in memory would have each row wait for the one before to be written.
  while count >= ColumnLanes.scalarCount, unsafe rows.columns.count <= mostLaneColumns {
    var reduced = ColumnLanes(repeating: start)
    for row in unsafe 0..<rows.rowCount {
      reduced = unsafe lanes(
        reduced, (input + row &* stride).loadUnaligned(as: ColumnLanes.self))
    }
    unsafe results.storeBytes(of: reduced, as: ColumnLanes.self)
    unsafe input += MemoryLayout<ColumnLanes>.size
    unsafe results += MemoryLayout<ColumnLanes>.size
    count -= ColumnLanes.scalarCount
  }
  let target = unsafe results.assumingMemoryBound(to: Float.self)
  for column in 0..<count { unsafe target[column] = start }
  for row in unsafe 0..<rows.rowCount {
    unsafe combineColumns(input + row * stride, count, to: results, combine)
  }
}

/// Takes a row into the columns' results.
@inline(__always)
private func combineColumns(
  _ row: UnsafeRawPointer, _ count: Int, to results: UnsafeMutableRawPointer,
  _ combine: (Float, Float) -> Float
) {
  let elements = unsafe row.assumingMemoryBound(to: Float.self)
  let results = unsafe results.assumingMemoryBound(to: Float.self)
  for column in 0..<count { unsafe results[column] = combine(results[column], elements[column]) }
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
