// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Averages and maxima of floats, all channels of a pixel at a time: the same results as the
/// reference kernel, whose order of operations it keeps within each channel.
final class FloatPool: BlockKernel {
  private let isAverage: Bool
  private let range: ActivationRange<Float>
  private let lines: PoolLines
  private let kernels: FloatMicrokernels

  /// The averages of `loop`.
  init(_ loop: Pool2DLoop<FloatAverage>, _ set: MicrokernelSet) {
    isAverage = true
    range = loop.arithmetic.range
    lines = PoolLines(loop.nest)
    kernels = set.float
  }

  /// The maxima of `loop`.
  init(_ loop: Pool2DLoop<FloatMaximum>, _ set: MicrokernelSet) {
    isAverage = false
    range = loop.arithmetic.range
    lines = PoolLines(loop.nest)
    kernels = set.float
  }

  func blockCount(workerCount: Int) -> Int { lines.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    unsafe lines.forEachRun(
      of: frame, elementSize: MemoryLayout<Float>.size, workerCount: workerCount, next
    ) { windows, _ in
      unsafe kernels.pool(
        FloatPoolLine(windows, lowest: range.lowest, highest: range.highest), isAverage: isAverage)
    }
  }
}
