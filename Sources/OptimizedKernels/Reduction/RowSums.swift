// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Means and sums of rows of floats, by `pairedSum`.
final class RowSums: BlockKernel {
  private let rowCount: Int
  private let rowLength: Int
  private let divisor: Float?

  /// The means of `loop`; nil where results are not means of neighboring elements.
  convenience init?(_ loop: ReductionLoop<FloatMeanReduction>) {
    self.init(loop.axes, divisor: Float(loop.axes.count))
  }

  /// The sums of `loop`; nil where results are not sums of neighboring elements.
  convenience init?(_ loop: ReductionLoop<FloatSumReduction>) {
    self.init(loop.axes, divisor: nil)
  }

  private init?(_ axes: ReducedAxes, divisor: Float?) {
    guard let rowCount = axes.rowCount else { return nil }
    self.rowCount = rowCount
    rowLength = axes.count
    self.divisor = divisor
  }

  private func blocks(_ workerCount: Int) -> ElementBlocks {
    ElementBlocks(rowCount, rowLength: rowLength, workerCount: workerCount)
  }

  func blockCount(workerCount: Int) -> Int { blocks(workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blocks = blocks(workerCount)
    while let block = next() {
      for row in blocks[block] {
        let sum = unsafe pairedSum(of: input + row * rowLength, count: rowLength)
        unsafe output[row] = divisor.map { sum / $0 } ?? sum
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
