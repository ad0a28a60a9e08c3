// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Means and sums of rows of floats, each in sixteen sums where it is long enough.
final class RowSums: BlockKernel {
  private let rowCount: Int
  private let rowLength: Int
  private let divisor: Float?
  private let kernels: MicrokernelSet

  /// The means of `loop`; nil where results are not means of neighboring elements.
  convenience init?(_ loop: ReductionLoop<FloatMeanReduction>, _ set: MicrokernelSet) {
    self.init(loop.axes, divisor: Float(loop.axes.count), set)
  }

  /// The sums of `loop`; nil where results are not sums of neighboring elements.
  convenience init?(_ loop: ReductionLoop<FloatSumReduction>, _ set: MicrokernelSet) {
    self.init(loop.axes, divisor: nil, set)
  }

  private init?(_ axes: ReducedAxes, divisor: Float?, _ set: MicrokernelSet) {
    guard let rowCount = axes.rowCount else { return nil }
    self.rowCount = rowCount
    rowLength = axes.count
    self.divisor = divisor
    kernels = set
  }

  private func blocks(_ workerCount: Int) -> ElementBlocks {
    ElementBlocks(rowCount, rowLength: rowLength, workerCount: workerCount)
  }

  func blockCount(workerCount: Int) -> Int { blocks(workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blocks = blocks(workerCount)
    while let block = next() {
      let rows = blocks[block]
      let sums = unsafe output + rows.lowerBound
      unsafe sums.update(repeating: 0, count: rows.count)
      unsafe kernels.reduceRows(
        ReducedRows(
          input: input + rows.lowerBound * rowLength * 4, stride: rowLength * 4,
          rowCount: rows.count, columnCount: rowLength, totals: sums), .floatSum)
      if let divisor {
        for row in 0..<rows.count { unsafe sums[row] /= divisor }
      }
    }
  }
}

extension ReducedAxes {
  /// How many results there are where each is made of the elements of a row, or of all; else nil.
  var rowCount: Int? {
    guard !isEmpty, reduced.count == 1, let row = reduced.first, row.stride == 1,
      row.length == count
    else { return nil }
    guard let rows = kept.first else { return 1 }
    return kept.count == 1 && rows.stride == row.length ? rows.length : nil
  }
}
