// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Rows of floats that are normalized one by one.
struct FloatRows: Sendable {
  /// Elements of a block, at least a row.
  private static let blockLength = 4096

  /// Elements of a row.
  let length: Int
  /// Rows.
  let count: Int
  private let kernels: MicrokernelSet

  /// The rows of a node's input; nil where they are empty.
  init?(length: Int, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard length > 0, let input = node.optionalInput(0) else { return nil }
    self.length = length
    count = input.shape.elementCount / length
    kernels = set
  }

  /// Rows of a block.
  private var step: Int { max(Self.blockLength / length, 1) }

  /// Blocks of rows.
  var blockCount: Int { (count + step - 1) / step }

  /// Calls `body` with the input and the output of each block that `next` names, and its rows.
  @inline(__always)
  func forEachBlock(
    _ frame: borrowing TensorFrame, _ next: () -> Int?,
    _ body: (UnsafePointer<Float>, UnsafeMutablePointer<Float>, _ rowCount: Int) -> Void
  ) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    while let block = next() {
      let rows = block * step..<min((block + 1) * step, count)
      let first = rows.lowerBound * length
      unsafe body(input + first, output + first, rows.count)
    }
  }

  /// Calls `body` with where each row of the blocks that `next` names is in the input, and in the
  /// output.
  @inline(__always)
  func forEachRow(
    _ frame: borrowing TensorFrame, _ next: () -> Int?,
    _ body: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) {
    unsafe forEachBlock(frame, next) { input, output, rowCount in
      for first in stride(from: 0, to: rowCount * length, by: length) {
        unsafe body(input + first, output + first)
      }
    }
  }

  /// Writes the greatest number of each of some rows.
  func maxima(
    _ rows: UnsafePointer<Float>, rowCount: Int, to maxima: UnsafeMutablePointer<Float>
  ) {
    unsafe maxima.update(repeating: -.greatestFiniteMagnitude, count: rowCount)
    unsafe reduce(rows, rowCount: rowCount, .floatMaximum, to: maxima)
  }

  /// Writes the sum of each of some rows.
  func sums(
    _ rows: UnsafePointer<Float>, rowCount: Int, to sums: UnsafeMutablePointer<Float>
  ) {
    unsafe sums.update(repeating: 0, count: rowCount)
    unsafe reduce(rows, rowCount: rowCount, .floatSum, to: sums)
  }

  private func reduce(
    _ rows: UnsafePointer<Float>, rowCount: Int, _ reduction: PlainReduction,
    to results: UnsafeMutablePointer<Float>
  ) {
    unsafe kernels.reduceRows(
      ReducedRows(
        input: rows, stride: length * MemoryLayout<Float>.stride, rowCount: rowCount,
        columnCount: length, totals: results), reduction)
  }

  /// A function of each of the numbers of some rows.
  func apply(
    _ function: FloatFunction, _ rows: UnsafePointer<Float>, rowCount: Int = 1,
    to output: UnsafeMutablePointer<Float>
  ) {
    unsafe kernels.float.apply(
      function, FloatFunctionTask(input: rows, output: output, count: rowCount * length))
  }

  /// An operation on the numbers of some rows and one other for each row.
  func combine(
    _ operation: FloatBinaryOperation, _ rows: UnsafePointer<Float>,
    _ others: UnsafePointer<Float>, rowCount: Int = 1, to output: UnsafeMutablePointer<Float>
  ) {
    unsafe kernels.float.compute(
      operation,
      FloatBinaryRow(
        left: rows, right: others, output: output, count: rowCount * length,
        repetitions: length, lowest: -.infinity, highest: .infinity))
  }

  /// Calls `body` with room for a number of each of some rows.
  @inline(__always)
  func withNumbers(rowCount: Int, _ body: (UnsafeMutablePointer<Float>) -> Void) {
    unsafe ScratchMemory.use(rowCount * MemoryLayout<Float>.stride) {
      unsafe body($0.assumingMemoryBound(to: Float.self))
    }
  }
}
