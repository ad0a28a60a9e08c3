// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Element-wise operations on two floats, row by row: the same results as the reference kernel.
final class FloatBinary: BlockKernel {
  private let operation: FloatBinaryOperation
  private let kernels: FloatMicrokernels
  private let range: ActivationRange<Float>
  private let runs: BroadcastRuns

  /// The sum or difference of `loop`.
  init(_ loop: BinaryLoop<FloatAddition<Float>>, _ set: MicrokernelSet) {
    kernels = set.float
    operation = loop.arithmetic.isSubtraction ? .subtract : .add
    range = loop.arithmetic.range
    runs = BroadcastRuns(loop.broadcast)
  }

  /// The product of `loop`.
  init(_ loop: BinaryLoop<FloatMultiplication<Float>>, _ set: MicrokernelSet) {
    kernels = set.float
    operation = .multiply
    range = loop.arithmetic.range
    runs = BroadcastRuns(loop.broadcast)
  }

  /// The quotient of `loop`.
  convenience init(_ loop: BinaryLoop<FloatDivision>, _ set: MicrokernelSet) {
    self.init(.divide, loop.broadcast, range: loop.arithmetic.range, set)
  }

  /// An operation without limits.
  init(
    _ operation: FloatBinaryOperation, _ broadcast: Broadcast,
    range: ActivationRange<Float> = ActivationRange(-.infinity, .infinity), _ set: MicrokernelSet
  ) {
    kernels = set.float
    self.operation = operation
    self.range = range
    runs = BroadcastRuns(broadcast)
  }

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(runs.elementCount, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let left = unsafe frame.inputAddress(0), let right = unsafe frame.inputAddress(1) else {
      return
    }
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(runs.elementCount, workerCount: workerCount)
    while let block = next() {
      unsafe runs.forEachRow(left, right, output, size: 4, in: blocks[block]) { row in
        unsafe kernels.compute(
          operation,
          FloatBinaryRow(
            left: row.left, right: row.right, output: row.output, count: row.count,
            lowest: range.lowest, highest: range.highest))
      }
    }
  }
}
