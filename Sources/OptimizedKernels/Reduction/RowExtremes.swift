// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The greatest or the least elements of rows of floats: the same results as the reference kernel.
final class RowExtremes: BlockKernel {
  private let extremum: FloatExtremum
  private let reduction: PlainReduction
  private let kernels: MicrokernelSet
  /// What no elements give; nil where the first element is given, whatever it is.
  private let empty: Float?
  private let rowCount: Int
  private let rowLength: Int

  /// The extremes of `loop`; nil where results are not made of neighboring elements.
  init?(_ loop: ReductionLoop<ExtremeReduction<Float>>, _ set: MicrokernelSet) {
    guard let rowCount = loop.axes.rowCount else { return nil }
    let isMaximum = loop.arithmetic.isMaximum
    extremum = FloatExtremum(isMaximum: isMaximum)
    reduction = isMaximum ? .floatMaximum : .floatMinimum
    kernels = set
    empty = loop.startsFromFirst ? nil : loop.arithmetic.empty
    self.rowCount = rowCount
    rowLength = loop.axes.count
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
      let rows = blocks[block]
      // Nothing goes beyond NaN: where a result starts from it, it stays.
      func start(_ row: Int) -> Float { unsafe empty ?? input[row * rowLength] }
      for row in rows { unsafe output[row] = start(row) }
      unsafe kernels.reduceRows(
        ReducedRows(
          input: input + rows.lowerBound * rowLength, stride: rowLength * 4, rowCount: rows.count,
          columnCount: rowLength, totals: output + rows.lowerBound), reduction)
      for row in rows {
        unsafe output[row] = extremum.first(
          output[row], in: input + row * rowLength, count: rowLength, from: start(row))
      }
    }
  }
}
