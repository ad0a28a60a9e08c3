// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// The greatest or the least elements of rows of floats: the same results as the reference kernel.
final class RowExtremes: BlockKernel {
  private let extremum: FloatExtremum
  /// What no elements give; nil where the first element is given, whatever it is.
  private let empty: Float?
  private let rowCount: Int
  private let rowLength: Int

  /// The extremes of `loop`; nil where results are not made of neighboring elements.
  init?(_ loop: ReductionLoop<ExtremeReduction<Float>>) {
    guard let rowCount = loop.axes.rowCount else { return nil }
    extremum = FloatExtremum(isMaximum: loop.arithmetic.isMaximum)
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
      for row in blocks[block] {
        let elements = unsafe input + row * rowLength
        // Nothing goes beyond NaN: where a result starts from it, it stays.
        unsafe output[row] = extremum.value(
          of: elements, count: rowLength, from: empty ?? elements[0])
      }
    }
  }
}
