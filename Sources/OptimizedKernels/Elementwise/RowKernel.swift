// SPDX-License-Identifier: Apache-2.0

package import Microkernels
package import ReferenceKernels
package import Tensors

/// An element-wise kernel of two operands that are broadcast to each other, row by row.
package protocol RowKernel: RegionKernel {
  /// The rows.
  var runs: BroadcastRuns { get }
  /// Bytes of an element.
  var elementSize: Int { get }

  /// Computes a row; the output may be one of the operands.
  func compute(_ row: PlainRow)
}

extension RowKernel {
  package var row: (any RowKernel)? { self }

  package var inPlaceInputs: [Int] { [0, 1].filter(runs.isWhole) }

  package func blockCount(workerCount: Int) -> Int {
    ElementBlocks(runs.elementCount, workerCount: workerCount).count
  }

  package func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    body(ElementBlocks(runs.elementCount, workerCount: workerCount)[block])
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    guard runs.isRow, let left = unsafe frame.inputAddress(0),
      let right = unsafe frame.inputAddress(1)
    else { return try evaluateBlocks(frame) }
    unsafe compute(
      PlainRow(left: left, right: right, output: frame.outputAddress(0), count: runs.elementCount))
  }

  package func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    computeRows(frame, workerCount: workerCount, next: next)
  }

  /// Computes blocks row by row, with short repetitions written out.
  func computeRows(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    unsafe runs.forEachRow(
      of: frame, size: elementSize, resultSize: elementSize, workerCount: workerCount, next
    ) { row in unsafe compute(row) }
  }
}

extension BroadcastRuns {
  /// Calls `body` for the rows of the blocks that `next` names, until it names none.
  @inline(__always)
  func forEachRow(
    of frame: borrowing TensorFrame, size: Int, resultSize: Int, workerCount: Int,
    _ next: () -> Int?, _ body: (PlainRow) -> Void
  ) {
    guard let left = unsafe frame.inputAddress(0), let right = unsafe frame.inputAddress(1) else {
      return
    }
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(elementCount, workerCount: workerCount)
    while let block = next() {
      unsafe forEachRow(
        left, right, output, size: size, resultSize: resultSize, in: blocks[block], body)
    }
  }
}
