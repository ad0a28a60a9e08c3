// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Sums, differences and products of floats, row by row: the same results as the reference kernel.
final class FloatBinary: BlockKernel {
  private let operation: FloatBinaryOperation
  private let kernels: FloatMicrokernels
  private let range: ActivationRange<Float>
  private let broadcast: Broadcast

  /// The sum or difference of `loop`.
  init(_ loop: BinaryLoop<FloatAddition<Float>>, _ set: MicrokernelSet) {
    kernels = set.float
    operation = loop.arithmetic.isSubtraction ? .subtract : .add
    range = loop.arithmetic.range
    broadcast = loop.broadcast
  }

  /// The product of `loop`.
  init(_ loop: BinaryLoop<FloatMultiplication<Float>>, _ set: MicrokernelSet) {
    kernels = set.float
    operation = .multiply
    range = loop.arithmetic.range
    broadcast = loop.broadcast
  }

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(broadcast.shape.elementCount, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let first = unsafe frame.inputAddress(0), let second = unsafe frame.inputAddress(1) else {
      return
    }
    let left = unsafe first.assumingMemoryBound(to: Float.self)
    let right = unsafe second.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blocks = ElementBlocks(broadcast.shape.elementCount, workerCount: workerCount)
    while let block = next() {
      broadcast.forEachPart(in: blocks[block]) { from, beside, to, count in
        unsafe kernels.compute(
          operation,
          FloatBinaryRow(
            left: left + from, right: right + beside, output: output + to, count: count,
            leftStep: broadcast.rowSteps[0], rightStep: broadcast.rowSteps[1],
            lowest: range.lowest, highest: range.highest))
      }
    }
  }
}
