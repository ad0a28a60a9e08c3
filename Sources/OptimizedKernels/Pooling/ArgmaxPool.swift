// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// MediaPipe's maxima of floats with their places in the windows, all channels of a pixel at a time:
/// the same results as the reference kernel.
final class ArgmaxPool: BlockKernel {
  private let range: ActivationRange<Float>
  private let lines: PoolLines
  private let windowWidth: Int
  private let kernels: FloatMicrokernels

  /// The maxima of `loop`.
  init(_ loop: ArgmaxPoolLoop, _ set: MicrokernelSet) {
    range = loop.range
    lines = PoolLines(loop.nest)
    windowWidth = loop.nest.geometry.columns.window
    kernels = set.float
  }

  func blockCount(workerCount: Int) -> Int { lines.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let (maxima, places) = unsafe (frame.outputAddress(0), frame.outputAddress(1))
    let blocks = lines.blocks(workerCount: workerCount)
    while let block = next() {
      lines.forEachRun(in: blocks.lines(block)) { first, count, step in
        let line = unsafe FloatPoolLine(
          lines.nest, input: input, output: maxima, first, count: count, step: step, range)
        unsafe kernels.findMaxima(
          FloatArgmaxLine(
            line: line, places: places + first.output * 4, firstPlace: first.firstTap,
            placeStep: windowWidth))
      }
    }
  }
}
