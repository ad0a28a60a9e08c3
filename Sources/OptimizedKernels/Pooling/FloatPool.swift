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
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = lines.blocks(workerCount: workerCount)
    while let block = next() {
      lines.forEachRun(in: blocks.lines(block)) { first, count, step in
        unsafe kernels.pool(
          FloatPoolLine(
            lines.nest, input: input, output: output, first, count: count, step: step, range),
          isAverage: isAverage)
      }
    }
  }
}

extension FloatPoolLine {
  /// Windows of images of floats with `nest` like the `first`, each so many elements behind the one before.
  init(
    _ nest: Pool2DNest, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    _ first: PoolWindow, count: Int, step: Int, _ range: ActivationRange<Float>
  ) {
    unsafe self.init(
      PoolLine(
        nest, input: input, output: output, first, count: count, step: step,
        elementSize: MemoryLayout<Float>.size),
      lowest: range.lowest, highest: range.highest)
  }
}
